"""How well one order of strategies predicts another: a rank correlation with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING

from compaction_eval.eval.resampling import resampled_means
from compaction_eval.eval.statistics import (
    CONFIDENCE,
    FEWEST,
    RESAMPLES,
    Interval,
    TooFewScenariosError,
)

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

FEWEST_STRATEGIES = 3
"""Of two strategies an order is right or wrong by a coin."""

Shares = Mapping[str, Mapping[str, float]]
"""Each strategy's own share in each scenario."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Two figures for each strategy, over the scenarios that all of them have on both sides."""

    strategies: tuple[str, ...]
    predicted: tuple[float, ...]
    real: tuple[float, ...]
    scenarios: int
    tau: float
    """Kendall's tau-b: 1 the same order, 0 no relation, -1 the reverse."""
    interval: Interval | None
    """Percentiles over resamples of the scenarios; None where they're too few."""


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b of two figures for the same things; None where one side is all the same.

    M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945), 239-251.
    """
    pairs = list(combinations(range(len(one)), 2))
    ours = [_sign(one[a] - one[b]) for a, b in pairs]
    theirs = [_sign(other[a] - other[b]) for a, b in pairs]
    untied = sum(map(abs, ours)) * sum(map(abs, theirs))
    agreement = sum(a * b for a, b in zip(ours, theirs, strict=True))
    return agreement / sqrt(untied) if untied else None


def rank(predicted: Shares, real: Shares, confidence: float = CONFIDENCE) -> Ranking:
    """The order of strategies by mean share on both sides, and how well the first tells the second.

    Only strategies on both sides count, over the scenarios that every one of them has on both.
    The interval comes from resampling scenarios (B. Efron and R. J. Tibshirani, "An Introduction to
    the Bootstrap", Chapman & Hall 1993, chapter 13), the same scenarios on both sides, since what
    makes a conversation hard makes it hard for all. A resample in which one side is all the same
    has no order and counts as 0. ValueError for fewer than three strategies;
    TooFewScenariosError without a common scenario.
    """
    names = tuple(name for name in predicted if name in real)
    if len(names) < FEWEST_STRATEGIES:
        raise ValueError(f"{len(names)} strategies are on both sides; an order needs three")
    sides = [side[name].keys() for side in (predicted, real) for name in names]
    common = [scenario for scenario in sides[0] if all(scenario in one for one in sides)]
    if not common:
        raise TooFewScenariosError("no scenario is measured for all strategies on both sides")
    ours = [[predicted[name][scenario] for scenario in common] for name in names]
    theirs = [[real[name][scenario] for scenario in common] for name in names]
    means, real_means = tuple(map(fmean, ours)), tuple(map(fmean, theirs))
    tau = kendall(means, real_means) or 0.0
    return Ranking(
        names,
        means,
        real_means,
        len(common),
        tau,
        _interval(tau, ours, theirs, confidence) if len(common) >= FEWEST else None,
    )


def _interval(
    tau: float, ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]], level: float
) -> Interval:
    import numpy as np

    resampled = [
        np.array(list(resampled_means(np.array(side), RESAMPLES, seed=0)))
        for side in (ours, theirs)
    ]
    taus = _taus(*resampled)
    outside = (1 - level) / 2
    low, high = np.quantile(taus, [outside, 1 - outside], method="inverted_cdf")
    return Interval(tau, float(low), float(high))


def _taus(one: NDArray[float64], other: NDArray[float64]) -> NDArray[float64]:
    """Tau-b of each column of two arrays with one row for each strategy."""
    import numpy as np

    first, second = np.triu_indices(len(one), 1)
    ours, theirs = (np.sign(side[first] - side[second]) for side in (one, other))
    untied = np.abs(ours).sum(axis=0) * np.abs(theirs).sum(axis=0)
    agreement = (ours * theirs).sum(axis=0)
    found: NDArray[float64] = agreement / np.sqrt(np.maximum(untied, 1))
    return found


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
