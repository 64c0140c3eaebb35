"""How long facts stay in view: the share still there by the age of the evidence, in tokens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from compaction_eval.eval.records import CellRecord, ProbeRecord, SummaryRow
from compaction_eval.eval.summary import scenario_shares
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    panels,
    percent_axis,
    room,
    tall,
)
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.labelling import LineName, line_height, name_lines
from compaction_eval.reports.charts.measures import Headline, Measure, led_by
from compaction_eval.reports.charts.naming import (
    evidence_note,
    full_name,
    looks_of,
    row_name,
)
from compaction_eval.reports.charts.panelling import evenly
from compaction_eval.reports.charts.theme import Look, Theme
from compaction_eval.reports.columns import merged
from compaction_eval.reports.dimensions import YOUNGEST
from compaction_eval.reports.figures import tokens

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEWEST_PROBES = 10
"""Verdicts in a band of ages below which it isn't drawn: one of them would move it too far."""
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Band:
    """One stretch of ages, each as wide as all before it."""

    start: int
    stop: int
    share: float
    probes: int

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


def ages_charts(material: Material) -> list[Chart]:
    """A chart of the views, and one of a model's answers; none where ages don't differ."""
    rows = merged(material.rows)
    charts = (_chart(material, rows, measure) for measure in led_by(rows))
    return [chart for chart in charts if chart is not None]


def _chart(material: Material, rows: Sequence[SummaryRow], measure: Measure) -> Chart | None:
    headline = Headline(material.cells)
    every = [
        Curve(
            row_name(row, rows),
            row.budget,
            _bands(headline.cells_of(row), measure),
            material.marks.is_control(row),
            full_name(row, rows),
        )
        for row in rows
        if not material.marks.is_reference(row)
    ]
    every = [curve for curve in every if curve.bands]
    if all(len(curve.bands) < 2 for curve in every):
        return None
    budgets = evenly(list(dict.fromkeys(curve.budget for curve in every)))
    curves = [curve for curve in every if curve.budget in budgets]
    looks = looks_of(material)

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, curves, budgets, measure, looks)

    return Chart(
        name="recall-by-age" if measure.of_answers else "survival-by-age",
        title=_title(curves, budgets, measure),
        note=f"{evidence_note(material, rows, measure)} · o: half-life · points with fewer than"
        f" {FEWEST_PROBES} verdicts are left out",
        columns=("strategy", "budget", "age_from", "age_to", "share", "verdicts", "half_life"),
        data=tuple(
            (one.whole_name, one.budget, band.start, band.stop - 1, band.share, band.probes, life)
            for one in curves
            for life in (one.half_life,)
            for band in one.bands
        ),
        paint=paint,
        size=(11.5, tall(len({one.name for one in curves}), line_height(NOTE_SIZE))),
    )


def _bands(cells: Sequence[CellRecord], measure: Measure) -> tuple[Band, ...]:
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
            bands.append(Band(start, stop, sum(shares.values()) / len(shares), number))
    return tuple(bands)


def _of_cell(found: Mapping[int, Sequence[ProbeRecord]], cell: CellRecord) -> Sequence[ProbeRecord]:
    return found.get(id(cell), ())


def _title(curves: Sequence[Curve], budgets: Sequence[str], measure: Measure) -> str:
    budget = budgets[len(budgets) // 2]
    own = [one for one in curves if one.budget == budget and not one.control]
    lives = [(one.half_life or math.inf, one.name) for one in own]
    if not lives:
        return f"Share of {measure.axis}, by the age of what says them"
    longest, name = max(lives)
    shortest, other = min(lives)
    what = measure.about
    if math.isinf(longest):
        never = sum(math.isinf(life) for life, _ in lives)
        who = name if never == 1 else f"{never} strategies"
        done = f"at least half of {what} at any age measured"
        verb = measure.keeps if never == 1 else measure.keep
        kept = f"At {budget}, {who} {verb} {done}"
        if math.isinf(shortest):
            return kept
        return f"{kept}; {other} has lost half by {tokens(shortest)} tokens"
    if (longest, name) == (shortest, other):
        return f"At {budget}, half of {what} are lost after {tokens(longest)} tokens with {name}"
    return (
        f"At {budget}, half of {what} are lost after {tokens(longest)} tokens with {name},"
        f" after {tokens(shortest)} with {other}"
    )


def _paint(
    figure: Figure,
    theme: Theme,
    curves: Sequence[Curve],
    budgets: Sequence[str],
    measure: Measure,
    looks: dict[str, Look],
) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    last = {one.name: one for one in curves}
    texts = [f"{one.name} ({_half(one)})" for one in last.values()]
    titles = [f"budget {budget}" for budget in budgets]
    right = room(figure, texts, NOTE_SIZE)
    axes = panels(figure, theme, titles, right=right, left=0.07)
    percent_axis(axes[0])
    axes[0].set_ylabel(f"share of {measure.axis}")
    ticks = sorted({band.stop for curve in curves for band in curve.bands})
    for ax, budget in zip(axes, budgets, strict=True):
        ax.set_xscale("log", base=2)
        ax.set_xticks(ticks)
        ax.xaxis.set_major_formatter(FuncFormatter(lambda at, _: _short(at)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.axhline(HALF, color=theme.muted, linewidth=0.8, linestyle=(0, (2, 3)))
        for curve in curves:
            if curve.budget == budget:
                look = looks[curve.name]
                ax.plot(
                    [band.middle for band in curve.bands],
                    [band.share for band in curve.bands],
                    color=look.colour(theme),
                    marker=look.marker,
                    markersize=4.5,
                    linestyle=look.line,
                    linewidth=1.2 if curve.control else 1.7,
                    label=curve.name,
                )
                _mark_half(ax, theme, curve, look)
        ax.set_xlabel("age in tokens")
    names = [
        LineName(text, one.bands[-1].middle, one.bands[-1].share, looks[one.name].colour(theme))
        for text, one in zip(texts, last.values(), strict=True)
    ]
    name_lines(axes[-1], names, size=NOTE_SIZE)


def _mark_half(ax: Axes, theme: Theme, curve: Curve, look: Look) -> None:
    """A ring where the line falls through the half."""
    life = curve.half_life
    if life is not None and curve.bands[0].share >= HALF:
        ax.plot(
            [life],
            [HALF],
            marker="o",
            markersize=6,
            markerfacecolor=theme.background,
            markeredgecolor=look.colour(theme),
            linestyle="",
            zorder=4,
        )


def _half(curve: Curve) -> str:
    """The half-life in words."""
    life = curve.half_life
    if life is None:
        return "never half"
    young = curve.bands[0].share < HALF
    return f"half {'<' * young}{_short(life)}"


def _short(number: float) -> str:
    """`250`, `1k`, `1.5k`, `64k`."""
    if number < 1000:
        return f"{number:.0f}"
    return f"{number / 1000:.1f}".removesuffix(".0") + "k"
