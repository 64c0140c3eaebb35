"""Shares before and after of any part of a row's probes, as one number a scenario.

The probes' verdicts are made numbers once, since many groups are cut from the same probes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from compaction_eval.eval.changes import ProbeChange
from compaction_eval.eval.clustering import design_effect
from compaction_eval.eval.records import Verdict

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ShareFigures:
    """A share on both sides, over the scenarios in the order in which they first appear."""

    before: list[float]
    after: list[float]
    probes: int
    design_effect: float
    changed: bool
    """Whether any probe's share differs."""


@dataclass(frozen=True)
class ScoredProbes:
    """The probes of one row that both sides asked."""

    probes: Sequence[ProbeChange]

    def figures(self, places: Sequence[int], counted: Verdict) -> ShareFigures:
        """The share of a verdict over the probes at these places, of which there is one at least.

        A scenario's share is the mean over its variants of the mean over their probes.
        """
        import numpy as np

        at = np.asarray(places)
        before, after = (side[at] for side in self._shares(counted))
        variants, scenario_of = self._codes
        variant = variants[at]
        asked = np.bincount(variant, minlength=len(scenario_of))
        there = np.flatnonzero(asked)
        scenario = scenario_of[there]
        own = np.bincount(scenario)
        seen = np.flatnonzero(own)

        def means(shares: NDArray[float64]) -> list[float]:
            of_variant = np.bincount(variant, shares, len(scenario_of))[there] / asked[there]
            found: list[float] = (np.bincount(scenario, of_variant)[seen] / own[seen]).tolist()
            return found

        change = after - before
        return ShareFigures(
            before=means(before),
            after=means(after),
            probes=len(at),
            design_effect=design_effect(change, scenario_of[variant]),
            changed=bool(change.any()),
        )

    def _shares(self, counted: Verdict) -> tuple[NDArray[float64], NDArray[float64]]:
        known = self._known.get(counted)
        if known is None:
            import numpy as np

            table = np.array([one.shares(counted) for one in self.probes])
            known = self._known[counted] = (table[:, 0], table[:, 1])
        return known

    @cached_property
    def _known(self) -> dict[Verdict, tuple[NDArray[float64], NDArray[float64]]]:
        return {}

    @cached_property
    def _codes(self) -> tuple[NDArray[int64], NDArray[int64]]:
        """Each probe's variant as a number, and each variant's scenario as another."""
        import numpy as np

        variants: dict[tuple[str, str], int] = {}
        scenarios: dict[str, int] = {}
        codes = []
        for one in self.probes:
            codes.append(variants.setdefault((one.scenario, one.variant), len(variants)))
            scenarios.setdefault(one.scenario, len(scenarios))
        return np.array(codes), np.array([scenarios[scenario] for scenario, _ in variants])
