"""What a conversation costs under each strategy, with the provider's prompt cache and without."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import HEAD, NOTE_SIZE, box, dress, legend, room, tall
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import ROW
from compaction_eval.reports.charts.naming import full_name, row_name
from compaction_eval.reports.charts.panelling import shown_budgets
from compaction_eval.reports.cost_lines import CostGroup, CostLine, choices, cost_groups
from compaction_eval.reports.cost_words import dearer_than_full, flip
from compaction_eval.reports.figures import plural, usd
from compaction_eval.reports.marks import Marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from compaction_eval.eval.cost.figures import Costs
    from compaction_eval.reports.charts.theme import Theme

RIGHT = 0.04
"""The share of the width that stays free beside the panel."""


def money_charts(material: Material) -> list[Chart]:
    """Bars at the middle budget, the cheapest first; none where nothing is priced."""
    if material.costs is None:
        return []
    groups = cost_groups(material.rows, material.costs)
    (budget,) = shown_budgets([line.row for group in groups for line in group.lines], 1) or [""]
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
        note=_note(material.run_id, group, material.costs),
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
        size=(11.0, tall(len(lines), ROW)),
    )
    return [chart]


def _title(group: CostGroup, names: dict[int, str], marks: Marks) -> str:
    lines, dear = choices(group, marks), dearer_than_full(group, marks)
    at = f"At a budget of {group.budget}"
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
    ax = figure.add_axes(box(figure, left, RIGHT, head=HEAD + 0.6))
    dress(ax, theme)
    ax.grid(visible=False, axis="y")
    ax.grid(axis="x", color=theme.grid, linewidth=1)
    for y, (_, line) in enumerate(lines):
        _bar(ax, theme, y, line, control=marks.is_control(line.row))
    most = max(_number(line.each_without_cache) for _, line in lines)
    full, bare = _number(group.full), _number(group.full_without_cache)
    ax.set_xlim(0, 1.08 * max(most, full, bare))
    ax.set_ylim(len(lines) - 0.4, -0.6)
    ax.set_yticks(range(len(lines)), [name for name, _ in lines])
    ax.set_xlabel("USD for a conversation (mean)")
    for x, style, name in ((full, "-", "with the cache"), (bare, ":", "without")):
        ax.axvline(x, color=theme.ink, linewidth=1.4, linestyle=style, zorder=4)
        ax.annotate(
            f"full history {name}",
            xy=(x, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(4 if x < 0.6 * max(most, bare) else -4, 3),
            textcoords="offset points",
            ha="left" if x < 0.6 * max(most, bare) else "right",
            fontsize=NOTE_SIZE,
            color=theme.ink,
        )
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
    ax.annotate(
        usd(line.each),
        xy=(each, y),
        xytext=(9, 0),
        textcoords="offset points",
        va="center",
        fontsize=NOTE_SIZE,
        color=theme.ink,
        bbox={"facecolor": theme.background, "edgecolor": "none", "pad": 0.8},
        zorder=4.5,
    )


def _number(amount: Decimal | None) -> float:
    return float(amount or 0)
