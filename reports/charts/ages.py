"""How long facts stay in view: the share still there by the age of the evidence, in tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.charts.age_curves import FEWEST_PROBES, HALF, Curve, bands_of
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
from compaction_eval.reports.figures import tokens

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
            bands_of(headline.cells_of(row), measure),
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
        fell = "falls below" if measure.of_answers else "has lost"
        return f"{kept}; {other} {fell} half by {tokens(shortest)} tokens"
    gone = f"half of {what} are lost"
    if measure.of_answers:
        gone = f"fewer than half of {what} are recalled"
    after = f"At {budget}, {gone} after {tokens(longest)} tokens with {name}"
    if (longest, name) == (shortest, other):
        return after
    return f"{after}, after {tokens(shortest)} with {other}"


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
