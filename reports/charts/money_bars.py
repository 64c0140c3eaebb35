"""Bars of money: with the cache and without, and what the full history costs."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from operator import itemgetter
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import (
    HEAD,
    NOTE_SIZE,
    box,
    dress,
    legend,
    room,
)
from compaction_eval.reports.cost_lines import CostGroup, CostLine
from compaction_eval.reports.figures import usd
from compaction_eval.reports.marks import Marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme

RIGHT = 0.18
"""The share of the width beside the panel, where the figures stand."""
COLUMNS = (0.9, 0.98)
"""Where the columns of figures end, in shares of the width."""


def paint_money(
    figure: Figure,
    theme: Theme,
    lines: Sequence[tuple[str, CostLine]],
    group: CostGroup,
    marks: Marks,
) -> None:
    left = room(figure, (name for name, _ in lines), NOTE_SIZE)
    ax = figure.add_axes(box(figure, left, RIGHT, head=HEAD + 0.75))
    dress(ax, theme)
    ax.grid(visible=False, axis="y")
    ax.grid(axis="x", color=theme.grid, linewidth=1)
    for y, (_, line) in enumerate(lines):
        _bar(ax, theme, y, line, control=marks.is_control(line.row))
    full, bare = number(group.full), number(group.full_without_cache)
    most = max(max(number(line.each_without_cache), number(line.each)) for _, line in lines)
    ax.set_xlim(0, 1.03 * max(most, full, bare))
    ax.set_ylim(len(lines) - 0.4, -0.6)
    ax.set_yticks(range(len(lines)), [name for name, _ in lines])
    ax.set_xlabel("USD for a conversation (mean)")
    _full_history(ax, theme, full, bare)
    _figures(ax, theme, [line for _, line in lines])
    ax.tick_params(axis="y", labelsize=NOTE_SIZE)
    legend(
        figure,
        theme,
        left,
        [
            ("■", theme.hues[0], "requests, with the cache"),
            ("■", theme.hues[3], "summaries"),
            ("◆", theme.ink, "all without a cache"),
        ],
    )


def _bar(ax: Axes, theme: Theme, y: int, line: CostLine, *, control: bool) -> None:
    each, summaries = number(line.each), number(line.summaries_each)
    colour = theme.muted if control else theme.hues[0]
    ax.barh(y, each - summaries, height=0.66, color=colour, zorder=3)
    ax.barh(y, summaries, left=each - summaries, height=0.66, color=theme.hues[3], zorder=3)
    ax.plot(
        [number(line.each_without_cache)],
        [y],
        marker="D",
        markersize=5.5,
        color=theme.ink,
        linestyle="none",
        zorder=5,
    )


def _full_history(ax: Axes, theme: Theme, full: float, bare: float) -> None:
    """Lines at what not compacting costs. Their names stand left of the one, right of the other."""
    named = sorted([(full, "-", "with the cache"), (bare, ":", "without")], key=itemgetter(0))
    if full == bare:
        named = [(full, "-", "with the cache and without")]
    for at, (x, style, name) in enumerate(named):
        ax.axvline(x, color=theme.ink, linewidth=1.4, linestyle=style, zorder=4)
        ax.annotate(
            f"full history {name}",
            xy=(x, 1.0),
            xycoords=("data", "axes fraction"),
            # Above the heads of the columns, into which the right one may reach.
            xytext=(4 if at else -4, 17),
            textcoords="offset points",
            ha="left" if at else "right",
            fontsize=NOTE_SIZE,
            color=theme.ink,
        )


def _figures(ax: Axes, theme: Theme, lines: Sequence[CostLine]) -> None:
    """Beside the panel: each bar's figure, and that of its diamond."""
    for place, head in zip(COLUMNS, ("with", "◆ without"), strict=True):
        _beside(ax, theme, place, -0.6, head)
    for y, line in enumerate(lines):
        for place, amount in zip(COLUMNS, (line.each, line.each_without_cache), strict=True):
            _beside(ax, theme, place, y, usd(amount))


def _beside(ax: Axes, theme: Theme, place: float, y: float, text: str) -> None:
    """A text that ends at a share of the figure's width, level with a bar or above the panel."""
    from matplotlib.transforms import blended_transform_factory

    ax.text(
        place,
        y,
        text,
        transform=blended_transform_factory(ax.figure.transFigure, ax.transData),
        ha="right",
        va="center" if y >= 0 else "bottom",
        fontsize=NOTE_SIZE,
        color=theme.ink,
    )


def number(amount: Decimal | None) -> float:
    """USD as drawn; nothing where it is not known."""
    return float(amount or 0)
