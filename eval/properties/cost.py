"""Cost: what compaction itself must not waste."""

from __future__ import annotations

from itertools import pairwise

from compaction_eval.eval.properties.judging import Judged, unless
from compaction_eval.eval.properties.trial import Trial, messages_of

ENOUGH = 4
"""Requests over the budget from which on a habit can be told."""


def no_thrash(trial: Trial) -> Judged:
    """Where a summary was made, and one at the request before."""
    for earlier, x in pairwise(trial.exchanges):
        if all(y.compaction.summary is not None and y.newly_made for y in (earlier, x)):
            what = "summarised again right after the request before, and gained nothing"
            yield x.at, unless("thrash" not in x.record.events, what)


def in_batches(trial: Trial) -> Judged:
    """Over the requests whose full history is over the budget, if there are four or more."""
    over = sum(x.record.full > trial.budget for x in trial.exchanges)
    if over < ENOUGH:
        return
    most = (over + 1) // 2
    breaks = 0
    for earlier, x in pairwise(trial.exchanges):
        if x.record.full <= trial.budget:
            continue
        last = messages_of(earlier.sent)
        broken = messages_of(x.sent)[: len(last)] != last
        breaks += broken
        what = f"{breaks} of the {over} requests over the budget change what was sent before"
        yield x.at, unless(not broken or breaks <= most, what)
