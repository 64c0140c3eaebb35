"""`count-summary`: more than so many messages become the last few and a summary of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.cutting import (
    has_more_than,
    recent_start,
    sliceable,
    without_summary,
)
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History, Pairs, RoleChoice, System, at_least
from compaction_eval.strategies.recent_summary import RecentPlan, replace_older
from compaction_eval.strategies.summary import SummaryPlace


@dataclass(frozen=True, slots=True)
class CountSummary:
    """Counts messages, whatever they cost and whatever the budget.

    The summary counts as one of them, as it would for anyone who counts the list: with the defaults
    it is rewritten each time four more messages have come. It is never one of the kept ones.
    """

    max_messages: int = 6
    """Messages up to which nothing is done; kept system messages aren't counted."""
    keep_recent: int = 2
    """Messages kept as they are."""
    summary_limit: int = 300
    """Longest summary, in wide characters."""
    summary_role: RoleChoice = "assistant"
    summary_place: SummaryPlace = "end"
    system: System = "keep"
    pairs: Pairs = "break"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(1, max_messages=self.max_messages, keep_recent=self.keep_recent)
        at_least(1, summary_limit=self.summary_limit)

    @property
    def name(self) -> str:
        """The registered name."""
        return "count-summary"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The last messages, then the summary."""
        keep_system = self.system == "keep"
        if not has_more_than(messages, self.max_messages, keep_system):
            return Compaction(messages)
        body, old = without_summary(sliceable(messages))
        bound = recent_start(body, self.keep_recent, keep_system) or 0
        plan = RecentPlan(
            keep_system=keep_system,
            whole_blocks=self.pairs == "keep",
            role=self.summary_role,
            place=self.summary_place,
            summary_limit=self.summary_limit,
            style="dialogue",
        )
        return replace_older(body, old, bound, context, plan) or Compaction(messages)
