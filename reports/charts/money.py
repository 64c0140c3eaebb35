"""What a conversation costs under each strategy, with the provider's prompt cache and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import (
    WIDTH,
    tall,
)
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import ROW
from compaction_eval.reports.charts.money_bars import number, paint_money
from compaction_eval.reports.charts.naming import full_name, row_name
from compaction_eval.reports.charts.panelling import budget_note, told_budget
from compaction_eval.reports.cost_lines import CostGroup, choices, cost_groups
from compaction_eval.reports.cost_words import dearer_than_full, flip
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.eval.cost.figures import Costs
    from compaction_eval.reports.charts.theme import Theme


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
        paint_money(figure, theme, lines, group, material.marks)

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
                number(line.each),
                number(line.each_without_cache),
                number(line.summaries_each),
                number(group.full),
                number(group.full_without_cache),
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
