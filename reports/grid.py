"""A grid of short cells for the terminal: narrow headings, in several blocks where need be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

GAP = 2
_HEADING = 10
_SYLLABLES = {
    "abstention": "absten-\ntion",
    "constraint": "con-\nstraint",
    "continuation": "continu-\nation",
    "scenarios": "sce-\nnarios",
    "operations": "oper-\nations",
}
"""Words of every run that would make a column wider than its figures."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row: its name, and a cell under each heading."""

    name: str
    cells: tuple[Text, ...]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells under headings."""

    corner: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]

    def widths(self) -> list[int]:
        """Terminal cells that each column takes."""
        return [
            max(
                *map(cell_len, folded(heading).split("\n")),
                *(line.cells[at].cell_len for line in self.lines),
            )
            for at, heading in enumerate(self.headings)
        ]

    def name_width(self, most: int) -> int:
        """Terminal cells that the names take; longer ones are folded."""
        return min(
            max(cell_len(text) for text in (self.corner, *(x.name for x in self.lines))), most
        )

    def blocks(self, width: int, most: int) -> list[range]:
        """The columns of each block that fits into `width` cells; one column at least in each."""
        room = width - self.name_width(most)
        found: list[range] = []
        start, used = 0, 0
        widths = self.widths()
        for at, wide in enumerate(widths):
            if at > start and used + GAP + wide > room:
                found.append(range(start, at))
                start, used = at, 0
            used += GAP + wide
        return [*found, range(start, len(widths))]


def folded(heading: str) -> str:
    """A heading in lines of some ten cells, broken behind hyphens and other joints."""
    if heading in _SYLLABLES:
        return _SYLLABLES[heading]
    lines = [""]
    for piece in re.split(r"(?<=[-(_/.:, ])", heading):
        if lines[-1] and cell_len(lines[-1] + piece) > _HEADING:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def print_grid(grid: Grid, out: Console, most: int) -> None:
    """Print the grid in as many blocks as the width asks for, without spaces at lines' ends."""
    for block in grid.blocks(out.width, most):
        with out.capture() as captured:
            out.print(_table(grid, block, grid.name_width(most)))
        out.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _table(grid: Grid, block: range, name_width: int) -> Table:
    headings = [folded(grid.headings[at]) for at in block]
    height = max(heading.count("\n") for heading in headings)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    table.add_column("\n" * height + grid.corner, width=name_width, overflow="fold")
    widths = grid.widths()
    for at, heading in zip(block, headings, strict=True):
        lead = "\n" * (height - heading.count("\n"))
        table.add_column(
            lead + heading, justify="right", width=widths[at], no_wrap=True, overflow="fold"
        )
    for line in grid.lines:
        table.add_row(line.name, *(line.cells[at] for at in block), style=line.style)
    return table
