"""Each property by name, and what a trial makes of all of them."""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.eval.properties import (
    content,
    cost,
    order,
    portability,
    repeating,
    shown,
    size,
    summaries,
    trigger,
    validity,
)
from compaction_eval.eval.properties.judging import Judge
from compaction_eval.eval.properties.trial import Trial

JUDGES: Mapping[str, Judge] = {
    "valid": validity.valid,
    "whole-blocks": validity.whole_blocks,
    "pending-calls": validity.pending_calls,
    "never-empty": validity.never_empty,
    "system-first": order.system_first,
    "in-order": order.in_order,
    "request-last": order.request_last,
    "idempotent": repeating.idempotent,
    "unmutated": repeating.unmutated,
    "untouched": trigger.untouched,
    "fires": trigger.fires,
    "outcome-told": trigger.outcome_told,
    "dropped-told": trigger.dropped_told,
    "counted": trigger.counted,
    "fits": size.fits,
    "shrinks": size.shrinks,
    "oversized-reduced": size.oversized_reduced,
    "fallback-told": summaries.fallback_told,
    "no-junk": summaries.no_junk,
    "summary-marked": summaries.summary_marked,
    "summary-in-view": summaries.summary_in_view,
    "summary-survives": summaries.summary_survives,
    "all-shown": shown.all_shown,
    "only-new-shown": shown.only_new_shown,
    "one-call": summaries.one_call,
    "request-kept": content.request_kept,
    "first-request-kept": content.first_request_kept,
    "keeps": content.keeps,
    "not-poisoned": content.not_poisoned,
    "no-thrash": cost.no_thrash,
    "in-batches": cost.in_batches,
    "same-bytes": repeating.same_bytes,
    "opens-with-user": portability.opens_with_user,
    "alternates": portability.alternates,
}


def judged(trial: Trial) -> dict[str, str]:
    """Property -> empty where it held at each request to which it applies, else the first reason.

    A property that applied nowhere is absent.
    """
    verdicts: dict[str, str] = {}
    for name, judge in JUDGES.items():
        for at, reason in judge(trial):
            verdicts.setdefault(name, "")
            if reason:
                verdicts[name] = f"request before message {at}: {reason}"
                break
    return verdicts
