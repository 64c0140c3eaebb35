"""Portability: what other APIs than the run's want of a list of messages."""

from __future__ import annotations

from itertools import pairwise

from compaction_eval.eval.properties.judging import Judged, unless
from compaction_eval.eval.properties.trial import Standing, Trial
from compaction_eval.strategies.messages import is_system, role


def opens_with_user(trial: Trial) -> Judged:
    """Where the history itself opens with a user message, and the newest user message fits beside
    the system messages and the newest block."""
    opening = next((m for m in trial.messages if not is_system(m)), None)
    if opening is None or role(opening) != "user":
        return
    for x in trial.exchanges:
        newest = trial.newest_request(x.at)
        first = next((one for one in x.sent if not is_system(one.message)), None)
        room = newest is not None and trial.least(x.at, newest) <= trial.budget
        if first is not None and room:
            kind = role(first.message)
            held = kind == "user" or first.kind == "made"
            yield x.at, unless(held, f"the view opens with message {first.position} ({kind})")


def alternates(trial: Trial) -> Judged:
    """Where there is a summary in the view."""
    for x in trial.exchanges:
        if not x.made:
            continue
        reason = ""
        for one, two in pairwise(x.sent):
            doubled = role(one.message) == role(two.message) == "user"
            if doubled and "made" in (one.kind, two.kind) and not _was_doubled(trial, one, two):
                reason = f"{_named(one)} and {_named(two)} are two user messages in a row"
                break
        yield x.at, reason


def _was_doubled(trial: Trial, one: Standing, two: Standing) -> bool:
    """Whether the user message beside a summary had another one there in the script too."""
    if one.kind == two.kind:
        return False
    beside = two.position - 1 if one.kind == "made" else one.position + 1
    return 0 <= beside < len(trial.messages) and role(trial.messages[beside]) == "user"


def _named(one: Standing) -> str:
    return "a summary" if one.kind == "made" else f"message {one.position}"
