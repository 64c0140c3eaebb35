"""`threshold-gate`: over budget only the newest blocks stay; the rest is summarised or dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.block_cutting import BlockRules
from compaction_eval.strategies.block_summary import SummaryPlan, cut_and_summarize
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import (
    History,
    Oversized,
    Request,
    RoleChoice,
    System,
    at_least,
)
from compaction_eval.strategies.rendering import DEFAULT_INTERNAL_TAGS
from compaction_eval.strategies.summary import SummaryPlace


@dataclass(frozen=True, slots=True)
class ThresholdGate:
    """Keeps the newest blocks that make `keep_recent` messages, fewer where they don't fit."""

    keep_recent: int = 4
    """Messages kept at least, in whole blocks; a request held in front isn't counted."""
    min_tokens: int = 80
    """Dropped tokens below which a summary would cost more than it keeps."""
    summary_limit: int = 300
    """Longest summary, in wide characters."""
    summary_role: RoleChoice = "user"
    summary_place: SummaryPlace = "front"
    request: Request = "keep"
    oversized: Oversized = "reduce"
    internal_tags: tuple[str, ...] = DEFAULT_INTERNAL_TAGS
    """How user messages open that aren't the user's; they aren't summarised."""
    system: System = "keep"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(1, keep_recent=self.keep_recent, summary_limit=self.summary_limit)
        at_least(0, min_tokens=self.min_tokens)

    @property
    def name(self) -> str:
        """The registered name."""
        return "threshold-gate"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The newest blocks, and a summary of the others if there were enough of them."""
        plan = SummaryPlan(
            rules=BlockRules(
                keep_system=self.system == "keep",
                hold_request=self.request == "keep",
                reduce=self.oversized == "reduce",
                internal_tags=self.internal_tags,
            ),
            limit=context.budget,
            target=context.budget,
            summary_limit=self.summary_limit,
            role=self.summary_role,
            place=self.summary_place,
            keep_recent=self.keep_recent,
            min_tokens=self.min_tokens,
            dropping="drop",
            style="note",
        )
        return cut_and_summarize(messages, context, plan)
