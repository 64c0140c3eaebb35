"""Which cells of a matrix `-k` selects."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.commands.expression import Test
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.records import CellKey


def selected_cells(matrix: Matrix, test: Test | None) -> Iterable[CellKey]:
    """The cells whose scenario, variant, tags, strategy, budget or summariser the test accepts."""
    cells = matrix.cells()
    if test is None:
        return cells
    tags = {(one.id, one.variant): " ".join(one.tags) for one in matrix.scenarios}
    return [
        key
        for key in cells
        if test(
            " ".join(
                (
                    key.scenario,
                    key.variant,
                    tags[key.scenario, key.variant],
                    key.strategy,
                    key.budget,
                    key.summarizer,
                )
            ).casefold()
        )
    ]
