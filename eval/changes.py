"""What became of each probe between two pieces of evidence, for judging and comparing alike.

Only probes that were asked on both sides count: one that was asked of one side alone has no change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from compaction_eval.eval.evidence import Outcome
from compaction_eval.eval.metrics import Metric
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.records import Verdict

UNASKED: tuple[Verdict, ...] = ("not-asked", "error")
"""Verdicts that are in no denominator."""


class ProbeChange(NamedTuple):
    """One probe at one place, with its verdicts over the replicates of both sides."""

    scenario: str
    variant: str
    probe: str
    place: str
    kind: str
    before: tuple[Verdict, ...]
    after: tuple[Verdict, ...]

    def shares(self, counted: Verdict) -> tuple[float, float]:
        """The share of a verdict before and after, 0 to 1."""
        return (
            self.before.count(counted) / len(self.before),
            self.after.count(counted) / len(self.after),
        )


def probe_changes(
    pairs: Sequence[Pair], chosen: Callable[[Outcome], bool] = lambda _: True
) -> Iterator[ProbeChange]:
    """The probes that were asked on both sides, in the order in which they first appear.

    Cells that stand apart and values that come free are left out, as in every share.
    """
    known: dict[tuple[str, str, str, str], tuple[str, list[Verdict], list[Verdict]]] = {}
    for one in pairs:
        for side, cell in enumerate((one.before, one.after)):
            if cell.apart or cell.error:
                continue
            scenario, variant = cell.key.scenario, cell.key.variant
            for told in cell.outcomes:
                if told.free or told.verdict in UNASKED or not chosen(told):
                    continue
                key = (scenario, variant, told.probe, told.place)
                seen = known.get(key)
                if seen is None:
                    seen = known[key] = (told.kind, [], [])
                seen[1 + side].append(told.verdict)  # type: ignore[union-attr]  # 1 and 2 are lists
    for key, (kind, before, after) in known.items():
        if before and after:
            yield ProbeChange(*key, kind, tuple(before), tuple(after))


def changes(
    metric: Metric, pairs: Sequence[Pair], chosen: Callable[[Outcome], bool]
) -> dict[str, dict[str, list[float]]]:
    """The change of each probe's share of the metric's verdict, by scenario and variant."""
    assert metric.counted is not None
    found: dict[str, dict[str, list[float]]] = {}
    for one in probe_changes(pairs, lambda told: metric.family(told) and chosen(told)):
        before, after = one.shares(metric.counted)
        found.setdefault(one.scenario, {}).setdefault(one.variant, []).append(after - before)
    return found


def mean_by_scenario(values: dict[str, dict[str, list[float]]]) -> list[float]:
    """One number a scenario: the mean over its variants of the mean over their probes."""
    return [fmean(map(fmean, variants.values())) for variants in values.values()]
