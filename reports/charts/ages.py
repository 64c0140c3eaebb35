"""How long facts stay in view: the share still there by the age of the evidence, in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.best_words import not_scored, part_of
from compaction_eval.reports.charts.age_curves import (
    FEW_PROBES,
    FEWEST_PROBES,
    Curve,
    bands_of,
)
from compaction_eval.reports.charts.age_panels import paint_ages
from compaction_eval.reports.charts.age_words import ages_title
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    WIDTH,
    tall,
)
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.labelling import line_height
from compaction_eval.reports.charts.measures import Headline, Measure, led_by
from compaction_eval.reports.charts.naming import (
    evidence_note,
    full_name,
    looks_of,
    row_name,
)
from compaction_eval.reports.charts.panelling import panelled, told_budget
from compaction_eval.reports.charts.theme import Theme
from compaction_eval.reports.columns import merged
from compaction_eval.reports.findings import findings
from compaction_eval.reports.printable import one_line
from compaction_eval.reports.usability import usability

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ages_charts(material: Material) -> list[Chart]:
    """A chart of the views, and one of a model's answers; none where ages don't differ."""
    rows = merged(material.rows)
    charts = (_chart(material, rows, measure) for measure in led_by(rows))
    return [chart for chart in charts if chart is not None]


def _chart(material: Material, rows: Sequence[SummaryRow], measure: Measure) -> Chart | None:
    headline = Headline(material.cells)
    use = usability(rows, material.marks)
    every = [
        Curve(
            row_name(row, rows),
            row.budget,
            bands_of(headline.cells_of(row), measure),
            material.marks.is_control(row),
            full_name(row, rows),
            use.is_usable(row),
        )
        for row in rows
        if not material.marks.is_reference(row)
    ]
    every = [curve for curve in every if curve.bands]
    if all(len(curve.bands) < 2 for curve in every):
        return None
    found = findings(rows, material.marks, headline, measure.name)
    told = told_budget(material, measure.name)
    empty = {
        one.budget: f"too few verdicts of any age (fewer than {FEWEST_PROBES})"
        if one.base.scored
        else not_scored(one)
        for one in found
        if all(curve.budget != one.budget for curve in every)
    }
    budgets = panelled([one.budget for one in found], told)
    # Names stand beside the last panel, so that one has lines.
    budgets.sort(key=lambda budget: budget not in empty)
    curves = [curve for curve in every if curve.budget in budgets]
    if not curves:
        return None
    title = ages_title(every, told, measure)
    base = next(part_of(one) for one in found if one.budget == told)
    looks = looks_of(material)

    def paint(figure: Figure, theme: Theme) -> None:
        paint_ages(figure, theme, curves, empty, budgets, told, measure, looks)

    return Chart(
        name="recall-by-age" if measure.of_answers else "survival-by-age",
        title=title + base,
        note=" · ".join((evidence_note(material, rows, measure), *_notes(curves, told))),
        columns=("strategy", "budget", "age_from", "age_to", "share", "verdicts", "half_life"),
        data=tuple(
            (one.whole_name, one.budget, band.start, band.stop - 1, band.share, band.probes, life)
            for one in curves
            for life in (one.half_life,)
            for band in one.bands
        ),
        paint=paint,
        size=(WIDTH, tall(len({one.name for one in curves}), line_height(NOTE_SIZE))),
    )


def _notes(curves: Sequence[Curve], told: str) -> list[str]:
    bands = [band for curve in curves for band in curve.bands]
    notes = [f"o: half-life, in brackets that at {one_line(told)}"]
    few = f"fewer than {FEWEST_PROBES} verdicts: no point"
    if any(band.rests_on_few for band in bands):
        few = f"small: fewer than {FEW_PROBES} verdicts; no point below {FEWEST_PROBES}"
    notes.append(few)
    if any(len(curve.stretches) > 1 for curve in curves):
        notes.append("faint dots: across ages without a point")
    return notes
