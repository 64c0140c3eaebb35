"""What is said where a run and a baseline can't be compared, and what can be said all the same."""

from __future__ import annotations

from collections.abc import Iterator

from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.pairing import Pair, flips, pair
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gate_text import MOST, loss_line
from compaction_eval.reports.losses import losses
from compaction_eval.strategies.errors import ConfigurationError


def refuse_other(evidence: Evidence, baseline: Evidence | None, run: Run, bless: str) -> None:
    """Raise ConfigurationError for what can't be compared, with the command that mends it."""
    reasons = obstacles(baseline, evidence) if baseline is not None else []
    if baseline is None or not reasons or evidence.incomplete:
        return
    lines = [f"can't be compared: {reason}" for reason in reasons]
    lines += _rest(evidence, baseline, run)
    raise ConfigurationError("\n".join([*lines, f"If that is meant, bless this run: {bless}"]))


def _rest(evidence: Evidence, baseline: Evidence, run: Run) -> Iterator[str]:
    """Losses in scenarios that are the same, which a new baseline would bless unseen."""
    kept = _unchanged(evidence, baseline)
    if not kept or evidence.live or baseline.live:
        return
    worse = losses([flip for flip in flips(kept) if flip.worse], run)
    number = len({one.after.key.scenario for one in kept})
    those = plural(number, "scenario that is as it was", "scenarios that are as they were")
    if not worse:
        yield f"Of the {those}, no verdict got worse."
        return
    yield f"Of the {those}, {plural(len(worse), 'verdict')} got worse:"
    yield from map(loss_line, worse[:MOST])
    if len(worse) > MOST:
        yield f"… and {len(worse) - MOST:,} more"


def _unchanged(evidence: Evidence, baseline: Evidence) -> list[Pair]:
    """The cells of scenarios with the same contents; none where all was measured otherwise."""
    if evidence.circumstances != baseline.circumstances:
        return []
    digests = {(one.id, one.variant): one.digest for one in baseline.scenarios}
    same = {
        (one.id, one.variant)
        for one in evidence.scenarios
        if digests.get((one.id, one.variant)) == one.digest
    }
    found = pair(baseline, evidence).pairs
    return [one for one in found if (one.after.key.scenario, one.after.key.variant) in same]
