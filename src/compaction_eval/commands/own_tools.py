"""After a run: what the recorded agents' own tools lost, beside what the strategies would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from compaction_eval.commands.next_step import show_command
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.own_tool import own_tool
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.own_tool import own_tool_lines
from compaction_eval.strategies.loading import RECORDED

if TYPE_CHECKING:
    from rich.console import Console

MOST_TOLD = 3
"""Sessions that are told one by one."""


def tell_own_tools(matrix: Matrix, run: Run, marks: Marks, out: Console) -> str | None:
    """Print a paragraph for each session that its own tool compacted.

    Returns a line with the command that follows a value which the first of them lost.
    """
    follow = None
    cells = _cells(run, marks)
    told = [one for one in matrix.scenarios if (one.id, one.variant) in cells]
    for scenario in told[:MOST_TOLD]:
        cell = cells[scenario.id, scenario.variant]
        own = own_tool(scenario, cell)
        out.print()
        for line in own_tool_lines(own, run.cells, marks):
            indent = " " * (len(line) - len(line.lstrip()))
            for piece in Text(line.lstrip()).wrap(out, max(out.width - 2 * len(indent), 20)):
                out.print(indent + piece.plain.rstrip())
        lost = own.of("lost")
        if lost and follow is None:
            command = show_command(matrix, cell.key, lost[0].probe.id)
            follow = f"Follow a value that its own tool lost: {command}"
    if len(told) > MOST_TOLD:
        more = plural(len(told) - MOST_TOLD, "more session")
        out.print(f"\n{more} with recorded compactions: give one alone to have it told.")
    if told:
        out.print()
    return follow


def _cells(run: Run, marks: Marks) -> dict[tuple[str, str], CellRecord]:
    """The first cell of each conversation in which its own tool's compactions were replayed."""
    found: dict[tuple[str, str], CellRecord] = {}
    for cell in run.cells:
        name = marks.registered_name(cell.key.strategy)
        if name == RECORDED and cell.error is None and not cell.nothing_recorded:
            found.setdefault((cell.key.scenario, cell.key.variant), cell)
    return found
