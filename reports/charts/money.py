"""What a conversation costs under each strategy, with the provider's prompt cache and without."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from operator import itemgetter
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import (
    HEAD,
    NOTE_SIZE,
    WIDTH,
    box,
    dress,
    legend,
    room,
    tall,
)
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import ROW
from compaction_eval.reports.charts.naming import full_name, row_name
from compaction_eval.reports.charts.panelling import budget_note, told_budget
from compaction_eval.reports.cost_lines import CostGroup, CostLine, choices, cost_groups
from compaction_eval.reports.cost_words import dearer_than_full, flip
from compaction_eval.reports.figures import plural, usd
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from compaction_eval.eval.cost.figures import Costs
    from compaction_eval.reports.charts.theme import Theme

RIGHT = 0.18
"""The share of the width beside the panel, where the figures stand."""
COLUMNS = (0.9, 0.98)
"""Where the columns of figures end, in shares of the width."""


def money_charts(material: Material) -> list[Chart]:
    """Bars at one budget, the cheapest first; none where nothing is priced."""
    if material.costs is None:
        return []
    groups = cost_groups(material.rows, material.costs)
    budget = told_budget(material)
    group = next((one for one in groups if one.budget == budget), None)
    if group is None:
        return []
    rows = [line.row for line in group.lines]
    every = [line.row for group in groups for line in group.lines]
    names = [row_name(row, every) for row in rows]
    lines = [
        (name, line)
        for name, line in zip(names, group.lines, strict=True)
        if line.each is not None and not material.marks.is_full_history(line.row)
    ]
    if not lines:
        return []

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, lines, group, material.marks)

    chart = Chart(
        name="money",
        title=_title(group, dict(zip(map(id, group.lines), names, strict=True)), material.marks),
        note=f"{_note(material.run_id, group, material.costs)} · {budget_note(material)}",
        columns=(
            "strategy",
            "budget",
            "usd",
            "usd_without_cache",
            "usd_of_summaries",
            "full_usd",
            "full_usd_without_cache",
            "tokens",
        ),
        data=tuple(
            (
                full_name(line.row, every),
                budget,
                _number(line.each),
                _number(line.each_without_cache),
                _number(line.summaries_each),
                _number(group.full),
                _number(group.full_without_cache),
                line.cost.tokens / line.cost.conversations,
            )
            for _, line in lines
        ),
        paint=paint,
        size=(WIDTH, tall(len(lines), ROW)),
    )
    return [chart]


def _title(group: CostGroup, names: dict[int, str], marks: Marks) -> str:
    lines, dear = choices(group, marks), dearer_than_full(group, marks)
    at = f"At {one_line(group.budget)}"
    if lines and len(dear) * 2 > len(lines):
        all_of_them = len(dear) == len(lines)
        who = (
            "every strategy costs"
            if all_of_them
            else f"{len(dear)} of {len(lines)} strategies cost"
        )
        return f"{at}, {who} more than the full history does with a prompt cache"
    found = flip(group, marks)
    if found is not None:
        few, many = found
        factor = (few.each or 0) / (many.each or 1)
        return (
            f"{at}, {names[id(few)]} takes fewer tokens than {names[id(many)]} and costs"
            f" {factor:.1f} times as much"
        )
    return f"{at}, what a conversation costs, with and without a prompt cache"


def _note(run: str, group: CostGroup, costs: Costs) -> str:
    most = max((line.cost for line in group.lines), key=lambda cost: cost.conversations)
    return (
        f"{plural(most.conversations, 'conversation')}, {plural(most.requests, 'request')} · run"
        f" {run} · {costs.prices.name} on {costs.prices.day}, {costs.prices.source}"
        f" · cache: {costs.cache.name}"
    )


def _paint(
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
    full, bare = _number(group.full), _number(group.full_without_cache)
    most = max(max(_number(line.each_without_cache), _number(line.each)) for _, line in lines)
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
    each, summaries = _number(line.each), _number(line.summaries_each)
    colour = theme.muted if control else theme.hues[0]
    ax.barh(y, each - summaries, height=0.66, color=colour, zorder=3)
    ax.barh(y, summaries, left=each - summaries, height=0.66, color=theme.hues[3], zorder=3)
    ax.plot(
        [_number(line.each_without_cache)],
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


def _number(amount: Decimal | None) -> float:
    return float(amount or 0)
