"""Intervals and tests for figures that vary from run to run, with the conversation as the unit.

Probes of one conversation stand or fall together, so everything here works on one number per
scenario: the mean over its probes, each probe averaged over its replicates first. numpy does the
resampling.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any

from compaction_eval.eval.resampling import flipped_means, resampled_means

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

FEWEST = 6
"""Scenarios below which nothing is said: of five, no pattern of signs is rarer than 1 in 32."""
EXACT_UP_TO = 12
"""Scenarios up to which all patterns of signs are counted (4,096 at most)."""
RESAMPLES = 10_000
_ROUNDING = 1e-9
CONFIDENCE = 0.95


class TooFewScenariosError(ValueError):
    """Fewer scenarios than anything can be said about."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval."""

    estimate: float
    low: float
    high: float


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The score interval of a single rate.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
    the American Statistical Association 22 (1927), 209-212. ValueError without trials.
    """
    if trials <= 0:
        raise ValueError("a rate needs at least one trial")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    shrunk = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / shrunk
    half = z / shrunk * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(
    differences: Sequence[float], confidence: float = CONFIDENCE, seed: int = 0
) -> Interval:
    """The mean of one number per scenario, with its interval.

    Up to `EXACT_UP_TO` scenarios: all shifts that an exact sign-flip test doesn't reject. More:
    percentiles of the means of `RESAMPLES` resamples of the scenarios (B. Efron and
    R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall 1993, chapter 13).
    TooFewScenariosError below `FEWEST`.
    """
    _enough(differences)
    (found,) = mean_intervals([differences], confidence, seed)
    assert found is not None
    return found


def mean_intervals(
    several: Sequence[Sequence[float]], confidence: float = CONFIDENCE, seed: int = 0
) -> list[Interval | None]:
    """`mean_interval` of each, in order, and much faster; None for one of fewer than `FEWEST`."""
    found: list[Interval | None] = [None] * len(several)
    by_size: dict[int, list[int]] = {}
    for at, values in enumerate(several):
        if len(values) < FEWEST:
            continue
        if min(values) == max(values):
            found[at] = Interval(values[0], values[0], values[0])
        else:
            by_size.setdefault(len(values), []).append(at)
    for size, places in by_size.items():
        limits = _exact_limits if size <= EXACT_UP_TO else _resampled_limits
        samples = [several[at] for at in places]
        for at, (low, high) in zip(places, limits(samples, confidence, seed), strict=True):
            found[at] = Interval(fmean(several[at]), low, high)
    return found


def p_above(differences: Sequence[float], bound: float = 0.0, seed: int = 0) -> float:
    """One-sided p-value against "the mean is at most `bound`"; small where it is above.

    Up to `EXACT_UP_TO` scenarios the share of all patterns of signs whose mean is at least the
    observed one (R. A. Fisher, "The Design of Experiments", 1935, section 21), else the share of
    bootstrap means, moved to the bound, that reach it. TooFewScenariosError below `FEWEST`.
    """
    _enough(differences)
    shifted = [value - bound for value in differences]
    if len(shifted) <= EXACT_UP_TO:
        return _share_as_high(_sign_flip_sums(shifted), sum(shifted))
    mean = fmean(shifted)
    centred = [value - mean for value in shifted]
    means = _resampled_means(centred, seed)
    return (1 + int((means >= mean - _tolerance(mean)).sum())) / (1 + RESAMPLES)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for being several, in the order given.

    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979), 65-70.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = highest
    return adjusted


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


def _enough(differences: Sequence[float]) -> None:
    if len(differences) < FEWEST:
        raise TooFewScenariosError(
            f"{len(differences)} scenarios are too few for statistics; at least {FEWEST} are needed"
        )


def _resampled_means(values: Sequence[float], seed: int) -> NDArray[float64]:
    import numpy as np

    return next(resampled_means(np.array([values], dtype=float), RESAMPLES, seed))


def _resampled_limits(
    samples: Sequence[Sequence[float]], confidence: float, seed: int
) -> Iterator[tuple[float, float]]:
    import numpy as np

    tail = (1 - confidence) / 2
    for means in resampled_means(np.array(samples, dtype=float), RESAMPLES, seed):
        low, high = np.quantile(means, (tail, 1 - tail))
        yield float(low), float(high)


def _exact_limits(
    samples: Sequence[Sequence[float]], confidence: float, _: int
) -> Iterator[tuple[float, float]]:
    """The shifts at which neither side of the sign-flip test is rare.

    A pattern of signs has a sum at least as high as the observed one exactly where the mean of what
    it flips is at most the shift, so the limits are order statistics of these means: J. A.
    Hartigan, "Using subsample values as typical values", Journal of the American Statistical
    Association 64 (1969), 1303-1317. ValueError for a confidence that so few can't give.
    """
    import numpy as np

    rare = math.floor((1 - confidence) / 2 * 2 ** len(samples[0]) + _ROUNDING)
    if rare < 1:
        raise ValueError(f"{len(samples[0])} scenarios give no interval of {confidence:.1%}")
    for means in flipped_means(np.array(samples, dtype=float)):
        yield float(means[rare - 1]), float(means[-rare])


def _sign_flip_sums(values: Sequence[float]) -> NDArray[float64]:
    """The sums under every pattern of signs, the observed one first."""
    import numpy as np

    sums: NDArray[float64] = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums


def _share_as_high(sums: NDArray[float64], observed: float) -> float:
    return float((sums >= observed - _tolerance(observed)).mean())


def _tolerance(value: float) -> float:
    """Sums of the same numbers in another order differ by rounding, and are no other sums."""
    return 1e-9 * max(1.0, abs(value))
