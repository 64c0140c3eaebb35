"""What became of each probe between two pieces of evidence, for judging and comparing alike.

Only probes that were asked on both sides count: one that was asked of one side alone has no change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from compaction_eval.eval.evidence import CellEvidence, Outcome
from compaction_eval.eval.metrics import Metric
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.records import Verdict
from compaction_eval.eval.verdicts import UNASKED


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
    pairs: Iterable[Pair], chosen: Callable[[Outcome], bool] | None = None
) -> Iterator[ProbeChange]:
    """The probes that were asked on both sides, by conversation in the order of the pairs.

    Cells that stand apart and values that come free are left out, as in every share.
    """
    conversations: dict[tuple[str, str], list[Pair]] = {}
    for one in pairs:
        key = one.after.key
        conversations.setdefault((key.scenario, key.variant), []).append(one)
    for (scenario, variant), own in conversations.items():
        before = _verdicts((one.before for one in own), chosen)
        after = _verdicts((one.after for one in own), chosen)
        for (probe, place, kind), verdicts in before.items():
            now = after.get((probe, place, kind))
            if now is not None:
                yield ProbeChange(
                    scenario, variant, probe, place, kind, tuple(verdicts), tuple(now)
                )


def _verdicts(
    cells: Iterable[CellEvidence], chosen: Callable[[Outcome], bool] | None
) -> dict[tuple[str, str, str], list[Verdict]]:
    """The verdicts on each probe that was asked, by its name, place and kind."""
    found: dict[tuple[str, str, str], list[Verdict]] = {}
    for cell in cells:
        if cell.apart or cell.error:
            continue
        for told in cell.outcomes:
            verdict = told.verdict
            if told.free or verdict in UNASKED or (chosen is not None and not chosen(told)):
                continue
            key = (told.probe, told.place, told.kind)
            if key in found:
                found[key].append(verdict)
            else:
                found[key] = [verdict]
    return found


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
