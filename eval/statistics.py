"""Intervals and tests for figures that vary from run to run, with the conversation as the unit.

Probes of one conversation stand or fall together, so everything here works on one number per
scenario: the mean over its probes, each probe averaged over its replicates first. numpy does the
resampling.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

from compaction_eval.eval.resampling import flipped_means, resampled_means
from compaction_eval.eval.students_t import t_quantile, t_tail

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


def check_enough(scenarios: Sized) -> None:
    """Raise TooFewScenariosError for fewer than `FEWEST`."""
    if len(scenarios) < FEWEST:
        told = "1 scenario is" if len(scenarios) == 1 else f"{len(scenarios)} scenarios are"
        raise TooFewScenariosError(f"{told} too few for statistics; at least {FEWEST} are needed")


def mean_interval(
    differences: Sequence[float], confidence: float = CONFIDENCE, seed: int = 0
) -> Interval:
    """The mean of one number per scenario, with its interval.

    Up to `EXACT_UP_TO` scenarios: all shifts that an exact sign-flip test doesn't reject. More:
    percentiles of the means of `RESAMPLES` resamples of the scenarios (B. Efron and
    R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall 1993, chapter 13), taken
    further out, since resamples of few scenarios vary too little (T. C. Hesterberg, "What teachers
    should know about the bootstrap", The American Statistician 69 (2015), 371-386, section 5).
    TooFewScenariosError below `FEWEST`.
    """
    check_enough(differences)
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
    bootstrap means, moved to the bound, that reach it, widened like the interval, so that both say
    the same. Without any variation patterns of signs are counted, however many there are.
    TooFewScenariosError below `FEWEST`.
    """
    check_enough(differences)
    shifted = [value - bound for value in differences]
    count = len(shifted)
    if count <= EXACT_UP_TO:
        return _share_as_high(_sign_flip_sums(shifted), sum(shifted))
    mean = fmean(shifted)
    if max(shifted) - min(shifted) <= _tolerance(mean):
        return 0.5**count if mean > _tolerance(mean) else 1.0
    centred = [value - mean for value in shifted]
    means = _resampled_means(centred, seed)
    reached = int((means >= mean - _tolerance(mean)).sum())
    z = -NormalDist().inv_cdf(min(1 + reached, RESAMPLES) / (1 + RESAMPLES))
    return t_tail(z * math.sqrt((count - 1) / count), count - 1)


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


def _resampled_means(values: Sequence[float], seed: int) -> NDArray[float64]:
    import numpy as np

    return next(resampled_means(np.array([values], dtype=float), RESAMPLES, seed))


def _resampled_limits(
    samples: Sequence[Sequence[float]], confidence: float, seed: int
) -> Iterator[tuple[float, float]]:
    import numpy as np

    count = len(samples[0])
    far = math.sqrt(count / (count - 1)) * t_quantile((1 - confidence) / 2, count - 1)
    tail = NormalDist().cdf(-far)
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
