"""What is kept against what it costs: one point for each strategy and budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.statistics import FEWEST, Interval
from compaction_eval.reports.best_words import best_title
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    panels,
    percent_axis,
    room,
    tall,
    token_axis,
)
from compaction_eval.reports.charts.chart import Chart, Material, Value
from compaction_eval.reports.charts.labelling import LineName, line_height, name_lines
from compaction_eval.reports.charts.measures import (
    Headline,
    Measure,
    RowKey,
    measured,
    value,
)
from compaction_eval.reports.charts.naming import (
    evidence_note,
    full_name,
    looks_of,
    row_name,
)
from compaction_eval.reports.charts.theme import Look, Theme
from compaction_eval.reports.columns import merged
from compaction_eval.reports.findings import findings, middle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCALE = ("empty", "none")
"""Controls between which recall is read."""


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
    whole_name: str = ""
    normalised: float | None = None
    """Recall between that of `empty` (0) and that of `none` (1)."""
    reference: bool = False
    """Whether it bounds the scale of recall."""
    unsound: bool = False
    """Whether the API would refuse some of its requests, or they exceed the budget."""


def tradeoff_charts(material: Material) -> list[Chart]:
    """A chart for each measure that the run has."""
    rows = merged(material.rows)
    headline = Headline(material.cells)
    return [_chart(material, rows, measure, headline) for measure in measured(rows)]


def _chart(
    material: Material, rows: Sequence[SummaryRow], measure: Measure, headline: Headline
) -> Chart:
    found = findings(rows, material.marks, headline, measure.name)
    best = {_key(row) for one in found for row in one.frontier}
    unsound = {_key(row) for one in found for row in one.unsound}
    there = [
        (row, kept, row.retained_tokens)
        for row in rows
        if (kept := value(row, measure)) is not None and row.retained_tokens is not None
    ]
    points = [
        Point(
            row_name(row, rows),
            row.budget,
            size,
            kept,
            headline.interval(row, measure),
            _key(row) in best,
            material.marks.is_control(row),
            full_name(row, rows),
            headline.normalised(row, rows, material.marks) if measure.of_answers else None,
            material.marks.registered_name(row.strategy) in SCALE,
            _key(row) in unsound,
        )
        for row, kept, size in there
    ]
    looks = looks_of(material)

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, points, measure, looks)

    columns: tuple[str, ...] = (
        "strategy",
        "budget",
        "retained_tokens",
        measure.name,
        "low",
        "high",
        "frontier",
    )
    answered: list[tuple[Value, ...]] = [() for _ in points]
    if measure.of_answers:
        columns += ("normalised", "answers", "no_answer")
        answered = [
            (one.normalised, row.answers, row.answer_errors)
            for one, (row, *_) in zip(points, there, strict=True)
        ]
    return Chart(
        name=f"tradeoff-{measure.name}",
        title=best_title(middle(found), rows, row_name),
        note=" · ".join(_notes(material, [row for row, *_ in there], measure, points)),
        columns=columns,
        data=tuple(
            (
                one.whole_name,
                one.budget,
                one.tokens,
                one.kept,
                one.interval.low if one.interval else None,
                one.interval.high if one.interval else None,
                int(one.frontier),
                *more,
            )
            for one, more in zip(points, answered, strict=True)
        ),
        paint=paint,
        size=(10.0, tall(len({one.name for one in points}), line_height(NOTE_SIZE))),
    )


def _key(row: SummaryRow) -> RowKey:
    return row.strategy, row.budget, row.summarizer


def _notes(
    material: Material, rows: Sequence[SummaryRow], measure: Measure, points: Sequence[Point]
) -> list[str]:
    notes = [evidence_note(material, rows, measure)]
    if any(one.interval for one in points):
        notes.append("bars: 95% intervals over scenarios")
    else:
        notes.append(f"no intervals: fewer than {FEWEST} scenarios")
    if any(one.unsound for one in points):
        notes.append("hollow: refused by the API or over budget")
    if measure.of_answers:
        scaled = any(one.normalised is not None for one in points)
        notes.append(
            "norm.: 0% is empty, 100% is none, over what all three answered"
            if scaled
            else "not normalised: none answers no more than empty, or one is missing"
        )
    return notes


def _paint(
    figure: Figure,
    theme: Theme,
    points: Sequence[Point],
    measure: Measure,
    looks: dict[str, Look],
) -> None:
    ends: list[tuple[str, list[Point]]] = [
        (name, sorted((one for one in points if one.name == name), key=lambda one: one.tokens))
        for name in dict.fromkeys(one.name for one in points)
    ]
    texts = [
        name
        if (last := own[-1]).normalised is None
        else f"{name} (norm. {100 * last.normalised:.0f}%)"
        for name, own in ends
    ]
    (ax,) = panels(figure, theme, [""], right=room(figure, texts, NOTE_SIZE))
    percent_axis(ax)
    token_axis(ax, "tokens of the view when something was asked (mean)")
    ax.set_ylabel(f"share of {measure.axis}")
    if measure.of_answers:
        for level in {one.kept for one in points if one.reference}:
            ax.axhline(level, color=theme.muted, linewidth=0.8, linestyle=(0, (2, 3)), zorder=1)
    _frontier(ax, theme, points)
    for name, own in ends:
        _line(ax, theme, own, looks[name])
    ax.margins(x=0.04)
    names = [
        LineName(text, own[-1].tokens, own[-1].kept, looks[name].colour(theme))
        for text, (name, own) in zip(texts, ends, strict=True)
    ]
    name_lines(ax, names, size=NOTE_SIZE)


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
            bbox={"facecolor": theme.background, "edgecolor": "none", "alpha": 0.7, "pad": 1},
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
        if one.unsound:
            ax.plot(
                [one.tokens],
                [one.kept],
                marker=look.marker,
                markerfacecolor=theme.background,
                markeredgecolor=colour,
                markersize=6.5,
                zorder=3,
            )
        if one.interval is not None and not one.control:
            ax.plot(
                [one.tokens] * 2,
                [one.interval.low, one.interval.high],
                color=colour,
                linewidth=1.0,
                alpha=0.35,
                zorder=2,
            )
