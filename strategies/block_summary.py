"""Cut by blocks, then summarise what was cut, in one budget.

The order matters: the cut is certain, the summary is best effort. The cut leaves room for the new
summary, not for the old one, and what comes out is made to fit or not taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Action, Compaction, Context, PromptStyle
from compaction_eval.strategies.block_cutting import REQUEST_SHARE, BlockRules, Limits, cut_blocks
from compaction_eval.strategies.blocks import block_of
from compaction_eval.strategies.cutting import (
    Cut,
    leading,
    newest_positions,
    recent_start,
    sliceable,
    without_summary,
)
from compaction_eval.strategies.gate import gate
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import RoleChoice
from compaction_eval.strategies.rendering import Cut as TextCut
from compaction_eval.strategies.rendering import render
from compaction_eval.strategies.summarizing import (
    Attempt,
    attempt_summary,
    fitted_summary,
    insert,
    summary_position,
)
from compaction_eval.strategies.summary import SummaryPlace, summary_text
from compaction_eval.strategies.tokens import REQUEST_TOKENS

SUMMARY_SHARE = 4
"""A summary may take a quarter of what system messages and the newest block leave."""
MARKER_TOKENS = 16
"""Tokens of a summary message beside its text, at most."""
SMALLEST_SUMMARY = 32
"""Tokens; where nothing more can go and a summary would have fewer, it may use the reserve."""


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """How a strategy cuts and summarises."""

    rules: BlockRules
    limit: int
    """Tokens that a request may have: the budget less a reserve."""
    target: int
    """Tokens to which it is cut, at most the limit."""
    summary_limit: int
    """Longest summary, in wide characters."""
    role: RoleChoice
    place: SummaryPlace
    keep_recent: int | None = None
    """If given, only the newest blocks that make that many messages are kept."""
    min_tokens: int = 1
    """Dropped tokens below which no summary is made."""
    dropping: Action = "truncate"
    """What a cut without a summary is called."""
    style: PromptStyle = "rolling"
    arguments: int | None = None
    """Characters of a call's arguments that the summariser is shown; all without a number."""
    output: int | None = None
    """Characters of a tool answer that the summariser is shown; all without a number."""
    output_cut: TextCut = "head"


def cut_and_summarize(
    messages: Sequence[Message], context: Context, plan: SummaryPlan
) -> Compaction:
    """A view within the plan's limit: the newest blocks, and a summary of what went."""
    if context.count(messages) <= plan.limit:
        return Compaction(messages)
    body, old = without_summary(sliceable(messages))
    cut = _cut(body, old, context, plan)
    if not cut.dropped and (old is None or context.count(messages) <= context.budget):
        return Compaction(messages)
    made = _summarize(cut.dropped, old, context, plan)
    view, summary, reason = _with_summary(cut, old, made, context, plan)
    if made.text is not None and context.count(view) >= context.count(messages):
        # Only where nothing fits anyway, so that no room bounds the summary.
        made = Attempt(reason="the summary makes the view no smaller")
        view, summary, reason = _with_summary(cut, old, made, context, plan)
    if not cut.dropped and summary is old:
        return Compaction(messages)
    action: Action = plan.dropping if cut.blocks or cut.orphans else "reduce"
    new = made.text if made.text is not None and summary is not None else None
    return Compaction(
        view,
        "summarize" if new is not None else action,
        cut.dropped,
        summary=new,
        fallback=reason,
        blocks_dropped=cut.blocks,
        orphans_dropped=cut.orphans,
    )


def _cut(body: Sequence[Message], old: Message | None, context: Context, plan: SummaryPlan) -> Cut:
    """The cut that leaves room for a summary."""
    counter, rules = context.counter, plan.rules
    # Only leading system messages: to find others, the whole history would have to be read.
    system = context.count(body[: leading(body)]) if rules.keep_system else REQUEST_TOKENS
    newest = [body[place] for place in newest_positions(body, rules.keep_system)]
    bare = system + counter.messages(newest)
    if bare > context.budget and rules.reduce:
        bare = system  # the newest block will have to make room
    allowance = plan.summary_limit + MARKER_TOKENS if context.can_summarize else 0
    old_tokens = counter.message(old) if old is not None else 0
    room = max(plan.limit - bare, 0)
    # At least the old summary's size too, so that it can stay if the new one fails.
    reserve = max(min(allowance, room // SUMMARY_SHARE), min(old_tokens, room // 2))
    last_room = max(context.budget - bare, 0)
    bound = 0
    if plan.keep_recent is not None:
        oldest = recent_start(body, plan.keep_recent, rules.keep_system)
        bound = block_of(body, oldest)[0] if oldest is not None else 0
    return cut_blocks(
        body,
        counter,
        rules,
        Limits(
            plan.target - reserve,
            ceilings=(plan.limit - reserve, context.budget - min(old_tokens, last_room // 2)),
            budget=context.budget,
            held_limit=plan.limit // REQUEST_SHARE,
            bound=bound,
        ),
    )


def _summarize(
    dropped: Sequence[Message], old: Message | None, context: Context, plan: SummaryPlan
) -> Attempt:
    """Ask for a summary of what was dropped, where it is worth one."""
    tokens = context.counter.messages(dropped)
    if gate(tokens, context.can_summarize, plan.min_tokens) != "summarize":
        return Attempt()
    rendered = render(
        dropped,
        arguments=plan.arguments,
        output=plan.output,
        cut=plan.output_cut,
        internal_tags=plan.rules.internal_tags,
    )
    return attempt_summary(
        context,
        rendered,
        summary_text(old) if old is not None else None,
        dropped_tokens=tokens,
        limit=plan.summary_limit,
        style=plan.style,
    )


def _with_summary(
    cut: Cut, old: Message | None, made: Attempt, context: Context, plan: SummaryPlan
) -> tuple[Sequence[Message], Message | None, str | None]:
    """The view with the new summary, or with the old one; that summary, and what went wrong."""
    kept = cut.kept
    if made.text is None and old is None:
        return kept, None, made.reason
    position = summary_position(kept, plan.role, plan.place, after_first=cut.first_held)
    size = context.count(kept)
    room: int | None = plan.limit - size
    if cut.tight and plan.limit - size < SMALLEST_SUMMARY:
        room = context.budget - size
    if size > context.budget:
        room = None  # nothing can be held to the budget, so losing the summary would win nothing
    counter = context.counter
    summary: Message | None = old
    if made.text is not None:
        summary = fitted_summary(
            made.text, position.role, context.language, room=room, counter=counter
        )
    elif old is not None and room is not None and counter.message(old) > room:
        summary = fitted_summary(
            summary_text(old), position.role, context.language, room=room, counter=counter
        )
    if summary is None:
        return kept, None, "no room is left for a summary"
    return insert(kept, position.index, summary), summary, made.reason
