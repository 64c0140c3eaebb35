"""Survival over the budget, a line for each strategy, with the area under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    panels,
    percent_axis,
    room,
    tall,
)
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.labelling import LineName, line_height, name_lines
from compaction_eval.reports.charts.measures import Measure, led_by, value
from compaction_eval.reports.charts.naming import (
    evidence_note,
    full_name,
    looks_of,
    row_name,
)
from compaction_eval.reports.charts.theme import Look, Theme
from compaction_eval.reports.columns import merged
from compaction_eval.reports.figures import share
from compaction_eval.scenarios.budgets import Budget

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Sweep:
    """One strategy over its budgets, smallest first."""

    name: str
    budgets: tuple[str, ...]
    sizes: tuple[float, ...]
    """Tokens, or per cent."""
    shares: tuple[float, ...]
    control: bool
    whole_name: str = ""

    @property
    def area(self) -> float:
        """Mean share over the budgets from the smallest to the largest, by trapezoids."""
        if len(self.sizes) < 2:
            return self.shares[0]
        total = sum(
            (right - left) * (low + high) / 2
            for left, right, low, high in zip(
                self.sizes, self.sizes[1:], self.shares, self.shares[1:], strict=False
            )
        )
        return total / (self.sizes[-1] - self.sizes[0])


def sweep_charts(material: Material) -> list[Chart]:
    """A chart of the views, and one of a model's answers; none with fewer than two budgets of a
    kind."""
    rows = merged(material.rows)
    kinds = {row.budget.endswith("%") for row in rows}
    if len(kinds) != 1 or len({row.budget for row in rows}) < 2:
        return []
    unit = "% of the full history" if True in kinds else " tokens"
    charts = (_chart(material, rows, measure, unit) for measure in led_by(rows))
    return [chart for chart in charts if chart is not None]


def _chart(
    material: Material, rows: Sequence[SummaryRow], measure: Measure, unit: str
) -> Chart | None:
    sweeps = _sweeps(material, rows, measure)
    if not sweeps:
        return None
    looks = looks_of(material)

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, sweeps, measure, looks, unit)

    return Chart(
        name=f"budget-sweep{measure.suffix}",
        title=_title(sweeps, measure),
        note=f"{evidence_note(material, rows, measure)} · area: mean share over the budgets shown",
        columns=("strategy", "budget", measure.name, "area"),
        data=tuple(
            (one.whole_name, budget, kept, one.area)
            for one in sweeps
            for budget, kept in zip(one.budgets, one.shares, strict=True)
        ),
        paint=paint,
        size=(10.0, tall(len(sweeps), line_height(NOTE_SIZE))),
    )


def _sweeps(material: Material, rows: Sequence[SummaryRow], measure: Measure) -> list[Sweep]:
    by_name: dict[str, list[SummaryRow]] = {}
    for row in rows:
        if value(row, measure) is not None:
            by_name.setdefault(row_name(row, rows), []).append(row)
    found = []
    for name, own in by_name.items():
        own.sort(key=lambda row: _size(row.budget))
        found.append(
            Sweep(
                name,
                tuple(row.budget for row in own),
                tuple(_size(row.budget) for row in own),
                tuple(value(row, measure) or 0.0 for row in own),
                any(material.marks.is_control(row) for row in own),
                full_name(own[0], rows),
            )
        )
    return found


def _size(label: str) -> float:
    budget = Budget.parse(label)
    return float(budget.tokens or 0) if budget.share is None else float(100 * budget.share)


def _title(sweeps: Sequence[Sweep], measure: Measure) -> str:
    own = [one for one in sweeps if not one.control] or list(sweeps)
    best = max(own, key=lambda one: one.area)
    steepest = max(own, key=lambda one: one.shares[-1] - one.shares[0])
    gain = steepest.shares[-1] - steepest.shares[0]
    mean = f"{share(best.area)} on average"
    told = f"Over these budgets {best.name} {measure.keeps} most of {measure.about}: {mean}"
    if gain <= 0:
        return told
    also = ", and" if steepest is best else f"; {steepest.name}"
    return (
        f"{told}{also} gains most from room, {share(steepest.shares[0])} to"
        f" {share(steepest.shares[-1])}"
    )


def _paint(
    figure: Figure,
    theme: Theme,
    sweeps: Sequence[Sweep],
    measure: Measure,
    looks: dict[str, Look],
    unit: str,
) -> None:
    texts = [f"{one.name} (area {100 * one.area:.0f}%)" for one in sweeps]
    (ax,) = panels(figure, theme, [""], right=room(figure, texts, NOTE_SIZE))
    percent_axis(ax)
    ax.set_ylabel(f"share of {measure.axis}")
    ax.set_xlabel(f"budget in{unit}" if unit.startswith(" ") else f"budget, {unit}")
    for one in sweeps:
        look = looks[one.name]
        ax.plot(
            one.sizes,
            one.shares,
            color=look.colour(theme),
            marker=look.marker,
            linestyle=look.line,
            linewidth=1.2 if one.control else 1.8,
            markersize=6,
            label=one.name,
        )
    sizes = sorted({size for one in sweeps for size in one.sizes})
    ax.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
    names = [
        LineName(text, one.sizes[-1], one.shares[-1], looks[one.name].colour(theme))
        for text, one in zip(texts, sweeps, strict=True)
    ]
    name_lines(ax, names, size=NOTE_SIZE)
