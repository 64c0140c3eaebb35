"""`token-window`: the newest messages that fit the budget. The control to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.cutting import cut_to_fit, sliceable
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History, Pairs, System


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """Keeps system messages, and walks back from the newest until one doesn't fit."""

    system: System = "keep"
    pairs: Pairs = "break"
    history: History = "replace"

    @property
    def name(self) -> str:
        """The registered name."""
        return "token-window"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The longest run of newest messages that fits, and always the newest."""
        excess = context.count(messages) - context.budget
        if excess <= 0:
            return Compaction(messages)
        cut = cut_to_fit(
            sliceable(messages),
            excess,
            context.counter,
            keep_system=self.system == "keep",
            whole_blocks=self.pairs == "keep",
        )
        if not cut.dropped:
            return Compaction(messages)
        return Compaction(cut.kept, "truncate", cut.dropped)
