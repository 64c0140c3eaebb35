"""What `report` does: read the run, print its tables, say what they show and what to do next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.commands.charting import PAGE, Drawing, check_charting, check_drawing
from compaction_eval.commands.errors import INCOMPLETE, fail
from compaction_eval.commands.money import HINT, NO_COSTS, MoneyWanted, reckoned
from compaction_eval.commands.report_next import next_lines
from compaction_eval.commands.report_rows import chosen_rows
from compaction_eval.commands.run_folder import gaps, mending
from compaction_eval.commands.running import run_marks
from compaction_eval.commands.several_runs import reported
from compaction_eval.commands.unwritten import noting
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.cost_finding import cost_finding
from compaction_eval.reports.cost_lines import cost_groups
from compaction_eval.reports.cost_table import CostReport, print_costs
from compaction_eval.reports.difficulty import splits
from compaction_eval.reports.difficulty_files import WRITERS, Report, write_report
from compaction_eval.reports.difficulty_table import print_split, signs
from compaction_eval.reports.difficulty_words import words
from compaction_eval.reports.dimensions import DEFAULT, DIMENSIONS, unsaid
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.joined_words import joined_lines
from compaction_eval.reports.page import DEFAULT_SIZE
from compaction_eval.reports.results import check_output
from compaction_eval.reports.table import console
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options, as given."""

    by: Sequence[str]
    budgets: Sequence[str]
    strategies: Sequence[str]
    outputs: Sequence[str]
    folder: str | None = None
    """Where charts and the page are wanted."""
    max_size: float | None = None
    """Megabytes of the page."""
    money: MoneyWanted = field(default_factory=MoneyWanted)


def report(given: Sequence[str], wanted: Wanted) -> None:
    """Report on a run, or on several put together.

    Ends with 3 where `gaps` says so or a file can't be written.
    """
    outputs = [Path(text) for text in dict.fromkeys(wanted.outputs)]
    for path in outputs:
        check_output(path, (*WRITERS, PAGE))
    charts = Path(wanted.folder) if wanted.folder is not None else None
    _check_drawing(charts, outputs, wanted)
    about = reported(given)
    run, marks = about.run, run_marks(about.run.manifest)
    every = summary_rows(run)
    rows = chosen_rows(every, wanted.budgets, wanted.strategies, marks, run.manifest)
    # Costs, charts and pages show the controls too: they bound the scale.
    at = {row.budget for row in rows}
    shown = [row for row in every if row in rows or (marks.is_reference(row) and row.budget in at)]
    costs = reckoned(run, wanted.money)
    groups = [] if costs is None else cost_groups(shown, costs)
    best = cost_finding(shown, marks, RowShares(run.cells), costs)
    money = CostReport(costs, groups, marks, best) if costs is not None and groups else None
    names = tuple(dict.fromkeys(wanted.by)) or DEFAULT
    lines, incomplete = gaps(run)
    remarks = {name: unsaid(run.manifest, run.cells, name) for name in names}
    content = Report(
        [splits(run, rows, DIMENSIONS[name], marks) for name in names if remarks[name] is None],
        marks,
        [remark for remark in remarks.values() if remark is not None],
        money,
        run.manifest,
        lines,
    )
    out = console(sys.stdout)
    _print(content, out)
    if money is None:
        out.print(HINT if costs is None else NO_COSTS, style="dim" if costs is None else None)
    drawing = Drawing(run, shown, marks, wanted.max_size or DEFAULT_SIZE, costs)
    unwritten = _write(content, drawing, charts, outputs, out)
    problems = [*about.remarks, *unwritten, *failure_lines(run.cells), *lines]
    if incomplete or unwritten:
        fail([*problems, *mending(about.folders, run)], INCOMPLETE)
    for line in problems:
        click.echo(line, err=True)
    for line in next_lines(about, rows, marks, names):
        click.echo(line)


def _print(content: Report, out: Console) -> None:
    """The tables, what they show in words, and the costs."""
    together = joined_lines(content.manifest)
    for text in together:
        out.print(text)
    if together:
        out.print()
    every = [split for found in content.splits for split in found]
    for split in every:
        print_split(split, content.marks, out)
    if every:
        for text in signs(every, content.marks):
            out.print(text, style="dim")
        out.print()
    for text in [*map(words, content.splits), *content.remarks]:
        out.print(text)
    if content.costs is not None:
        out.print()
        print_costs(content.costs, out)


def _write(
    content: Report, drawing: Drawing, charts: Path | None, outputs: Sequence[Path], out: Console
) -> list[str]:
    """Write all that was asked for and say where; returns a line for each that can't be."""
    notes: list[str] = []
    unwritten: dict[Path, str] = {}
    written: list[Path] = []
    if charts is not None:
        with noting(charts, unwritten):
            notes += drawing.write_folder(charts, content)
    for path in outputs:
        with noting(path, unwritten):
            if path.suffix.lower() == PAGE:
                notes += drawing.write_page(path)
                written.append(path)
            else:
                written += write_report(path, content)
    if written:
        click.echo(f"Written: {', '.join(map(path_text, written))}")
    for line in dict.fromkeys(notes):
        out.print(line, soft_wrap=True)
    return [*unwritten.values()]


def _check_drawing(charts: Path | None, outputs: Sequence[Path], wanted: Wanted) -> None:
    """Raise ConfigurationError where nothing can be drawn, or there is no page to limit."""
    pages = [path for path in outputs if path.suffix.lower() == PAGE]
    if charts is not None:
        check_charting(charts)
    elif pages:
        check_drawing(f"-o {pages[0]}")
    elif wanted.max_size is not None:
        raise ConfigurationError("--max-size is about the page: give -o page.html, or --out DIR")
