"""The edge suite in the terminal: a row for each strategy, a column for each family."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from compaction_eval.reports.edge import FAMILIES, EdgeReport, EdgeVerdict, scenarios_text
from compaction_eval.reports.figures import UNMEASURED, plural
from compaction_eval.reports.printable import cut, one_line

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 12
"""Broken properties that are told in words."""
_HEADINGS = {"idempotence": "idempo-\ntence", "portable": "port-\nable"}
_SHORT_HEADINGS = {
    **_HEADINGS,
    "validity": "valid-\nity",
    "trigger": "trig-\nger",
    "summary": "sum-\nmary",
    "content": "con-\ntent",
}
_BREAKS = re.compile(r"(?<=[-(,/])")
_NARROWEST = 17


def print_edge(report: EdgeReport, named: Collection[str], out: Console) -> None:
    """Print the table, and what the named strategies broke, with the reasons."""
    short = _is_narrow(report, out.width)
    title = (
        "Properties that were broken" if short else "Properties that held, of those that applied"
    )
    out.print(Text(title, "bold"), Text(_caption(report)))
    with out.capture() as captured:
        out.print(_table(report, out.width, short=short))
    out.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
    broken = report.broken(named)
    if broken:
        # One scenario stands for all in which the same strategy breaks the same property.
        alike: dict[tuple[str, str], list[EdgeVerdict]] = {}
        for one in broken:
            alike.setdefault((one.strategy, one.name), []).append(one)
        out.print()
        for line in reason_lines([group[0] for group in alike.values()][:SHOWN], out.width):
            out.print(line)
        out.print()
        out.print(Text(_count(len(broken), len(alike)), "dim"))


def _count(broken: int, kinds: int) -> str:
    """How many there are, and how many kinds of strategy and property were told."""
    told = f"{SHOWN} of {kinds:,}" if kinds > SHOWN else "all"
    return f"{broken:,} broken in all; the first of each kind above ({told})"


def reason_lines(broken: Sequence[EdgeVerdict], width: int) -> list[str]:
    """`strategy  scenario  property: reason`, the first two in columns, wrapped to a width."""
    strategies = [one_line(one.strategy) for one in broken]
    scenarios = [one_line(one.scenario.key) for one in broken]
    first = min(max(map(cell_len, strategies), default=0), width // 4)
    second = min(max(map(cell_len, scenarios), default=0), width // 4)
    return [
        line
        for one, strategy, scenario in zip(broken, strategies, scenarios, strict=True)
        for line in wrap(
            f"{_padded(strategy, first)}  {_padded(scenario, second)}"
            f"  {one.name}: {one_line(one.reason)}",
            width,
            subsequent_indent=" " * 4,
        )
    ]


def _padded(text: str, width: int) -> str:
    short = cut(text, width)
    return short + " " * (width - cell_len(short))


def _caption(report: EdgeReport) -> str:
    return f"({scenarios_text(report)}, {plural(len(report.verdicts), 'verdict')})"


def _is_narrow(report: EdgeReport, width: int) -> bool:
    """Whether there is no room for how many held of how many, only for how many didn't."""
    return width - sum(_widths(report)) - len(FAMILIES) < _NARROWEST


def _widths(report: EdgeReport, *, short: bool = False) -> list[int]:
    """Of each family's column."""
    return [
        max(
            *(len(line) for line in _heading(family, short).split("\n")),
            *(len(_figure(report, strategy, family, short)) for strategy in report.strategies),
        )
        for family in FAMILIES
    ]


def _table(report: EdgeReport, width: int, *, short: bool) -> Table:
    columns = _widths(report, short=short)
    names = [one_line(strategy) for strategy in report.strategies]
    longest = max(map(cell_len, names), default=8)
    gap = 2 if width - sum(columns) - 2 * len(columns) >= min(longest, 24) else 1
    room = max(width - sum(columns) - gap * len(columns), _NARROWEST)
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim")
    table.add_column("\nstrategy", width=min(longest, room), vertical="top")
    for family, size in zip(FAMILIES, columns, strict=True):
        table.add_column(_heading(family, short), justify="right", no_wrap=True, width=size)
    for strategy, name in zip(report.strategies, names, strict=True):
        cells = (_cell(report, strategy, family, short) for family in FAMILIES)
        table.add_row(_folded(name, min(longest, room)), *cells)
    return table


def _heading(family: str, short: bool) -> str:
    return (_SHORT_HEADINGS if short else _HEADINGS).get(family, f"\n{family}")


def _figure(report: EdgeReport, strategy: str, family: str, short: bool = False) -> str:
    held, applied = report.tallies.get((strategy, family), (0, 0))
    if not applied:
        return UNMEASURED
    return f"{applied - held}" if short else f"{held}/{applied}"


def _cell(report: EdgeReport, strategy: str, family: str, short: bool) -> Text:
    held, applied = report.tallies.get((strategy, family), (0, 0))
    return Text(_figure(report, strategy, family, short), "red" if held < applied else "")


def _folded(name: str, width: int) -> str:
    """The name in lines of at most that width, broken behind hyphens, commas and parentheses."""
    lines = [""]
    for piece in _BREAKS.split(name):
        if lines[-1] and cell_len((lines[-1] + piece).strip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)
