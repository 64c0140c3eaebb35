"""The share of facts still there by the age of their evidence in tokens, and its half-life."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from compaction_eval.eval.records import CellRecord, ProbeRecord
from compaction_eval.eval.summary import scenario_shares
from compaction_eval.reports.charts.measures import Measure
from compaction_eval.reports.dimensions import YOUNGEST

FEWEST_PROBES = 10
"""Verdicts in a band of ages below which it isn't drawn: one of them would move it too far."""
FEW_PROBES = 30
"""Verdicts below which a band is drawn small."""
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Band:
    """One stretch of ages, each as wide as all before it."""

    start: int
    stop: int
    share: float
    probes: int
    by_scenario: Mapping[str, float] = field(default_factory=dict)
    """What the share is the mean of."""

    @property
    def rests_on_few(self) -> bool:
        """Whether a handful of verdicts move it far."""
        return self.probes < FEW_PROBES

    @property
    def middle(self) -> float:
        """Where it is drawn: the middle by ratio, in tokens."""
        return math.sqrt(max(self.start, YOUNGEST / 2) * self.stop)


@dataclass(frozen=True, slots=True)
class Curve:
    """A row's bands, youngest first."""

    name: str
    budget: str
    bands: tuple[Band, ...]
    control: bool
    whole_name: str = ""
    usable: bool = True
    """Whether titles may name it."""

    @property
    def stretches(self) -> list[tuple[Band, ...]]:
        """The bands in runs without a gap between their ages."""
        found: list[tuple[Band, ...]] = []
        for band in self.bands:
            if found and found[-1][-1].stop == band.start:
                found[-1] += (band,)
            else:
                found.append((band,))
        return found

    @property
    def half_life(self) -> float | None:
        """The age in tokens at which the share first falls below a half; None if it never does.

        Between two bands it is read off the straight line on the chart, whose ages are doublings.
        Where the youngest band is below already, its end is given: it is no more than that.
        """
        if self.bands and self.bands[0].share < HALF:
            return float(self.bands[0].stop)
        for before, after in zip(self.bands, self.bands[1:], strict=False):
            if after.share < HALF:
                part = (before.share - HALF) / (before.share - after.share)
                return float(before.middle * (after.middle / before.middle) ** part)
        return None


def bands_of(cells: Sequence[CellRecord], measure: Measure) -> tuple[Band, ...]:
    """Mean over scenarios of the scenario's own share in each band of ages."""
    by_age: dict[int, dict[int, list[ProbeRecord]]] = {}
    for cell in cells:
        for probe in measure.chosen(cell):
            if probe.age_tokens is not None and probe.verdict not in ("error", "not-asked"):
                doublings = max(0, (probe.age_tokens // YOUNGEST).bit_length())
                by_age.setdefault(doublings, {}).setdefault(id(cell), []).append(probe)
    bands = []
    for doublings, found in sorted(by_age.items()):
        number = sum(map(len, found.values()))
        shares = scenario_shares(cells, partial(_of_cell, found))
        if number >= FEWEST_PROBES and shares:
            start = YOUNGEST * 2 ** (doublings - 1) if doublings else 0
            stop = YOUNGEST * 2**doublings
            mean = sum(shares.values()) / len(shares)
            bands.append(Band(start, stop, mean, number, shares))
    return tuple(bands)


def _of_cell(found: Mapping[int, Sequence[ProbeRecord]], cell: CellRecord) -> Sequence[ProbeRecord]:
    return found.get(id(cell), ())
