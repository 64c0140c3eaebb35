"""Points of a trade-off as they are drawn: lines of strategies, intervals, and the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from compaction_eval.eval.statistics import Interval
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    panels,
    percent_axis,
    points_wide,
    room,
    token_axis,
)
from compaction_eval.reports.charts.labelling import LINE, LineName, name_lines
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
        side, offset = _free_side(ax, one, points)
        ax.annotate(
            f"budget {one.budget}",
            xy=(one.tokens, one.kept),
            xytext=offset,
            textcoords="offset points",
            fontsize=NOTE_SIZE,
            color=theme.muted,
            ha=side,
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


def _free_side(
    ax: Axes, point: Point, points: Sequence[Point]
) -> tuple[Literal["left", "right"], tuple[float, float]]:
    """On which side of a point a few words cover fewest others: above it on the left if that will
    do. The alignment, and the offset in points."""
    low, high = min(one.tokens for one in points), max(one.tokens for one in points)
    across = ax.bbox.width / ax.figure.dpi * 72 / max(high - low, 1.0)
    up = ax.bbox.height / ax.figure.dpi * 72
    wide, tall = points_wide(f"budget {point.budget}", NOTE_SIZE), LINE * NOTE_SIZE
    sides: tuple[tuple[Literal["left", "right"], float, float], ...] = (
        ("right", -6.0, 9.0),
        ("left", 6.0, -9.0 - NOTE_SIZE),
        ("left", 6.0, 9.0),
        ("right", -6.0, -9.0 - NOTE_SIZE),
    )

    def covered(side: str, x: float, y: float) -> int:
        start = x - wide if side == "right" else x
        return sum(
            start - 4 < (one.tokens - point.tokens) * across < start + wide + 4
            and y - 5 < (one.kept - point.kept) * up < y + tall + 2
            for one in points
        )

    side, x, y = min(sides, key=lambda side: covered(*side))
    return side, (x, y)


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
