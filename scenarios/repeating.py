"""Which results of calls an agent could have had again, by the same call with the same arguments.

What the recorded agent did decides first: where it makes the identical call again, the first such
repetition shows whether the value is still told. Else the tool's name decides, and for a shell the
command: calls that only read can be repeated. Those that change something can't, and those of which
neither is known count as if they couldn't.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.repeatable_calls import can_be_repeated
from compaction_eval.strategies.mentions import mentions, normalise
from compaction_eval.strategies.messages import (
    Message,
    answered_id,
    argument_leaves,
    call_name,
    role,
    scalar_text,
    tool_calls,
)


class Repeating:
    """The calls of a conversation; `block_of` is from each message to its block's positions."""

    def __init__(self, messages: Sequence[Message], block_of: Mapping[int, Sequence[int]]):
        self._messages = messages
        self._block_of = block_of
        self._calls: dict[int, Mapping[str, Any] | None] = {}
        self._said: dict[int, str] = {}
        self._again: dict[str, list[int]] | None = None

    def first_telling(self, value: str, holders: Iterable[int]) -> int | None:
        """The first result that could have been had again and tells the value; None for none.

        `holders` are the positions of all messages that hold it, ascending. A call that has the
        value among its own arguments tells nothing: without the value it can't be made.
        """
        found = tuple(holders)
        return next((at for at in found if self._tells_again(at, value, found)), None)

    def _tells_again(self, at: int, value: str, holders: Sequence[int]) -> bool:
        call = self._call(at)
        if call is None or mentions(self._arguments(at, call), value):
            return False
        later = self._later(at, call)
        if later is None:
            return can_be_repeated(call)
        place = bisect_left(holders, later)
        return place < len(holders) and holders[place] == later

    def _call(self, at: int) -> Mapping[str, Any] | None:
        """The call that a tool message answers; None for any other message."""
        if at not in self._calls:
            found = None
            if role(self._messages[at]) == "tool":
                id = answered_id(self._messages[at])
                calls = tool_calls(self._messages[self._block_of[at][0]])
                found = next((call for call in calls if str(call.get("id") or "") == id), None)
            self._calls[at] = found
        return self._calls[at]

    def _arguments(self, at: int, call: Mapping[str, Any]) -> str:
        said = self._said.get(at)
        if said is None:
            leaves = map(scalar_text, argument_leaves(call))
            said = self._said[at] = normalise("\n".join(leaves))
        return said

    def _later(self, at: int, call: Mapping[str, Any]) -> int | None:
        """Position of the result of the next identical call; None where there is none."""
        if self._again is None:
            self._again = {}
            for place in range(len(self._messages)):
                told = self._call(place)
                if told is not None:
                    self._again.setdefault(_identity(told), []).append(place)
        places = self._again[_identity(call)]
        after = bisect_right(places, at)
        return places[after] if after < len(places) else None


def _identity(call: Mapping[str, Any]) -> str:
    """The same text for the same tool with the same arguments, however these are spaced."""
    return call_name(call) + "\n" + "\n".join(map(scalar_text, argument_leaves(call)))
