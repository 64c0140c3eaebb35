"""`count-slice`: the last N messages, whatever they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.cutting import cut_before, recent_start, sliceable
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History, Pairs, System, at_least


@dataclass(frozen=True, slots=True)
class CountSlice:
    """Keeps system messages and the last `keep` others. Knows neither budget nor tool calls."""

    keep: int = 10
    """Messages, system messages not counted."""
    system: System = "keep"
    pairs: Pairs = "break"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(1, keep=self.keep)

    @property
    def name(self) -> str:
        """The registered name."""
        return "count-slice"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The messages without those older than the last `keep`."""
        messages = sliceable(messages)
        keep_system = self.system == "keep"
        bound = recent_start(messages, self.keep, keep_system)
        if not bound:
            return Compaction(messages)
        cut = cut_before(
            messages, bound, keep_system=keep_system, whole_blocks=self.pairs == "keep"
        )
        if not cut.dropped:
            return Compaction(messages)
        return Compaction(cut.kept, "truncate", cut.dropped)
