"""Cells that ended in an error, grouped by strategy and reason: one line says how many and why."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line


def failure_lines(cells: Iterable[CellRecord], width: int = 400) -> list[str]:
    """`3 cells of ./mine.py:boom: raised RuntimeError: …`, in the order of their first cells.

    A reason is cut at `width` terminal cells.
    """
    counts: dict[tuple[str, str], int] = {}
    for cell in cells:
        if cell.error is not None:
            group = (cell.key.strategy, cell.error)
            counts[group] = counts.get(group, 0) + 1
    return [
        f"{plural(count, 'cell')} of {one_line(strategy)}: {one_line(error, width)}"
        for (strategy, error), count in counts.items()
    ]
