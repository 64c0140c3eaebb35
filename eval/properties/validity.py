"""Validity: what an API would refuse, or the agent could not go on with."""

from __future__ import annotations

from compaction_eval.eval.properties.judging import Judged, listed, unless
from compaction_eval.eval.properties.trial import Trial
from compaction_eval.strategies.blocks import Block
from compaction_eval.strategies.messages import answered_id, call_ids, role


def valid(trial: Trial) -> Judged:
    """Where the history itself is valid so far."""
    for x in trial.exchanges:
        if trial.valid_so_far(x.at):
            yield x.at, "; ".join(x.record.faults)


def whole_blocks(trial: Trial) -> Judged:
    """Where the history is valid so far and has a call with its results."""
    together = [block for block in trial.blocks if len(block) > 1]
    for x in trial.exchanges:
        said = [[at for at in block if at < x.at] for block in together if block[0] < x.at]
        if not said or not trial.valid_so_far(x.at):
            continue
        reason = ""
        for block in said:
            there = [at for at in block if at in x.present]
            if there and len(there) < len(block):
                lost = set(block) - set(there)
                reason = f"{listed(lost)} went, {listed(there)} of the same block stayed"
                break
        yield x.at, reason


def pending_calls(trial: Trial) -> Judged:
    """Where a call is open: its result comes later in the script, or it is the newest block's."""
    callers = [block for block in trial.blocks if call_ids(trial.messages[block[0]])]
    for x in trial.exchanges:
        newest = trial.newest_block(x.at)
        waiting = [
            block[0]
            for block in callers
            if block[0] < x.at and _is_open(trial, block, x.at, newest)
        ]
        if waiting:
            lost = [at for at in waiting if at not in x.present]
            yield x.at, unless(not lost, f"{listed(lost)} went, whose calls have no result yet")


def never_empty(trial: Trial) -> Judged:
    """Wherever there is a newest block that isn't a result without its call."""
    for x in trial.exchanges:
        newest = trial.newest_block(x.at)
        if newest and role(trial.messages[newest[0]]) not in ("tool", "function"):
            lost = [at for at in newest if at not in x.present]
            yield x.at, unless(not lost, f"{listed(lost)} of the newest block went")


def _is_open(trial: Trial, block: Block, at: int, newest: Block) -> bool:
    """Whether a call of a block has no result yet, and has one later or belongs to the newest."""
    results = {answered_id(trial.messages[place]) for place in block[1:] if place < at}
    due = set(call_ids(trial.messages[block[0]])) - results
    later = {answered_id(trial.messages[place]) for place in block[1:] if place >= at}
    return bool(due & later) or (block[0] in newest and bool(due))
