"""A heat map: which strategy keeps which kind of fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.reports.charts.canvas import tall
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import ROW, heat_box, paint_heat
from compaction_eval.reports.charts.measures import Measure, led_by
from compaction_eval.reports.charts.naming import evidence_note, full_name, row_name
from compaction_eval.reports.charts.panelling import shown_budgets
from compaction_eval.reports.columns import merged
from compaction_eval.reports.difficulty import Figure as DrawnFigure
from compaction_eval.reports.difficulty import Split, splits
from compaction_eval.reports.dimensions import ABSTENTION, DIMENSIONS
from compaction_eval.reports.figures import share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme


def kinds_charts(material: Material) -> list[Chart]:
    """Strategy by kind at the middle budget, of the views, and of a model's answers apart."""
    rows = merged(material.rows)
    charts = (_chart(material, rows, measure) for measure in led_by(rows))
    return [chart for chart in charts if chart is not None]


def _chart(material: Material, rows: Sequence[SummaryRow], measure: Measure) -> Chart | None:
    (budget,) = shown_budgets(rows, 1)
    run = Run(material.manifest, tuple(material.cells))
    kind, answers = DIMENSIONS["kind"], measure.of_answers
    found = [
        one
        for one in splits(run, material.rows, kind, material.marks, of_answers=answers)
        if one.budget == budget and one.groups
    ]
    if not found:
        return None
    split = found[0]
    order = sorted(
        range(len(split.columns)),
        key=lambda at: (material.marks.is_control(split.columns[at]), -_overall(split, at)),
    )
    names = [row_name(split.columns[at], rows) for at in order]
    kinds = [group.name for group in split.groups]
    shares = [[group.figures[at].share for group in split.groups] for at in order]

    def paint(figure: Figure, theme: Theme) -> None:
        place = heat_box(figure, names, len(kinds))
        paint_heat(figure, theme, names, kinds, shares, across="kind of probe", place=place)

    there = [row for row in rows if row.budget == budget]
    return Chart(
        name=f"kinds{measure.suffix}",
        title=_title(split, measure),
        note=evidence_note(material, there, measure),
        columns=("strategy", "budget", "kind", "share", "scenarios", "verdicts"),
        data=tuple(
            (full_name(split.columns[at], rows), budget, group.name, *_figures(group.figures[at]))
            for at in order
            for group in split.groups
        ),
        paint=paint,
        size=(11.0, tall(len(names), ROW)),
    )


def _figures(figure: DrawnFigure) -> tuple[float | None, int, int]:
    return figure.share, figure.scenarios, figure.probes


def _overall(split: Split, at: int) -> float:
    return split.overall.figures[at].share or 0.0


def _title(split: Split, measure: Measure) -> str:
    at, kept = f"At a budget of {split.budget}", measure.kept
    columns: Sequence[int] = split.contenders or split.compared
    means = [
        (mean, group.name) for group in split.groups if (mean := group.mean(columns)) is not None
    ]
    if not means:
        return f"What is {kept} at a budget of {split.budget}, by kind of probe"
    # An abstention probe is asked only where a view says what it shouldn't: its share is 0%.
    means = [one for one in means if one[1] != ABSTENTION] or means
    (low, hardest), (high, easiest) = min(means), max(means)
    if len(means) == 1:
        return f"{at}, {share(low)} of {hardest} probes are {kept} on average"
    if share(low) == share(high):
        return f"{at}, {share(low)} of the probes of each kind are {kept} on average"
    worst, best = ("fare worst", "best") if measure.of_answers else ("lose most", "least")
    return (
        f"{at}, {hardest} probes {worst} ({share(low)} {kept} on average)"
        f" and {easiest} probes {best} ({share(high)})"
    )
