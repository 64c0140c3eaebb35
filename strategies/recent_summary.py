"""Replacing older messages by a summary, as those do that know neither blocks nor budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context, PromptStyle
from compaction_eval.strategies.cutting import cut_before
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import RoleChoice
from compaction_eval.strategies.rendering import render
from compaction_eval.strategies.summarizing import attempt_summary, insert, summary_position
from compaction_eval.strategies.summary import SummaryPlace, summary_message, summary_text


@dataclass(frozen=True, slots=True)
class RecentPlan:
    """How a strategy summarises what comes before its recent messages."""

    keep_system: bool
    whole_blocks: bool
    role: RoleChoice
    place: SummaryPlace
    summary_limit: int
    """Longest summary, in wide characters."""
    style: PromptStyle


def replace_older(
    messages: Sequence[Message],
    old: Message | None,
    bound: int,
    context: Context,
    plan: RecentPlan,
    otherwise: Callable[[int], str] | None = None,
) -> Compaction | None:
    """Drop what comes before the place `bound` and add a summary of it; nothing if nothing does.

    `messages` are without the summary so far, `old`. If no new one is made, the text `otherwise`
    stands in its place, made of the number of dropped messages; without `otherwise` the old one.
    """
    cut = cut_before(messages, bound, keep_system=plan.keep_system, whole_blocks=plan.whole_blocks)
    if not cut.dropped:
        return None
    made = attempt_summary(
        context,
        render(cut.dropped, keep_internal=True),
        summary_text(old) if old is not None else None,
        dropped_tokens=context.counter.messages(cut.dropped),
        limit=plan.summary_limit,
        style=plan.style,
    )
    text = made.text if made.text is not None or otherwise is None else otherwise(len(cut.dropped))
    view, note = cut.kept, old
    position = summary_position(view, plan.role, plan.place)
    if text is not None:
        note = summary_message(text, role=position.role, language=context.language)
    if note is not None:
        view = insert(view, position.index, note)
    return Compaction(
        view,
        "truncate" if made.text is None else "summarize",
        cut.dropped,
        summary=made.text,
        fallback=made.reason,
    )
