"""Trigger: whether compaction happens when it must, and only then, and is told as it was."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from compaction_eval.eval.properties.counting import request_tokens
from compaction_eval.eval.properties.judging import Judged, listed, unless
from compaction_eval.eval.properties.trial import Exchange, Trial, messages_of
from compaction_eval.strategies.base import Action
from compaction_eval.strategies.claims import same


def untouched(trial: Trial) -> Judged:
    """Where the view fitted before."""
    for x in trial.exchanges:
        if x.tokens_before <= trial.budget:
            what = f"{x.tokens_before} tokens of {trial.budget} were compacted"
            yield x.at, unless(not x.changed, what)


def fires(trial: Trial) -> Judged:
    """Where the view was over the budget and held more than what must stay: the system messages,
    the newest block, the first and the newest user message, and an earlier summary."""
    for x in trial.exchanges:
        held = {trial.first_request(x.at), trial.newest_request(x.at)} - {None}
        least = trial.least(x.at, *(at for at in held if at is not None))
        made = (one.message for one in x.before if one.kind == "made")
        if x.tokens_before > max(trial.budget, least + trial.counter.messages(made)):
            what = (
                f"{x.tokens_before} tokens for a budget of {trial.budget}, {x.record.tokens} sent"
            )
            yield x.at, unless(x.record.tokens < x.tokens_before, what)


def outcome_told(trial: Trial) -> Judged:
    """At every request."""
    for x in trial.exchanges:
        told = x.compaction.action
        reason = ""
        if told not in get_args(Action):
            reason = f"the action {told!r} is none that is known"
        elif x.changed and told == "none":
            reason = "something changed, told was `none`"
        elif not x.changed and told != "none":
            reason = f"nothing changed, told was `{told}`"
        elif told == "summarize" and not x.newly_made and not _altered_now(x):
            reason = "told was `summarize`, but no new message stands in the view"
        yield x.at, reason


def dropped_told(trial: Trial) -> Judged:
    """Where something is gone, or said to be dropped."""
    for x in trial.exchanges:
        removed, told = _removed(x), _told(x)
        if removed or told:
            reason = ""
            if removed - told:
                reason = f"{listed(removed - told)} is gone and wasn't told"
            elif told - removed:
                reason = f"{listed(told - removed)} was told as dropped and is still there"
            yield x.at, reason


def counted(trial: Trial) -> Judged:
    """At every request."""
    encoding = trial.counter.encoding_name
    for x in trial.exchanges:
        real = request_tokens(messages_of(x.sent), encoding)
        what = f"{x.record.tokens} tokens were counted, the tokenizer makes {real}"
        yield x.at, unless(x.record.tokens == real, what)


def _removed(x: Exchange) -> Counter[int]:
    """How often each message isn't sent any more; one may have stood there twice."""
    given = {id(one.message) for one in x.before}
    sent = {id(one.message) for one in x.sent}
    gone = Counter(
        one.position for one in x.before if one.kind != "made" and id(one.message) not in sent
    )
    built_anew = (
        one.position for one in x.sent if one.kind == "whole" and id(one.message) not in given
    )
    return gone - Counter(built_anew)


def _told(x: Exchange) -> Counter[int]:
    """How often each message was said to be dropped; summaries are none."""
    told: dict[int, int] = {}
    for message in x.compaction.dropped:
        entries = [*enumerate(x.before)]
        same_object = [(at, one) for at, one in entries if one.message is message]
        equal = same_object or [
            (at, one) for at, one in entries if at not in told and same(one.message, message)
        ]
        told |= {at: one.position for at, one in equal[-1:] if one.kind != "made"}
    return Counter(told.values())


def _altered_now(x: Exchange) -> bool:
    """Whether a message was altered at this request."""
    before = {id(one.message) for one in x.before}
    return any(one.kind == "altered" and id(one.message) not in before for one in x.sent)
