"""Defects of when and how far a strategy cuts: triggers, budgets, reserves, and token counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

from tests.defects.planting import Defect, Make, Patch, before, planned

from compaction_eval.eval.matrix import Budget
from compaction_eval.strategies import block_truncation, rolling_summary
from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.messages import answered_id, content_text
from compaction_eval.strategies.rolling_summary import RollingSummary
from compaction_eval.strategies.summary import wide_characters
from compaction_eval.strategies.tokens import MESSAGE_TOKENS, TokenCounter
from compaction_eval.strategies.window_summary import WindowSummary


def budget(change: Callable[[int], int]) -> Make:
    """A strategy that works with another budget than the run's."""
    return before(lambda context: replace(context, budget=change(context.budget)))


def counting(counter: type[TokenCounter]) -> Make:
    """A strategy that counts in its own way."""

    def wrap(inner: Any) -> Any:
        own = counter()
        return before(lambda context: replace(context, counter=own))(inner)

    return wrap


class ByCharacters(TokenCounter):
    """Takes each wide character for a token."""

    def text(self, text: str) -> int:
        wide = wide_characters(text)
        return wide if wide else super().text(text)


class FourLettersAToken(TokenCounter):
    """Takes four characters for a token, in any language."""

    def text(self, text: str) -> int:
        return len(text) // 4


class WithoutCalls(TokenCounter):
    """Forgets the names and arguments of calls."""

    def message(self, message: Any) -> int:
        return MESSAGE_TOKENS + self.text(content_text(message))


class WithoutFraming(TokenCounter):
    """Forgets the tokens that frame each message."""

    def message(self, message: Any) -> int:
        return super().message(message) - MESSAGE_TOKENS


LEAKED: dict[str, int] = {}
"""What the defect below remembers from one conversation to the next."""


class LeakyCounts(TokenCounter):
    """Remembers a tool answer's size under its call's id, in whatever conversation."""

    def message(self, message: Any) -> int:
        call = answered_id(message)
        if not call:
            return super().message(message)
        return LEAKED.setdefault(call, super().message(message))


def leaking(inner: Any) -> Any:
    """A strategy with leaky counts, from an empty memory at the first conversation."""
    return counting(LeakyCounts)(inner)


def forgetful(sound: Any) -> Any:
    """Nothing is remembered when a defect is planted, so that each run of it is the same."""
    LEAKED.clear()
    return sound


def never(sound: Any) -> Any:
    """A `compact` that never does anything."""
    return lambda self, messages, context: Compaction(messages)


def from_half(sound: Any) -> Any:
    """A `compact` that cuts as soon as half of the budget is used."""

    def compact(self: Any, messages: Any, context: Context) -> Compaction:
        return sound(self, messages, replace(context, budget=context.budget // 2))

    return compact


def one_too_early(sound: Any) -> Any:
    """Plans whose limit is one token too small: a view exactly at the budget is cut."""
    return lambda messages, context, plan: sound(
        messages, context, replace(plan, limit=plan.limit - 1, target=plan.target - 1)
    )


LIMITS = (
    Defect(
        "trigger-never-fires",
        "The trigger never fires, and the history grows over the budget.",
        "rolling-summary",
        patches=(Patch(RollingSummary, "compact", never),),
    ),
    Defect(
        "trigger-always-fires",
        "Every request is compacted, whatever it has.",
        "token-summary(max_tokens=60%, keep_recent_tokens=30%)",
        broken="token-summary(max_tokens=0, keep_recent_tokens=30%)",
    ),
    Defect(
        "trigger-at-half",
        "The trigger fires at half of the budget.",
        "window-summary",
        patches=(Patch(WindowSummary, "compact", from_half),),
    ),
    Defect(
        "count-trigger-late",
        "A window of messages is compacted one message late.",
        "count-summary",
        broken="count-summary(max_messages=7)",
    ),
    Defect(
        "token-trigger-late",
        "The trigger fires at a fifth more tokens than were asked for.",
        "token-summary",
        broken="token-summary(max_tokens=240)",
    ),
    Defect(
        "target-ignored",
        "Each cut goes only as far as it must, so that the next request cuts again.",
        "window-summary",
        broken="window-summary(target=1)",
    ),
    Defect(
        "reserve-ignored",
        "The reserve isn't taken off the budget.",
        "block-truncation(reserve_tokens=150)",
        broken="block-truncation",
    ),
    Defect(
        "reserve-doubled",
        "The reserve is taken off twice.",
        "rolling-summary(reserve_tokens=100)",
        broken="rolling-summary(reserve_tokens=200)",
    ),
    Defect(
        "budget-tenth-more",
        "The budget is taken for ten per cent more than it is.",
        "block-truncation",
        wrap=budget(lambda tokens: tokens * 11 // 10),
    ),
    Defect(
        "budget-tenth-less",
        "The budget is taken for ten per cent less than it is.",
        "block-truncation",
        wrap=budget(lambda tokens: tokens * 9 // 10),
    ),
    Defect(
        "budget-one-less",
        "A view that is exactly at the budget is cut.",
        "block-truncation",
        wrap=budget(lambda tokens: tokens - 1),
    ),
    Defect(
        "percentage-rounded-up",
        "A budget in per cent is rounded up instead of down.",
        "rolling-summary",
        patches=(
            Patch(
                Budget,
                "of",
                lambda sound: (
                    lambda self, tokens: (
                        self.tokens if self.share is None else ceil(self.share * tokens)
                    )
                ),
            ),
        ),
    ),
    Defect(
        "chinese-by-characters",
        "Chinese text is counted by its characters.",
        "block-truncation",
        wrap=counting(ByCharacters),
        place="counting",
    ),
    Defect(
        "four-letters-a-token",
        "Every text is taken to have a token for four characters.",
        "window-summary",
        wrap=counting(FourLettersAToken),
        place="counting",
    ),
    Defect(
        "calls-not-counted",
        "Tool calls aren't counted, only contents are.",
        "token-window",
        wrap=counting(WithoutCalls),
        place="counting",
    ),
    Defect(
        "framing-not-counted",
        "The tokens that frame each message aren't counted.",
        "rolling-summary",
        wrap=counting(WithoutFraming),
        place="counting",
    ),
    Defect(
        "counts-leak",
        "Sizes are cached by call id, so that one conversation gets another's.",
        "block-truncation",
        wrap=leaking,
        patches=(Patch(block_truncation, "cut_blocks", forgetful),),
        place="counting",
    ),
    Defect(
        "oversized-kept",
        "A message too large for the budget isn't reduced.",
        "window-summary",
        broken="window-summary(oversized=keep)",
        wants="wide-reads",
    ),
    Defect(
        "not-folded",
        "The cut view is forgotten, and the whole history is summarised at each request.",
        "rolling-summary",
        broken="rolling-summary(history=keep)",
    ),
    Defect(
        "no-room-for-summary",
        "The cut leaves no room for the summary, which is then shortened to what is left.",
        "rolling-summary",
        patches=(Patch(rolling_summary, "cut_and_summarize", planned(summary_limit=1)),),
    ),
)
