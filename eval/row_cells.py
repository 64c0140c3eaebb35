"""The cells behind each row of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compaction_eval.eval.records import CellKey, CellRecord

RowKey = tuple[str, str, str]
"""Strategy, budget and summariser; the last is empty where it makes no difference."""


def row_key(key: CellKey) -> RowKey:
    """The row that a cell is part of."""
    return key.strategy, key.budget, key.summarizer


def behind_shares(cells: Iterable[CellRecord]) -> list[CellRecord]:
    """The cells that shares rest on: measured, and not standing apart."""
    return [cell for cell in cells if cell.error is None and not cell.apart]


def by_row(cells: Iterable[CellRecord]) -> Mapping[RowKey, list[CellRecord]]:
    """The cells by row; of a merged row, to which no summariser made a difference, those of one."""
    found: dict[RowKey, list[CellRecord]] = {}
    for cell in cells:
        found.setdefault(row_key(cell.key), []).append(cell)
    for (strategy, budget, _), group in list(found.items()):
        found.setdefault((strategy, budget, ""), group)
    return found


def headline_by_row(cells: Iterable[CellRecord]) -> Mapping[RowKey, list[CellRecord]]:
    """The same of the cells that shares rest on."""
    return by_row(behind_shares(cells))
