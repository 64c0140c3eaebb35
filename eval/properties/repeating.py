"""Idempotence: what is done once isn't done again, and nothing is done to what was handed in."""

from __future__ import annotations

from compaction_eval.eval.properties.judging import Judged, unless
from compaction_eval.eval.properties.trial import Trial
from compaction_eval.strategies.messages import Message


def idempotent(trial: Trial) -> Judged:
    """At every request."""
    for x in trial.exchanges:
        yield x.at, x.again


def same_bytes(trial: Trial) -> Judged:
    """Where a message is shortened that was shortened at an earlier request too, and was in the
    newest block at neither."""
    earlier: dict[int, Message] = {}
    for x in trial.exchanges:
        newest = trial.newest_block(x.at)
        altered = [o for o in x.sent if o.kind == "altered" and o.position not in newest]
        again = [one for one in altered if one.position in earlier]
        if again:
            other = [one.position for one in again if one.message != earlier[one.position]]
            what = f"message {other[0]} reads differently than before" if other else ""
            yield x.at, unless(not other, what)
        earlier.update((one.position, one.message) for one in altered)


def unmutated(trial: Trial) -> Judged:
    """At every request."""
    for x in trial.exchanges:
        yield x.at, x.mutated
