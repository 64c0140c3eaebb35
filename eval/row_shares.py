"""Each row's share scenario by scenario, and how many conversations a budget's figures rest on.

A row is a strategy at a budget with a summariser; where the summariser makes no difference, rows
are shown without one, and any of them stands for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.eval.row_cells import RowKey, headline_by_row
from compaction_eval.eval.summary import RANKED, scenario_shares


@dataclass(frozen=True, slots=True)
class Base:
    """What the figures of one budget rest on, in conversations (scenarios)."""

    conversations: int
    """All that were measured there."""
    scored: int
    """Those in which something of the kind was asked, and that don't stand apart."""
    apart: int
    """Those that stand apart: under this budget most of their requests can't be made to fit."""


@dataclass(frozen=True)
class RowShares:
    """The cells of a run, sorted by row once."""

    cells: Sequence[CellRecord] = ()
    _known: dict[tuple[RowKey, str], Mapping[str, float]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def _by_row(self) -> Mapping[RowKey, list[CellRecord]]:
        return headline_by_row(self.cells)

    def cells_of(self, row: SummaryRow) -> list[CellRecord]:
        """The row's cells that its shares rest on: measured, and not apart."""
        return self._by_row.get((row.strategy, row.budget, row.summarizer), [])

    def of(self, row: SummaryRow, measure: str) -> Mapping[str, float]:
        """The row's share in each scenario, by id; `measure` is one of `RANKED`."""
        key = (row.strategy, row.budget, row.summarizer)
        if (key, measure) not in self._known:
            self._known[key, measure] = scenario_shares(self.cells_of(row), RANKED[measure])
        return self._known[key, measure]

    def base(self, rows: Sequence[SummaryRow], measure: str) -> Base:
        """What the figures of these rows, all of one budget, rest on."""
        budgets = {row.budget for row in rows}
        here = [cell for cell in self.cells if cell.key.budget in budgets and cell.error is None]
        every = {cell.key.scenario for cell in here}
        whole = {cell.key.scenario for cell in here if not cell.apart}
        scored = {scenario for row in rows for scenario in self.of(row, measure)}
        return Base(len(every), len(scored), len(every - whole))
