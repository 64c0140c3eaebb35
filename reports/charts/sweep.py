"""Survival over the budget, a line for each strategy, with the area under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.telling_apart import told_apart
from compaction_eval.reports.best_words import largest, listed
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    WIDTH,
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
from compaction_eval.reports.usability import usability
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
        return area(self.sizes, self.shares)


def area(sizes: Sequence[float], shares: Sequence[float]) -> float:
    """The mean share between the first size and the last, on straight lines."""
    if len(sizes) < 2:
        return shares[0]
    total = sum(
        (right - left) * (low + high) / 2
        for left, right, low, high in zip(sizes, sizes[1:], shares, shares[1:], strict=False)
    )
    return total / (sizes[-1] - sizes[0])


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
        title=_title(material, rows, sweeps, measure),
        note=f"{evidence_note(material, rows, measure)} · area: mean share over the budgets shown",
        columns=("strategy", "budget", measure.name, "area"),
        data=tuple(
            (one.whole_name, budget, kept, one.area)
            for one in sweeps
            for budget, kept in zip(one.budgets, one.shares, strict=True)
        ),
        paint=paint,
        size=(WIDTH, tall(len(sweeps), line_height(NOTE_SIZE))),
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


def _title(
    material: Material, rows: Sequence[SummaryRow], sweeps: Sequence[Sweep], measure: Measure
) -> str:
    """Who keeps most on average over the budgets, of those that are usable at all of them."""
    use, shares = usability(rows, material.marks), RowShares(material.cells)
    by_name: dict[str, list[SummaryRow]] = {}
    for row in rows:
        by_name.setdefault(row_name(row, rows), []).append(row)
    budgets = max(len(one.budgets) for one in sweeps)
    own = [
        one
        for one in sweeps
        if len(one.budgets) == budgets and all(map(use.is_usable, by_name[one.name]))
    ]
    if not own:
        return f"No strategy is usable at all of these budgets ({measure.name})"
    own.sort(key=lambda one: -one.area)
    areas = [_areas(by_name[one.name], shares, measure) for one in own]
    signs = told_apart(areas[0], areas[1:])
    best = [own[0], *(one for one, sign in zip(own[1:], signs, strict=True) if not sign)]
    head = "Over these budgets"
    if len(own) > 1 and len(best) == len(own):
        reach = f"{share(best[-1].area)} to {share(best[0].area)} of {measure.about}"
        told = f"the usable strategies {measure.keep} {reach} on average"
        return f"{head} {told} and can't be told apart"
    if len(best) == 1:
        told = f"{measure.keeps} {largest(1)} of {measure.about}: {share(best[0].area)} on average"
        return f"{head} {best[0].name} {told}"
    shown = best if len(best) == 2 else best[:1]
    names = listed([f"{one.name} ({share(one.area)})" for one in shown], len(best))
    told = f"{measure.keep} {largest(len(best))} of {measure.about} on average"
    return f"{head} {names} {told} and can't be told apart"


def _areas(rows: Sequence[SummaryRow], shares: RowShares, measure: Measure) -> dict[str, float]:
    """The area of each scenario that is scored at all of a strategy's budgets."""
    own = sorted(rows, key=lambda row: _size(row.budget))
    by_budget = [shares.of(row, measure.name) for row in own]
    sizes = tuple(_size(row.budget) for row in own)
    return {
        scenario: area(sizes, [one[scenario] for one in by_budget])
        for scenario in by_budget[0]
        if all(scenario in one for one in by_budget)
    }


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
