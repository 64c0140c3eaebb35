"""Points of a trade-off as they are drawn: lines of strategies, intervals, and the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from compaction_eval.eval.statistics import Interval
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    panels,
    percent_axis,
    points_wide,
    room,
    token_axis,
)
from compaction_eval.reports.charts.free_places import Spot, Words, free_place
from compaction_eval.reports.charts.labelling import LineName, name_lines
from compaction_eval.reports.charts.measures import Measure
from compaction_eval.reports.charts.theme import Look, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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


def paint_points(
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
    _name_budgets(ax, theme, points)
    names = [
        LineName(text, own[-1].tokens, own[-1].kept, looks[name].colour(theme))
        for text, (name, own) in zip(texts, ends, strict=True)
    ]
    name_lines(ax, names, size=NOTE_SIZE)


def _frontier(ax: Axes, theme: Theme, points: Sequence[Point]) -> None:
    """A band under the points that no other beats, over all budgets."""
    line = _frontier_of(points)
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


def _frontier_of(points: Sequence[Point]) -> list[Point]:
    best = sorted((one for one in points if one.frontier), key=lambda one: (one.tokens, one.kept))
    line: list[Point] = []
    for one in best:
        if not line or one.kept > line[-1].kept:
            line.append(one)
    return line


def _name_budgets(ax: Axes, theme: Theme, points: Sequence[Point]) -> None:
    """Beside the last point of each budget's frontier which budget that is, clear of the others."""
    ax.autoscale_view()  # Or places on the sheet aren't known yet.
    to_points = 72 / ax.figure.dpi
    left, low = ax.bbox.min

    def spot(tokens: float, kept: float) -> Spot:
        x, y = ax.transData.transform((tokens, kept))
        return (x - left) * to_points, (y - low) * to_points

    marks = [spot(one.tokens, one.kept) for one in points]
    by_name: dict[str, list[Spot]] = {}
    for one in sorted(points, key=lambda one: one.tokens):
        by_name.setdefault(one.name, []).append(spot(one.tokens, one.kept))
    lines = [ends for own in by_name.values() for ends in pairwise(own)]
    lines += [
        (spot(one.tokens, one.interval.low), spot(one.tokens, one.interval.high))
        for one in points
        if one.interval is not None and not one.control
    ]
    edge = (ax.bbox.width * to_points, ax.bbox.height * to_points)
    taken: list[Words] = []
    for one in {one.budget: one for one in _frontier_of(points)}.values():
        text, at = f"budget {one.budget}", spot(one.tokens, one.kept)
        size = points_wide(text, NOTE_SIZE), NOTE_SIZE
        words = free_place(at, size, marks, lines, taken, edge)
        taken.append(words)
        ax.annotate(
            text,
            xy=(one.tokens, one.kept),
            xytext=(words.x - at[0], words.y - at[1]),
            textcoords="offset points",
            fontsize=NOTE_SIZE,
            color=theme.muted,
            bbox={"facecolor": theme.background, "edgecolor": "none", "alpha": 0.7, "pad": 1},
            zorder=5,
            arrowprops={
                "arrowstyle": "-",
                "color": theme.muted,
                "linewidth": 0.6,
                "shrinkA": 0,
                "shrinkB": 5,
            },
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
