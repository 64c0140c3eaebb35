"""`none`: the full history, never cut. The ceiling that other strategies are measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History


@dataclass(frozen=True, slots=True)
class FullHistory:
    """Sends everything, over budget too."""

    history: History = "replace"

    @property
    def name(self) -> str:
        """The registered name."""
        return "none"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The messages as they are."""
        return Compaction(messages)
