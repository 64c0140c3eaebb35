"""What is kept against what it costs: one point for each strategy and budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_cells import RowKey
from compaction_eval.eval.statistics import FEWEST
from compaction_eval.reports.best_words import best_title
from compaction_eval.reports.charts.canvas import NOTE_SIZE, WIDTH, tall
from compaction_eval.reports.charts.chart import Chart, Material, Value
from compaction_eval.reports.charts.labelling import line_height
from compaction_eval.reports.charts.measures import (
    Headline,
    Measure,
    measured,
    value,
)
from compaction_eval.reports.charts.naming import (
    evidence_note,
    full_name,
    looks_of,
    row_name,
)
from compaction_eval.reports.charts.same_model import asked_alike
from compaction_eval.reports.charts.theme import Theme
from compaction_eval.reports.charts.tradeoff_points import Point, paint_points
from compaction_eval.reports.columns import merged
from compaction_eval.reports.findings import findings, middle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCALE = ("empty", "none")
"""Controls between which recall is read."""


def tradeoff_charts(material: Material) -> list[Chart]:
    """A chart for each measure that the run has."""
    rows = merged(material.rows)
    headline = Headline(material.cells)
    return [_chart(material, rows, measure, headline) for measure in measured(rows)]


def _chart(
    material: Material, rows: Sequence[SummaryRow], measure: Measure, headline: Headline
) -> Chart:
    found = findings(rows, material.marks, headline, measure.name)
    best = {_key(row) for one in found for row in one.frontier}
    unsound = {_key(row) for one in found for row in one.unsound}
    there = [
        (row, kept, row.retained_tokens)
        for row in rows
        if (kept := value(row, measure)) is not None and row.retained_tokens is not None
    ]
    points = [
        Point(
            row_name(row, rows),
            row.budget,
            size,
            kept,
            headline.interval(row, measure),
            _key(row) in best,
            material.marks.is_control(row),
            full_name(row, rows),
            headline.normalised(row, asked_alike(row, rows, material.manifest), material.marks)
            if measure.of_answers
            else None,
            material.marks.registered_name(row.strategy) in SCALE,
            _key(row) in unsound,
        )
        for row, kept, size in there
    ]
    looks = looks_of(material)

    def paint(figure: Figure, theme: Theme) -> None:
        paint_points(figure, theme, points, measure, looks)

    columns: tuple[str, ...] = (
        "strategy",
        "budget",
        "retained_tokens",
        measure.name,
        "low",
        "high",
        "frontier",
    )
    answered: list[tuple[Value, ...]] = [() for _ in points]
    if measure.of_answers:
        columns += ("normalised", "answers", "no_answer")
        answered = [
            (one.normalised, row.answers, row.answer_errors)
            for one, (row, *_) in zip(points, there, strict=True)
        ]
    return Chart(
        name=f"tradeoff-{measure.name}",
        title=best_title(middle(found), rows, row_name),
        note=" · ".join(_notes(material, [row for row, *_ in there], measure, points)),
        columns=columns,
        data=tuple(
            (
                one.whole_name,
                one.budget,
                one.tokens,
                one.kept,
                one.interval.low if one.interval else None,
                one.interval.high if one.interval else None,
                int(one.frontier),
                *more,
            )
            for one, more in zip(points, answered, strict=True)
        ),
        paint=paint,
        size=(WIDTH, tall(len({one.name for one in points}), line_height(NOTE_SIZE))),
    )


def _key(row: SummaryRow) -> RowKey:
    return row.strategy, row.budget, row.summarizer


def _notes(
    material: Material, rows: Sequence[SummaryRow], measure: Measure, points: Sequence[Point]
) -> list[str]:
    notes = [evidence_note(material, rows, measure)]
    if any(one.interval for one in points):
        notes.append("bars: 95% intervals over scenarios")
    else:
        notes.append(f"no intervals: fewer than {FEWEST} scenarios")
    if any(one.unsound for one in points):
        notes.append("hollow: refused by the API or over budget")
    if measure.of_answers:
        scaled = any(one.normalised is not None for one in points)
        notes.append(
            "norm.: 0% is empty, 100% is none, over what all three answered"
            if scaled
            else "not normalised: none answers no more than empty, or one is missing"
        )
    return notes
