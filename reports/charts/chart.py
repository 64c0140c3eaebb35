"""What a chart is before anybody draws it: a title that says what to see, data, and a painter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compaction_eval.eval.cost.figures import Costs
from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.reports.marks import Marks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme

Value = str | int | float | None
Paint = Callable[["Figure", "Theme"], None]
"""Draws axes into a figure whose title and note are there already."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart. The data are what is drawn, so that they can be checked and drawn elsewhere."""

    name: str
    """File name without suffix; safe."""
    title: str
    """What to see in it, as a sentence."""
    note: str
    """The scenarios and probes behind it, and the run's id."""
    columns: tuple[str, ...]
    data: tuple[tuple[Value, ...], ...]
    paint: Paint
    size: tuple[float, float]
    """Inches."""


@dataclass(frozen=True, slots=True)
class Material:
    """A finished run, as the charts need it."""

    run_id: str
    manifest: Mapping[str, Any]
    rows: Sequence[SummaryRow]
    cells: Sequence[CellRecord]
    marks: Marks
    costs: Costs | None = None
    """What the rows cost; None where no prices are at hand."""
