"""What became of each probe between two pieces of evidence, for judging and comparing alike.

A probe that one side alone has is no change; one on which a side is rightly silent is none in a
comparison's figures, which are shares of what was asked, but counts when gates are judged.
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
    pairs: Iterable[Pair],
    chosen: Callable[[Outcome], bool] | None = None,
    unasked: Sequence[Verdict] = UNASKED,
) -> Iterator[ProbeChange]:
    """The probes that were asked on both sides, by conversation in the order of the pairs.

    Cells that stand apart and values that come free are left out, as in every share. `unasked` are
    the verdicts that don't count as asked.
    """
    conversations: dict[tuple[str, str], list[Pair]] = {}
    for one in pairs:
        key = one.after.key
        conversations.setdefault((key.scenario, key.variant), []).append(one)
    for (scenario, variant), own in conversations.items():
        before = _verdicts((one.before for one in own), chosen, unasked)
        after = _verdicts((one.after for one in own), chosen, unasked)
        for (probe, place, kind), verdicts in before.items():
            now = after.get((probe, place, kind))
            if now is not None:
                yield ProbeChange(
                    scenario, variant, probe, place, kind, tuple(verdicts), tuple(now)
                )


def _verdicts(
    cells: Iterable[CellEvidence],
    chosen: Callable[[Outcome], bool] | None,
    unasked: Sequence[Verdict] = UNASKED,
) -> dict[tuple[str, str, str], list[Verdict]]:
    """The verdicts on each probe that was asked, by its name, place and kind."""
    found: dict[tuple[str, str, str], list[Verdict]] = {}
    for cell in cells:
        if cell.apart or cell.error:
            continue
        for told in cell.outcomes:
            verdict = told.verdict
            if told.free or verdict in unasked or (chosen is not None and not chosen(told)):
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
    """The change of each probe's share of the metric's verdict, by scenario and variant.

    A side that is rightly silent (`not-asked`) has all that there is to have, so a value that was
    taken back and comes up again, or one that nobody said, is a change for the worse. A probe on
    which both sides are always silent says nothing.
    """
    counted = metric.counted
    assert counted is not None
    silence = float(metric.better == "higher")

    def share(verdicts: Sequence[Verdict]) -> float:
        silent = verdicts.count("not-asked")
        return (verdicts.count(counted) + silence * silent) / len(verdicts)

    found: dict[str, dict[str, list[float]]] = {}
    mine = probe_changes(
        pairs, lambda told: metric.family(told) and chosen(told), unasked=("error",)
    )
    for one in mine:
        if {*one.before, *one.after} != {"not-asked"}:
            change = share(one.after) - share(one.before)
            found.setdefault(one.scenario, {}).setdefault(one.variant, []).append(change)
    return found


def probe_shares(
    metric: Metric, cells: Iterable[CellEvidence], chosen: Callable[[Outcome], bool]
) -> dict[str, dict[str, list[float]]]:
    """Each asked probe's share of the metric's verdict over its replicates, likewise."""
    assert metric.counted is not None
    conversations: dict[tuple[str, str], list[CellEvidence]] = {}
    for cell in cells:
        conversations.setdefault((cell.key.scenario, cell.key.variant), []).append(cell)
    found: dict[str, dict[str, list[float]]] = {}
    for (scenario, variant), own in conversations.items():
        verdicts = _verdicts(own, lambda told: metric.family(told) and chosen(told))
        shares = [one.count(metric.counted) / len(one) for one in verdicts.values()]
        if shares:
            found.setdefault(scenario, {})[variant] = shares
    return found
