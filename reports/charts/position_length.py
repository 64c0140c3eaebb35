"""Where in a conversation, and in how long a one, a fact is lost: for the needle scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.summary import written
from compaction_eval.eval.verdicts import strict_share
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import paint_heat
from compaction_eval.reports.charts.naming import row_name
from compaction_eval.reports.charts.panelling import shown_budgets
from compaction_eval.reports.columns import headline, merged
from compaction_eval.reports.figures import plural, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme

DEPTH, LENGTH = "depth", "length"
MOST_PANELS = 3
Grid = list[list[float | None]]


def position_length_chart(material: Material) -> Chart | None:
    """Depth by length, a panel for each of the best strategies; None without such scenarios."""
    rows = merged(material.rows)
    (budget,) = shown_budgets(rows, 1) or [""]
    cells = [
        cell
        for cell in material.cells
        if cell.error is None and cell.key.budget == budget and _place(cell) is not None
    ]
    if not cells:
        return None
    contenders = sorted(
        (
            row
            for row in rows
            if row.budget == budget
            and headline(row) is not None
            and not material.marks.is_reference(row)
        ),
        key=lambda row: -(headline(row) or 0.0),
    )[:MOST_PANELS]
    places = [place for cell in cells if (place := _place(cell)) is not None]
    depths, lengths = (sorted({place[at] for place in places}) for at in (0, 1))
    panels = []
    for row in contenders:
        own = [
            cell
            for cell in cells
            if cell.key.strategy == row.strategy and row.summarizer in ("", cell.key.summarizer)
        ]
        panels.append((row_name(row, rows), _grid(own, depths, lengths)))
    if not panels:
        return None
    scenarios = len({cell.key.scenario for cell in cells})

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, panels, depths, lengths)

    return Chart(
        name="position-length",
        title=_title(panels, depths, budget),
        note=f"{plural(scenarios, 'scenario')} in {plural(len(set(places)), 'variant')}"
        f" · run {material.run_id}",
        columns=("strategy", "budget", DEPTH, LENGTH, "share"),
        data=tuple(
            (name, budget, depth, length, kept)
            for name, grid in panels
            for depth, line in zip(depths, grid, strict=True)
            for length, kept in zip(lengths, line, strict=True)
        ),
        paint=paint,
        size=(12.0, 5.6),
    )


def _place(cell: CellRecord) -> tuple[int, int] | None:
    """The depth in per cent and the length in exchanges, where the variant names both."""
    pairs = (part.partition("=") for part in cell.key.variant.split(","))
    named = {key.strip(): text.strip() for key, _, text in pairs}
    values = [named.get(name, "") for name in (DEPTH, LENGTH)]
    if not all(text.isdecimal() for text in values):
        return None
    return int(values[0]), int(values[1])


def _grid(cells: Sequence[CellRecord], depths: Sequence[int], lengths: Sequence[int]) -> Grid:
    found: dict[tuple[int, int], list[float]] = {}
    for cell in cells:
        kept = strict_share([probe.verdict for probe in written(cell)])
        place = _place(cell)
        if kept is not None and place is not None:
            found.setdefault(place, []).append(kept)
    return [
        [fmean(found[depth, length]) if (depth, length) in found else None for length in lengths]
        for depth in depths
    ]


def _title(panels: Sequence[tuple[str, Grid]], depths: Sequence[int], budget: str) -> str:
    name, grid = panels[0]
    means = [
        (fmean(known), depth)
        for depth, line in zip(depths, grid, strict=True)
        if (known := [kept for kept in line if kept is not None])
    ]
    if not means:
        return f"What is kept by depth and length, at a budget of {budget}"
    (low, worst), (high, best) = min(means), max(means)
    return (
        f"At a budget of {budget}, {name} keeps {share(low)} of what is said at {worst}% of the"
        f" conversation, {share(high)} at {best}%"
    )


def _paint(
    figure: Figure,
    theme: Theme,
    panels: Sequence[tuple[str, Grid]],
    depths: Sequence[int],
    lengths: Sequence[int],
) -> None:
    width = 0.86 / len(panels)
    for at, (name, grid) in enumerate(panels):
        paint_heat(
            figure,
            theme,
            [f"{depth}%" for depth in depths] if not at else [""] * len(depths),
            [str(length) for length in lengths],
            grid,
            across="exchanges",
            beside="said at" if not at else "",
            box=(0.08 + at * (width + 0.012), 0.19, width - 0.012, 0.56),
        )
        figure.text(
            0.08 + at * (width + 0.012), 0.77, name, color=theme.ink, fontsize=11, fontweight="bold"
        )
