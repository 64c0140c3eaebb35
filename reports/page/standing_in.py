"""Which message of the script a made-up one stands for: one that was cut, masked or repeated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from compaction_eval.eval.records import CellRecord, PartRef
from compaction_eval.strategies.messages import (
    Message,
    answered_id,
    call_ids,
    content_text,
    role,
)

_COMPARED = 400
"""Characters of two texts that are looked at."""


def stands_for(
    cell: CellRecord, names: Collection[str], messages: Sequence[Message]
) -> dict[str, int]:
    """Of the made-up messages of these names the position of what each may stand for.

    It is one that is missing in the place where the made-up one stands first, with its role and
    its calls' ids; of several the one whose text begins most alike.
    """
    found: dict[str, int] = {}
    wanted = set(names)
    for request in cell.requests:
        if wanted.isdisjoint(request.view):
            continue
        for name, candidates in _gaps(request.view, request.at):
            if name not in wanted:
                continue
            wanted.discard(name)
            made: Message = cell.synthetic[name]
            fitting = [at for at in candidates if _alike(made, messages[at])]
            if fitting:
                found[name] = max(fitting, key=lambda at: (_shared(made, messages[at]), at))
    return found


def _gaps(view: Sequence[PartRef], said: int) -> Iterator[tuple[str, range]]:
    """Each made-up message of a view, and the positions missing between its neighbours."""
    start = 0
    for index, part in enumerate(view):
        if isinstance(part, str):
            after = (one[0] for one in view[index:] if not isinstance(one, str))
            yield part, range(start, max(next(after, said), start))
        else:
            start = part[1]


def _alike(made: Message, original: Message) -> bool:
    return (
        role(made) == role(original)
        and answered_id(made) == answered_id(original)
        and call_ids(made) == call_ids(original)
    )


def _shared(made: Message, original: Message) -> int:
    pairs = zip(content_text(made)[:_COMPARED], content_text(original), strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), _COMPARED)
