"""Where in a conversation, and in how long a one, a fact is lost: for the needle scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.eval.row_cells import RowKey, by_row
from compaction_eval.eval.verdicts import strict_share
from compaction_eval.reports.charts.canvas import HEAD, TEXT_SIZE, WIDTH, box, tall
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import LEFT, ROW, paint_heat
from compaction_eval.reports.charts.measures import Measure, led_by, value
from compaction_eval.reports.charts.naming import evidence_note, full_name, row_name
from compaction_eval.reports.charts.panelling import budget_note, told_budget
from compaction_eval.reports.columns import merged
from compaction_eval.reports.figures import plural, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme

DEPTH, LENGTH = "depth", "length"
MOST_PANELS = 3
Grid = list[list[float | None]]
Place = tuple[int, int]
"""The depth in per cent and the length in exchanges."""


def position_length_charts(material: Material) -> list[Chart]:
    """Depth by length, of the views, and of a model's answers; none without such scenarios."""
    rows = merged(material.rows)
    budget = told_budget(material)
    placed = by_row(
        cell
        for cell in material.cells
        if cell.error is None and cell.key.budget == budget and _place(cell) is not None
    )
    if not placed:
        return []
    charts = (_chart(material, rows, budget, placed, measure) for measure in led_by(rows))
    return [chart for chart in charts if chart is not None]


def _chart(
    material: Material,
    rows: Sequence[SummaryRow],
    budget: str,
    placed: Mapping[RowKey, list[CellRecord]],
    measure: Measure,
) -> Chart | None:
    contenders = sorted(
        (
            row
            for row in rows
            if row.budget == budget
            and value(row, measure) is not None
            and not material.marks.is_reference(row)
        ),
        key=lambda row: -(value(row, measure) or 0.0),
    )[:MOST_PANELS]
    places = {place for own in placed.values() for cell in own if (place := _place(cell))}
    depths, lengths = (sorted({place[at] for place in places}) for at in (0, 1))
    panels = [
        (
            row,
            _grid(placed.get((row.strategy, budget, row.summarizer), ()), depths, lengths, measure),
        )
        for row in contenders
    ]
    if not panels:
        return None
    named = [(row_name(row, rows), grid) for row, grid in panels]

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, named, depths, lengths)

    return Chart(
        name=f"position-length{measure.suffix}",
        title=_title(named, depths, budget, measure),
        note=f"{evidence_note(material, contenders, measure)} · {plural(len(places), 'place')}"
        f" of a needle · {budget_note(material)}",
        columns=("strategy", "budget", DEPTH, LENGTH, "share"),
        data=tuple(
            (full_name(row, rows), budget, depth, length, kept)
            for row, grid in panels
            for depth, line in zip(depths, grid, strict=True)
            for length, kept in zip(lengths, line, strict=True)
        ),
        paint=paint,
        size=(WIDTH, tall(len(depths), 2 * ROW, 5.6)),
    )


def _place(cell: CellRecord) -> Place | None:
    """The depth in per cent and the length in exchanges, where the variant names both."""
    pairs = (part.partition("=") for part in cell.key.variant.split(","))
    named = {key.strip(): text.strip() for key, _, text in pairs}
    values = [named.get(name, "") for name in (DEPTH, LENGTH)]
    if not all(text.isdecimal() for text in values):
        return None
    return int(values[0]), int(values[1])


def _grid(
    cells: Sequence[CellRecord], depths: Sequence[int], lengths: Sequence[int], measure: Measure
) -> Grid:
    found: dict[Place, list[float]] = {}
    for cell in cells:
        place = _place(cell)
        kept = strict_share([probe.verdict for probe in measure.chosen(cell)])
        if kept is not None and place is not None:
            found.setdefault(place, []).append(kept)
    return [
        [fmean(found[depth, length]) if (depth, length) in found else None for length in lengths]
        for depth in depths
    ]


def _title(
    panels: Sequence[tuple[str, Grid]], depths: Sequence[int], budget: str, measure: Measure
) -> str:
    name, grid = panels[0]
    means = [
        (fmean(known), depth)
        for depth, line in zip(depths, grid, strict=True)
        if (known := [kept for kept in line if kept is not None])
    ]
    if not means:
        return f"What is {measure.kept} by depth and length, at {budget}"
    (low, worst), (high, best) = min(means), max(means)
    return (
        f"At {budget}, {name} {measure.keeps} {share(low)} of what is said at {worst}%"
        f" of the conversation, {share(high)} at {best}%"
    )


def _paint(
    figure: Figure,
    theme: Theme,
    panels: Sequence[tuple[str, Grid]],
    depths: Sequence[int],
    lengths: Sequence[int],
) -> None:
    start, bottom, whole, height = box(figure, 0.08, LEFT, head=HEAD + 0.3)
    width = whole / len(panels)
    for at, (name, grid) in enumerate(panels):
        left = start + at * width
        paint_heat(
            figure,
            theme,
            [f"{depth}%" for depth in depths] if not at else [""] * len(depths),
            [str(length) for length in lengths],
            grid,
            across="exchanges",
            beside="said at" if not at else "",
            place=(left, bottom, width - 0.012, height),
        )
        figure.text(
            left,
            bottom + height + 0.01,
            name,
            color=theme.ink,
            fontsize=TEXT_SIZE,
            fontweight="bold",
        )
