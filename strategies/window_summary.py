"""`window-summary`: token truncation as the backstop, and a summary of what it cut. Our best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.block_cutting import BlockRules
from compaction_eval.strategies.block_summary import SummaryPlan, cut_and_summarize
from compaction_eval.strategies.errors import ConfigurationError
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

LONGEST_OUTPUT = 6000
"""Characters shown of one tool answer: of a longer one its beginning, middle and end."""


@dataclass(frozen=True, slots=True)
class WindowSummary:
    """Cuts deeper than it must, so that it seldom cuts; the first and the active request stay.

    Each cut breaks the prompt cache and costs a summary. Cutting to a share of the budget leaves
    room for many requests until the next one.
    """

    reserve_tokens: int = 0
    """Tokens of the budget for what shares the window but isn't history."""
    summary_limit: int = 300
    """Longest summary, in wide characters."""
    target: float = 0.8
    """Share of budget less reserve to which a cut goes, above 0 and at most 1."""
    summary_role: RoleChoice = "auto"
    summary_place: SummaryPlace = "front"
    """In front is behind the first request, where that stays."""
    request: Request = "keep"
    oversized: Oversized = "reduce"
    internal_tags: tuple[str, ...] = DEFAULT_INTERNAL_TAGS
    """How user messages open that aren't the user's; they aren't summarised."""
    system: System = "keep"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(0, reserve_tokens=self.reserve_tokens)
        at_least(1, summary_limit=self.summary_limit)
        if not 0 < self.target <= 1:
            raise ConfigurationError(
                f"target must be above 0 and at most 1, a share of the budget, not {self.target}"
            )

    @property
    def name(self) -> str:
        """The registered name."""
        return "window-summary"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """Where the limit is exceeded, what fits the target beside the summary of the rest."""
        limit = max(context.budget - self.reserve_tokens, 0)
        plan = SummaryPlan(
            rules=BlockRules(
                keep_system=self.system == "keep",
                hold_request=self.request == "keep",
                hold_first=self.request == "keep",
                reduce=self.oversized == "reduce",
                internal_tags=self.internal_tags,
            ),
            limit=limit,
            target=int(limit * self.target),
            summary_limit=self.summary_limit,
            role=self.summary_role,
            place=self.summary_place,
            output=LONGEST_OUTPUT,
            output_cut="ends",
        )
        return cut_and_summarize(messages, context, plan)
