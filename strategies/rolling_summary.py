"""`rolling-summary`: block truncation, and one summary that is rewritten with all that was cut."""

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
class RollingSummary:
    """Summarises only when blocks were dropped: the old summary and them, into a new one.

    The summary replaces the old one and stays short. If it fails, the old one stays and the window
    just slides.
    """

    reserve_tokens: int = 0
    """Tokens of the budget for what shares the window but isn't history."""
    summary_limit: int = 300
    """Longest summary, in wide characters."""
    summary_role: RoleChoice = "user"
    summary_place: SummaryPlace = "front"
    arguments: int = 200
    """Characters of a call's arguments that the summariser is shown."""
    output: int = 300
    """Characters of a tool answer that the summariser is shown."""
    request: Request = "keep"
    oversized: Oversized = "reduce"
    internal_tags: tuple[str, ...] = DEFAULT_INTERNAL_TAGS
    """How user messages open that aren't the user's; they aren't summarised."""
    system: System = "keep"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(0, reserve_tokens=self.reserve_tokens, arguments=self.arguments)
        at_least(0, output=self.output)
        at_least(1, summary_limit=self.summary_limit)

    @property
    def name(self) -> str:
        """The registered name."""
        return "rolling-summary"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The newest blocks that fit budget less reserve beside the summary of the others."""
        limit = max(context.budget - self.reserve_tokens, 0)
        plan = SummaryPlan(
            rules=BlockRules(
                keep_system=self.system == "keep",
                hold_request=self.request == "keep",
                reduce=self.oversized == "reduce",
                internal_tags=self.internal_tags,
            ),
            limit=limit,
            target=limit,
            summary_limit=self.summary_limit,
            role=self.summary_role,
            place=self.summary_place,
            arguments=self.arguments,
            output=self.output,
        )
        return cut_and_summarize(messages, context, plan)
