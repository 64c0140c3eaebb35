"""`token-summary`: so many tokens become the newest few and a summary of what came before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.cutting import sliceable, stays, without_summary
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import (
    History,
    Pairs,
    RoleChoice,
    System,
    at_least,
    tokens_of,
)
from compaction_eval.strategies.recent_summary import RecentPlan, replace_older
from compaction_eval.strategies.summary import SummaryPlace
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class TokenSummary:
    """Triggers at its own number of tokens; with shares of the budget, at the run's.

    The trigger is measured like the budget, system messages and the summary included. What is kept
    is measured on the other messages alone, and always includes the newest.
    """

    max_tokens: int | str = 200
    """Tokens of a request from which on it is compacted, or a share of the budget like `60%`."""
    keep_recent_tokens: int | str = 80
    """Tokens of the newest messages that are kept as they are, or a share of the budget."""
    summary_limit: int = 300
    """Longest summary, in wide characters."""
    summary_role: RoleChoice = "assistant"
    summary_place: SummaryPlace = "end"
    system: System = "keep"
    pairs: Pairs = "break"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(1, summary_limit=self.summary_limit)
        tokens_of(self.max_tokens, 0)
        tokens_of(self.keep_recent_tokens, 0)

    @property
    def name(self) -> str:
        """The registered name."""
        return "token-summary"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The newest messages that fit, then the summary."""
        if context.count(messages) < tokens_of(self.max_tokens, context.budget):
            return Compaction(messages)
        keep_system = self.system == "keep"
        body, old = without_summary(sliceable(messages))
        most = tokens_of(self.keep_recent_tokens, context.budget)
        walked: list[int] = []
        kept = newest_within(_sizes(body, keep_system, context.counter, walked), most)
        plan = RecentPlan(
            keep_system=keep_system,
            whole_blocks=self.pairs == "keep",
            role=self.summary_role,
            place=self.summary_place,
            summary_limit=self.summary_limit,
            style="dialogue",
        )
        bound = walked[kept - 1] if kept else 0
        return replace_older(body, old, bound, context, plan) or Compaction(messages)


def newest_within(sizes: Iterable[int], most: int) -> int:
    """How many messages are kept whose sizes come newest first: while the sum is at most `most`.

    The walk stops at the first that doesn't fit. The newest is kept even if it doesn't.
    """
    kept = 0
    for size in sizes:
        most -= size
        if kept and most < 0:
            break
        kept += 1
    return kept


def _sizes(
    messages: Sequence[Message], keep_system: bool, counter: TokenCounter, walked: list[int]
) -> Iterator[int]:
    """Tokens of each message, newest first, as far as asked for; `walked` gets the places."""
    for place in range(len(messages) - 1, -1, -1):
        if not stays(messages[place], keep_system):
            walked.append(place)
            yield counter.message(messages[place])
