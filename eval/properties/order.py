"""Order: where messages stand, and what stands beside a summary."""

from __future__ import annotations

from itertools import pairwise

from compaction_eval.eval.properties.judging import Judged, listed, unless
from compaction_eval.eval.properties.trial import Trial
from compaction_eval.strategies.messages import is_system


def system_first(trial: Trial) -> Judged:
    """Where the history has a system message, or something in the view is made up."""
    systems = [at for at, message in enumerate(trial.messages) if is_system(message)]
    front = next((at for at, m in enumerate(trial.messages) if not is_system(m)), len(systems))
    for x in trial.exchanges:
        said = [at for at in systems if at < x.at]
        if not said and not x.made:
            continue
        lost = [at for at in said if at not in x.whole]
        opening = [one.position for one in x.sent[: min(front, x.at)]]
        made = [one for one in x.made if is_system(one.message)]
        reason = ""
        if lost:
            reason = f"{listed(lost)} (system) didn't stay as it was"
        elif opening != list(range(min(front, x.at))):
            reason = "the view doesn't open with the system messages"
        elif made:
            reason = "a system message was made up"
        yield x.at, reason


def in_order(trial: Trial) -> Judged:
    """At every request."""
    for x in trial.exchanges:
        positions = [one.position for one in x.sent if one.kind != "made"]
        reason = ""
        for earlier, later in pairwise(positions):
            if later <= earlier:
                twice = positions.count(later) > 1
                reason = (
                    f"message {later} stands there twice"
                    if twice
                    else f"message {later} stands after message {earlier}"
                )
                break
        yield x.at, reason


def request_last(trial: Trial) -> Judged:
    """Where there is a summary in the view, and all that was said since the newest request."""
    for x in trial.exchanges:
        newest = trial.newest_request(x.at)
        since = range(x.at if newest is None else newest, x.at)
        if not x.made or not x.whole.issuperset(since):
            continue
        places = [at for at, one in enumerate(x.sent) if one.kind == "made"]
        request = [
            at for at, one in enumerate(x.sent) if one.kind != "made" and one.position == newest
        ]
        held = newest is None or not request or max(places) < min(request)
        yield x.at, unless(held, f"a summary stands after message {newest}, the newest request")
