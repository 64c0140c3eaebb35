"""Budget: what is sent fits, and what is too large alone is made smaller."""

from __future__ import annotations

from compaction_eval.eval.properties.judging import Judged, unless
from compaction_eval.eval.properties.trial import Trial
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.rendering import spoken

ROOM = 48
"""Tokens that the newest message's words must have, so that they can be cut to something."""
EDGE = 12
"""Characters of a message's beginning and end that must be there."""


def fits(trial: Trial) -> Judged:
    """Where it can: the system messages and the newest block alone fit."""
    for x in trial.exchanges:
        if trial.least(x.at) <= trial.budget:
            over = x.record.tokens - trial.budget
            yield x.at, unless(over <= 0, f"{x.record.tokens} tokens, {over} over the budget")


def shrinks(trial: Trial) -> Judged:
    """Where something was changed."""
    for x in trial.exchanges:
        if x.changed:
            what = f"{x.tokens_before} tokens became {x.record.tokens}"
            yield x.at, unless(x.record.tokens <= x.tokens_before, what)


def oversized_reduced(trial: Trial) -> Judged:
    """Where system messages and the newest message alone exceed the budget, and a shorter one
    could stand beside the rest of its block."""
    for x in trial.exchanges:
        newest = trial.newest_block(x.at)
        if not newest:
            continue
        message = trial.messages[newest[-1]]
        size = trial.counter.message(message)
        words = trial.counter.text(spoken(message))
        alone = trial.script.system_floor[x.at] + size
        if alone <= trial.budget or trial.least(x.at) - words + ROOM > trial.budget:
            continue
        if not isinstance(message.get("content"), str):
            continue
        there = [one for one in x.sent if one.kind != "made" and one.position == newest[-1]]
        name = f"message {newest[-1]}"
        if not there:
            reason = f"{name} went"
        elif there[0].kind == "whole":
            reason = f"{name} has {size} tokens for a budget of {trial.budget} and stayed whole"
        else:
            reason = _cut_well(message, there[0].message, name)
        yield x.at, reason


def _cut_well(original: Message, message: Message, name: str) -> str:
    whole, words = spoken(original).strip(), spoken(message)
    if whole[:EDGE] not in words:
        return f"{name} was cut at its beginning"
    return unless(whole[-EDGE:] in words, f"{name} was cut at its end")
