"""Which shares are shown to differ from one of them, with the conversation as the unit.

Two strategies replay the same conversations, so what counts is their difference in each: it varies
far less than the shares themselves, whose intervals may overlap where the difference is plain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from compaction_eval.eval.statistics import CONFIDENCE, EXACT_UP_TO, FEWEST, holm, p_above

LEVEL = (1 - CONFIDENCE) / 2
"""Of each side, so that a difference is shown where its 95% interval leaves out nothing."""
Shares = Mapping[str, float]
"""Share by scenario."""


def told_apart(one: Shares, others: Sequence[Shares]) -> list[int]:
    """Of each other share -1 where it is shown to be lower than `one`, 1 where higher, else 0.

    By the mean difference over the scenarios that both have, at a joint level: the p-values are
    adjusted for being several (Holm). With `one` the highest of all, those at 0 are the set that
    holds the best with 95% confidence: J. C. Hsu, "Constrained simultaneous confidence intervals
    for multiple comparisons with the best", The Annals of Statistics 12 (1984), 1136-1144.
    """
    signs, p_values = [], []
    for other in others:
        differences = [other[scenario] - one[scenario] for scenario in one if scenario in other]
        mean = fmean(differences) if differences else 0.0
        signs.append((mean > 0) - (mean < 0))
        p_values.append(_p_value([signs[-1] * value for value in differences]))
    return [
        sign if p_value <= LEVEL else 0 for sign, p_value in zip(signs, holm(p_values), strict=True)
    ]


def _p_value(differences: Sequence[float]) -> float:
    """Of "the mean is at most 0"; 1 where fewer than `FEWEST` scenarios differ at all.

    Scenarios in which nothing differs have no sign to flip, and a bootstrap would take many of them
    for evidence.
    """
    moved = [value for value in differences if value]
    if len(moved) < FEWEST:
        return 1.0
    return p_above(moved if len(moved) <= EXACT_UP_TO else differences)
