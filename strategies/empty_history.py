"""`empty`: the newest user message alone, which at a probe is the question. The floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.cutting import join, sliceable
from compaction_eval.strategies.messages import Message, role
from compaction_eval.strategies.options import History


@dataclass(frozen=True, slots=True)
class EmptyHistory:
    """Forgets all but what the user says now, system messages included."""

    history: History = "replace"

    @property
    def name(self) -> str:
        """The registered name."""
        return "empty"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The newest user message; where there is none, the newest message."""
        if len(messages) < 2:
            return Compaction(messages)
        messages = sliceable(messages)
        at = len(messages) - 1
        for position in range(at, -1, -1):
            if role(messages[position]) == "user":
                at = position
                break
        dropped = join(messages, (messages[:at], messages[at + 1 :]))
        return Compaction(messages[at : at + 1], "truncate", dropped)
