"""What is kept against what it costs: one point for each strategy and budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.statistics import Interval
from compaction_eval.reports.charts.canvas import NOTE_SIZE, panels, percent_axis, token_axis
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.labelling import LineName, name_lines
from compaction_eval.reports.charts.measures import Headline, Measure, measured, value
from compaction_eval.reports.charts.naming import evidence_note, looks_of, row_name
from compaction_eval.reports.charts.theme import Look, Theme
from compaction_eval.reports.columns import merged
from compaction_eval.reports.figures import share, tokens
from compaction_eval.reports.findings import Finding, findings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAME_GAP = 0.047
"""Of the height of a panel; what a name needs."""


@dataclass(frozen=True, slots=True)
class Point:
    """A strategy at a budget."""

    name: str
    budget: str
    tokens: float
    """Mean tokens of the view when something was asked."""
    kept: float
    interval: Interval | None
    frontier: bool
    control: bool


def tradeoff_charts(material: Material) -> list[Chart]:
    """A chart for each measure that the run has."""
    rows = merged(material.rows)
    headline = Headline(material.cells)
    return [_chart(material, rows, measure, headline) for measure in measured(rows)]


def _chart(
    material: Material, rows: Sequence[SummaryRow], measure: Measure, headline: Headline
) -> Chart:
    found = findings(rows, material.marks)
    best = {(row.strategy, row.budget, row.summarizer) for one in found for row in one.frontier}
    points = [
        Point(
            row_name(row, rows),
            row.budget,
            row.retained_tokens,
            kept,
            headline.interval(row, measure),
            (row.strategy, row.budget, row.summarizer) in best,
            material.marks.is_control(row),
        )
        for row in rows
        if (kept := value(row, measure)) is not None and row.retained_tokens is not None
    ]
    looks = looks_of(material)

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, points, measure, looks)

    return Chart(
        name=f"tradeoff-{measure.name}",
        title=_title(found, rows, measure),
        note=f"{evidence_note(material, rows)} · bars: 95% intervals over scenarios",
        columns=("strategy", "budget", "retained_tokens", measure.name, "low", "high", "frontier"),
        data=tuple(
            (
                one.name,
                one.budget,
                one.tokens,
                one.kept,
                one.interval.low if one.interval else None,
                one.interval.high if one.interval else None,
                int(one.frontier),
            )
            for one in points
        ),
        paint=paint,
    )


def _title(found: Sequence[Finding], rows: Sequence[SummaryRow], measure: Measure) -> str:
    """Who keeps most at the middle budget."""
    sound = [one for one in found if one.frontier]
    if not sound:
        return f"No strategy both keeps its budget and sends valid requests ({measure.name})"
    finding = sound[len(sound) // 2]
    top = finding.frontier[-1]
    return (
        f"At a budget of {finding.budget}, {row_name(top, rows)} keeps most:"
        f" {share(value(top, measure))} of {measure.about} for {tokens(top.retained_tokens)} tokens"
    )


def _paint(
    figure: Figure,
    theme: Theme,
    points: Sequence[Point],
    measure: Measure,
    looks: dict[str, Look],
) -> None:
    (ax,) = panels(figure, theme, [""], right=0.24)
    percent_axis(ax)
    token_axis(ax, "tokens of the view when something was asked (mean)")
    ax.set_ylabel(f"share of {measure.axis}")
    _frontier(ax, theme, points)
    ends: list[tuple[str, Point]] = []
    for name in dict.fromkeys(one.name for one in points):
        own = sorted((one for one in points if one.name == name), key=lambda one: one.tokens)
        _line(ax, theme, own, looks[name])
        ends.append((name, own[-1]))
    ax.margins(x=0.04)
    names = [
        LineName(name, point.tokens, point.kept, looks[name].colour(theme)) for name, point in ends
    ]
    name_lines(ax, names, gap=_NAME_GAP, size=NOTE_SIZE)


def _frontier(ax: Axes, theme: Theme, points: Sequence[Point]) -> None:
    """A band under the points that no other beats, over all budgets."""
    best = sorted((one for one in points if one.frontier), key=lambda one: (one.tokens, one.kept))
    line: list[Point] = []
    for one in best:
        if not line or one.kept > line[-1].kept:
            line.append(one)
    for one in {one.budget: one for one in line}.values():
        ax.annotate(
            f"budget {one.budget}",
            xy=(one.tokens, one.kept),
            xytext=(-6, 9),
            textcoords="offset points",
            fontsize=NOTE_SIZE,
            color=theme.muted,
            ha="right",
        )
    if len(line) > 1:
        ax.plot(
            [one.tokens for one in line],
            [one.kept for one in line],
            color=theme.good,
            alpha=0.18,
            linewidth=11,
            solid_capstyle="round",
            zorder=1,
            label="frontier",
        )


def _line(ax: Axes, theme: Theme, own: Sequence[Point], look: Look) -> None:
    colour = look.colour(theme)
    ax.plot(
        [one.tokens for one in own],
        [one.kept for one in own],
        marker=look.marker,
        linestyle=look.line,
        color=colour,
        linewidth=1.2 if own[0].control else 1.8,
        markersize=6.5,
        zorder=2 if own[0].control else 3,
        label=own[0].name,
    )
    for one in own:
        if one.interval is not None and not one.control:
            ax.plot(
                [one.tokens] * 2,
                [one.interval.low, one.interval.high],
                color=colour,
                linewidth=1.0,
                alpha=0.35,
                zorder=2,
            )
