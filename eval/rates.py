"""A single rate: its interval, and what it tells against a bound, with the conversation as unit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist, fmean, variance

from compaction_eval.eval.statistics import CONFIDENCE, Interval, check_enough
from compaction_eval.eval.students_t import t_quantile

_TAIL = 0.05
"""Where the t distribution is compared with the normal one, for how much few scenarios tell."""


def wilson(successes: float, trials: float, confidence: float = CONFIDENCE) -> Interval:
    """The score interval of a single rate; trials may be an effective number.

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


def p_rate_above(share: float, trials: float, bound: float) -> float:
    """One-sided p-value against "the rate is at most `bound`", by the test that Wilson inverts.

    `bound` lies between 0 and 1, and is neither.
    """
    return NormalDist().cdf((bound - share) / math.sqrt(bound * (1 - bound) / trials))


def effective_trials(shares: Mapping[str, Mapping[str, Sequence[float]]]) -> float:
    """Independent probes that would tell as much as these do about the mean over scenarios.

    `shares` are the probes' own (each over its replicates, 0 to 1), by scenario and variant. The
    variance is that between scenarios; where it is less than that of as many independent probes,
    these are taken: E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small
    expected number of positive counts estimated from survey data", Survey Methodology 24 (1998),
    193-201. TooFewScenariosError below `FEWEST`.
    """
    check_enough(shares)
    count = len(shares)
    most = count**2 / sum(
        sum(1 / len(probes) for probes in variants.values()) / len(variants) ** 2
        for variants in shares.values()
    )
    means = [fmean(map(fmean, variants.values())) for variants in shares.values()]
    share, between = fmean(means), variance(means) / count
    if not between:
        return most
    z = NormalDist().inv_cdf(_TAIL)
    few = (-z / t_quantile(_TAIL, count - 1)) ** 2
    return min(most, share * (1 - share) / between * few)
