"""The table in the terminal: a block of rows for each budget, as wide as the terminal allows.

Without a terminal it is plain text at its natural width. Colours follow the console, so
FORCE_COLOR has them in a pipe too; NO_COLOR leaves no escape sequence at all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import (
    Column,
    Group,
    apart_lines,
    columns_for,
    groups,
    label,
    merged,
)
from compaction_eval.reports.figures import UNMEASURED
from compaction_eval.reports.legend import legend
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import name_text, one_line
from compaction_eval.reports.usability import Usability, usability

CONTROL_SIGN = "*"
KEY_SIGN = "†"
RECORDED_SIGN = "‡"
UNUSABLE_SIGN = "!"
_GAP = 2
_NARROW_NAME = 20
_KEPT = 9


def console(stream: TextIO, width: int | None = None) -> Console:
    """A console that wraps at the terminal's width, and not at all where there is no terminal.

    `COLUMNS` counts as a width wherever it is set; `width` overrules both.
    """
    if width is None and not stream.isatty() and not os.environ.get("COLUMNS", "").isdigit():
        width = 10_000
    return Console(
        file=stream,
        width=width,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )


def print_table(rows: Sequence[SummaryRow], marks: Marks, out: Console) -> None:
    """Print all budgets, what the signs mean, and which cells stand apart."""
    rows = merged(rows)
    use = usability(rows, marks)
    names = [_name(row, rows, use) for row in rows]
    columns, left_out, name_width = fit(
        columns_for(rows), rows, max(map(cell_len, names), default=8), out.width
    )
    for group in groups(rows, marks):
        out.print(Text(f"Budget {one_line(group.budget)}", "bold"), Text(f"({group.caption})"))
        with out.capture() as captured:
            out.print(_block(group, columns, rows, name_width, use))
        out.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
        out.print()
    for line in (*_signs(rows, use), *legend(columns)):
        out.print(Text(line, "dim"))
    if left_out:
        titles = ", ".join(column.title for column in left_out)
        out.print(
            Text(
                f"Left out for width: {titles}. A wider terminal or a result file shows them.",
                "dim",
            )
        )
    for line in apart_lines(rows, marks):
        out.print(Text(line, "yellow"))


def fit(
    columns: Sequence[Column], rows: Sequence[SummaryRow], name_width: int, width: int
) -> tuple[list[Column], list[Column], int]:
    """The columns that fit into `width` cells, those left out, and the width of the names.

    Long names are folded before a column goes; the least important column goes first, of equals
    the last one.
    """
    kept = list(columns)
    left_out: list[Column] = []

    def room() -> int:
        return width - sum(_GAP + _width(column, rows) for column in kept)

    narrow = min(name_width, _NARROW_NAME)
    while room() < narrow:
        droppable = [column for column in kept if column.importance < _KEPT]
        if not droppable:
            break
        least = min(reversed(droppable), key=lambda column: column.importance)
        kept.remove(least)
        left_out.append(least)
    return kept, left_out, max(min(name_width, room()), 8)


def _width(column: Column, rows: Sequence[SummaryRow]) -> int:
    values = [column.short(row) for row in rows]
    return max(map(cell_len, [*column.heading.split("\n"), *values]))


def _name(row: SummaryRow, rows: Sequence[SummaryRow], use: Usability) -> str:
    name = name_text(label(row, rows))
    signs = CONTROL_SIGN * use.marks.is_control(row) + KEY_SIGN * row.sees_answer_key
    signs += RECORDED_SIGN * use.marks.is_recorded(row) + UNUSABLE_SIGN * use.is_broken(row)
    return f"{name} {signs}" if signs else name


def _block(
    group: Group,
    columns: Sequence[Column],
    rows: Sequence[SummaryRow],
    name_width: int,
    use: Usability,
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
    table.add_column("\nstrategy", width=name_width, overflow="fold", vertical="top")
    for column in columns:
        heading = column.heading if "\n" in column.heading else "\n" + column.heading
        table.add_column(heading, justify="right", no_wrap=True, width=_width(column, group.rows))
    for row in group.rows:
        style = "dim" if use.marks.is_control(row) else ""
        table.add_row(
            _name(row, rows, use), *(_cell(column, row) for column in columns), style=style
        )
    return table


def _cell(column: Column, row: SummaryRow) -> Text:
    value = column.short(row)
    some = value not in ("0", UNMEASURED)
    bad = some and column.title in {"invalid requests", "errors"}
    worry = some and column.title == "over budget"
    return Text(value, "red" if bad else "yellow" if worry else "")


def _signs(rows: Sequence[SummaryRow], use: Usability) -> list[str]:
    signs, marks = [], use.marks
    if any(map(use.is_broken, rows)):
        signs.append(f"{UNUSABLE_SIGN} not usable: invalid requests, over budget, or errors")
    if any(map(marks.is_control, rows)):
        signs.append(f"{CONTROL_SIGN} control, for comparison")
    if any(row.sees_answer_key for row in rows):
        signs.append(f"{KEY_SIGN} sees the answer key, so no contender")
    if any(map(marks.is_recorded, rows)):
        signs.append(f"{RECORDED_SIGN} what the agent's own tool did, at any budget")
    if any(row.survival is None and row.reuse is None for row in rows):
        signs.append(f"{UNMEASURED} not measured")
    return ["   ".join(signs)] if signs else []
