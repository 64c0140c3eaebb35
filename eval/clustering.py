"""How much the probes of one conversation resemble each other, and how few they make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Clustering:
    """How much the probes of one conversation resemble each other."""

    probes: int
    scenarios: int
    design_effect: float
    """Variance of the mean over that of as many independent probes; 1 where nothing varies."""

    @property
    def effective_probes(self) -> float:
        """Independent probes that would tell as much."""
        return self.probes / self.design_effect


def clustering(by_scenario: Mapping[str, Sequence[float]]) -> Clustering:
    """The design effect of numbers that come in scenarios.

    L. Kish, "Survey Sampling", Wiley 1965, section 5.4: the variance of the pooled mean when whole
    scenarios are drawn, over that when single numbers are; never below 1 / (numbers per scenario).
    """
    import numpy as np

    sizes = [len(group) for group in by_scenario.values()]
    values = np.array([value for group in by_scenario.values() for value in group], dtype=float)
    effect = design_effect(values, np.repeat(np.arange(len(sizes)), sizes))
    return Clustering(len(values), len(sizes), effect)


def design_effect(values: NDArray[float64], scenarios: NDArray[Any]) -> float:
    """The same of values with the number of the scenario of each; 1 where nothing varies."""
    import numpy as np

    count = len(values)
    if not count or not (values != values[0]).any():
        return 1.0
    clusters = np.count_nonzero(np.bincount(scenarios))
    if clusters < 2:
        return 1.0
    off = values - values.mean()
    alone = float((off**2).sum()) / (count - 1) / count
    sums = np.bincount(scenarios, off)
    together = clusters / (clusters - 1) * float((sums**2).sum()) / count**2
    return max(together / alone, clusters / count)
