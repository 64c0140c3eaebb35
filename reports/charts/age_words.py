"""How long what was said lasts, as a title: who is shown to keep half of it, and who isn't."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.telling_apart import told_apart
from compaction_eval.reports.best_words import listed
from compaction_eval.reports.charts.age_curves import HALF, Curve
from compaction_eval.reports.charts.measures import Measure
from compaction_eval.reports.figures import tokens
from compaction_eval.reports.printable import one_line


def ages_title(curves: Sequence[Curve], budget: str, measure: Measure) -> str:
    """Of the usable strategies at a budget: those that keep more than half at each age measured,
    and those that keep less than half at some age, as far as that is more than chance.

    All bands of all these curves are judged together (`told_apart` from a half).
    """
    at, what = f"At {one_line(budget)}", f"half of {measure.about}"
    own = [one for one in curves if one.budget == budget and one.usable and one.bands]
    if not own:
        return f"{at}, share of {measure.axis}, by the age of what says them"
    signs = _against_half(own)
    firm = [one.name for one, found in zip(own, signs, strict=True) if min(found) == 1]
    lost = sorted(
        (one.bands[found.index(-1)].start, one.bands[found.index(-1)].stop, one.name)
        for one, found in zip(own, signs, strict=True)
        if -1 in found
    )
    if not firm and not lost:
        return f"{at}, no usable strategy is shown to {measure.keep} more or less than {what}"
    parts = []
    if firm:
        verb = measure.keeps if len(firm) == 1 else measure.keep
        names = listed(firm[: 2 if len(firm) == 2 else 1], len(firm))
        parts.append(f"{names} {verb} more than {what} at any age measured")
    if lost:
        start, stop, _ = lost[0]
        first = [name for low, _, name in lost if low == start]
        verb = measure.keeps if len(first) == 1 else measure.keep
        names = listed(first[: 2 if len(first) == 2 else 1], len(first))
        less = f"less than {'half' if firm else what}"
        told = f"{names} {verb} {less} at an age of {tokens(start)} to {tokens(stop)} tokens"
        if len(lost) > len(first):
            told += f", {len(lost) - len(first):,} more at a greater age"
        parts.append(told)
    return f"{at}, {'; '.join(parts)}"


def _against_half(curves: Sequence[Curve]) -> list[list[int]]:
    """Of each curve's bands 1 where they are shown to lie above a half, -1 where below, else 0."""
    shares = [band.by_scenario for curve in curves for band in curve.bands]
    half = {scenario: HALF for one in shares for scenario in one}
    signs = iter(told_apart(half, shares))
    return [[next(signs) for _ in curve.bands] for curve in curves]
