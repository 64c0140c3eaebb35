"""What became of each probe between two pieces of evidence, its repeats averaged first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from compaction_eval.eval.evidence import CellEvidence, Outcome
from compaction_eval.eval.metrics import Metric, outcomes_of
from compaction_eval.eval.pairing import Pair


def asked_of(cell: CellEvidence, chosen: Callable[[Outcome], bool]) -> list[Outcome]:
    """The verdicts of a cell that are in a share's denominator, of those that are chosen."""
    found = outcomes_of(cell, chosen)
    return [one for one in found if one.verdict not in ("not-asked", "error")]


def probe_changes(
    metric: Metric, pairs: Sequence[Pair], chosen: Callable[[Outcome], bool]
) -> dict[str, dict[str, list[float]]]:
    """Of each probe the change of its share over repeats, by scenario and variant.

    Only probes that were asked on both sides count.
    """
    shares: dict[tuple[str, str, str, str], tuple[list[bool], list[bool]]] = {}
    for one in pairs:
        for side, cell in enumerate((one.before, one.after)):
            if cell.apart:
                continue
            for outcome in asked_of(cell, lambda o: metric.family(o) and chosen(o)):
                key = (cell.key.scenario, cell.key.variant, outcome.probe, outcome.place)
                seen = shares.setdefault(key, ([], []))
                seen[side].append(outcome.verdict == metric.counted)
    changes: dict[str, dict[str, list[float]]] = {}
    for (scenario, variant, _, _), (before, after) in shares.items():
        if before and after:
            change = fmean(after) - fmean(before)
            changes.setdefault(scenario, {}).setdefault(variant, []).append(change)
    return changes
