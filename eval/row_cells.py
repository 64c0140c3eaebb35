"""The cells behind each row of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compaction_eval.eval.records import CellRecord

RowKey = tuple[str, str, str]
"""Strategy, budget and summariser; the last is empty where it makes no difference."""


def by_row(cells: Iterable[CellRecord]) -> Mapping[RowKey, list[CellRecord]]:
    """The cells by row; of a merged row, to which no summariser made a difference, those of one."""
    found: dict[RowKey, list[CellRecord]] = {}
    for cell in cells:
        key = (cell.key.strategy, cell.key.budget, cell.key.summarizer)
        found.setdefault(key, []).append(cell)
    for (strategy, budget, _), group in list(found.items()):
        found.setdefault((strategy, budget, ""), group)
    return found


def headline_by_row(cells: Iterable[CellRecord]) -> Mapping[RowKey, list[CellRecord]]:
    """The same of the cells that shares rest on: measured, and not standing apart."""
    return by_row(cell for cell in cells if cell.error is None and not cell.apart)
