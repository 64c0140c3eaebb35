"""What a property is in code: a function that goes through a trial and tells request by request."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compaction_eval.eval.properties.trial import Trial

Judged = Iterator[tuple[int, str]]
"""One entry for each request to which the property applies: the number of messages said before it,
and why the property doesn't hold there; the empty string where it does."""
Judge = Callable[[Trial], Judged]
HELD = ""


def unless(held: object, reason: str) -> str:
    """The reason, or nothing where the property held."""
    return HELD if held else reason


def listed(positions: object) -> str:
    """`message 3`, `messages 3, 4 and 2 more`."""
    known = sorted(positions)  # type: ignore[call-overload]  # any iterable of positions
    shown = ", ".join(map(str, known[:3]))
    more = f" and {len(known) - 3} more" if len(known) > 3 else ""
    return f"{'message' if len(known) == 1 else 'messages'} {shown}{more}"
