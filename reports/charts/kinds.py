"""A heat map: which strategy keeps which kind of fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.reports.best_words import part_of
from compaction_eval.reports.charts.canvas import WIDTH, tall
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import ROW, heat_box, paint_heat
from compaction_eval.reports.charts.kind_words import kinds_title
from compaction_eval.reports.charts.measures import Headline, Measure, led_by
from compaction_eval.reports.charts.naming import evidence_note, full_name, row_name
from compaction_eval.reports.charts.panelling import budget_note, told_budget
from compaction_eval.reports.columns import merged
from compaction_eval.reports.difficulty import Figure as DrawnFigure
from compaction_eval.reports.difficulty import Split, splits
from compaction_eval.reports.dimensions import DIMENSIONS
from compaction_eval.reports.figures import plural
from compaction_eval.reports.findings import findings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme


def kinds_charts(material: Material) -> list[Chart]:
    """Strategy by kind at one budget, of the views, and of a model's answers apart."""
    rows = merged(material.rows)
    charts = (_chart(material, rows, measure) for measure in led_by(rows))
    return [chart for chart in charts if chart is not None]


def _chart(material: Material, rows: Sequence[SummaryRow], measure: Measure) -> Chart | None:
    budget = told_budget(material, measure.name)
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
    headline = Headline(material.cells)
    (finding,) = findings(there, material.marks, headline, measure.name)
    judges = len(split.contenders or split.compared)
    return Chart(
        name=f"kinds{measure.suffix}",
        title=kinds_title(split, measure, headline) + part_of(finding),
        note=" · ".join(
            (
                evidence_note(material, there, measure),
                budget_note(material, measure.name),
                f"on average: over {plural(judges, 'strategy', 'strategies')}, controls left out",
            )
        ),
        columns=("strategy", "budget", "kind", "share", "scenarios", "verdicts"),
        data=tuple(
            (full_name(split.columns[at], rows), budget, group.name, *_figures(group.figures[at]))
            for at in order
            for group in split.groups
        ),
        paint=paint,
        size=(WIDTH, tall(len(names), ROW)),
    )


def _figures(figure: DrawnFigure) -> tuple[float | None, int, int]:
    return figure.share, figure.scenarios, figure.probes


def _overall(split: Split, at: int) -> float:
    return split.overall.figures[at].share or 0.0
