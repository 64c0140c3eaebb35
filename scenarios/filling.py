"""Filler turns of a scenario file become messages: their limits, their stretch, their call ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.filler import exchanges, unbroken
from compaction_eval.scenarios.keys import FILLER_LANGUAGES
from compaction_eval.scenarios.yaml_tree import Fields, Node, text_of
from compaction_eval.strategies.messages import Message, answered_id, role, tool_calls

MOST_FILLER = 9_999
"""Exchanges of one turn; a typing error in a number should not fill the memory."""
MOST_IN_ALL = 50_000
"""Exchanges of all filler in all variants of a file; for the same reason."""
LONGEST_SEED = 18
"""Digits."""


@dataclass(slots=True)
class Filling:
    """The filler of one file: texts that its variants have in common are made once."""

    _made: dict[tuple[str, int, str], _Made] = field(default_factory=dict)
    _given: int = 0

    def messages(
        self, node: Node, lang: str, new_id: Callable[[], str], faults: list[Fault]
    ) -> list[Message]:
        """The messages of one filler turn; none where it is misshapen (a fault already)."""
        if not isinstance(node, Fields):
            return []
        kind, turns, seed = (text_of(node.get(key)) for key in ("kind", "turns", "seed"))
        after, before = _percent(node, "after", 0), _percent(node, "before", 100)
        digits = (turns or "").lstrip("0") or "0"
        if kind is None or not (turns and turns.isascii() and turns.isdigit()):
            return []
        if after is None or before is None:
            return []
        refused = self._refused(digits, seed or "1", lang, after, before)
        if refused:
            faults.append(Fault(node.place, refused))
            return []
        try:
            made = self._exchanges(kind, int(digits), int(seed or "1"), lang)
        except ValueError:  # an unknown kind or a bad number: a fault of its shape already
            return []
        part = made[len(made) * after // 100 : len(made) * before // 100]
        return [message for exchange in part for message in _own(exchange, new_id)]

    def _refused(self, turns: str, seed: str, lang: str, after: int, before: int) -> str | None:
        """Why no filler is made; counts what is made."""
        if lang not in FILLER_LANGUAGES:
            return f"there is no filler in '{lang}', only in {', '.join(FILLER_LANGUAGES)}"
        if len(turns) > len(str(MOST_FILLER)) or int(turns) > MOST_FILLER:
            return f"at most {MOST_FILLER} turns of filler, not {turns}"
        if len(seed.lstrip("0")) > LONGEST_SEED:
            return f"a seed has at most {LONGEST_SEED} digits"
        if after > before:
            return f"nothing lies after {after} and before {before} percent; swap the two"
        self._given += int(turns) * (before - after) // 100
        if self._given > MOST_IN_ALL:
            return (
                f"more than {MOST_IN_ALL} turns of filler in all variants together; "
                "take less of it, or fewer parameters"
            )
        return None

    def _exchanges(self, kind: str, turns: int, seed: int, lang: str) -> Sequence[list[Message]]:
        if kind == "unbroken":
            return [unbroken(turns, seed, lang)] if turns else []
        made = self._made.get((kind, seed, lang))
        if made is None:
            made = self._made[kind, seed, lang] = _Made(exchanges(kind, seed, lang))
        return made.first(turns)


@dataclass(slots=True)
class _Made:
    """A series of exchanges, as far as it has been wanted."""

    more: Iterator[list[Message]]
    exchanges: list[list[Message]] = field(default_factory=list)

    def first(self, turns: int) -> list[list[Message]]:
        self.exchanges += islice(self.more, max(0, turns - len(self.exchanges)))
        return self.exchanges[:turns]


def _percent(node: Fields, key: str, missing: int) -> int | None:
    """The percentage of a key; None where it is none (a fault of its shape already)."""
    if key not in node.by_key:
        return missing
    digits = (text_of(node.get(key)) or "x").lstrip("0") or "0"
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len("100"):
        return None
    return int(digits) if int(digits) <= 100 else None


def _own(exchange: Sequence[Message], new_id: Callable[[], str]) -> Iterator[Message]:
    """The messages of a shared exchange as a conversation's own, with its own call ids."""
    renamed: dict[str, str] = {}
    for message in exchange:
        own = cast("dict[str, Any]", dict(message))
        calls = tool_calls(message)
        if calls:
            renamed |= {call["id"]: new_id() for call in calls}
            own["tool_calls"] = [{**call, "id": renamed[call["id"]]} for call in calls]
        if role(message) == "tool":
            own["tool_call_id"] = renamed[answered_id(message)]
        yield cast("Message", own)
