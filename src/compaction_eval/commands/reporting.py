"""What `report` does: read the run, print its tables, say what they show and what to do next."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from compaction_eval.commands.charting import PAGE, Drawing, check_charting, check_drawing
from compaction_eval.commands.errors import INCOMPLETE, fail
from compaction_eval.commands.invocation import command_line, path_argument
from compaction_eval.commands.money import HINT, NO_COSTS, MoneyWanted, reckoned
from compaction_eval.commands.next_step import show_a_kept_loss
from compaction_eval.commands.run_folder import gaps, mending
from compaction_eval.commands.running import run_marks
from compaction_eval.commands.several_runs import Reported, reported, versions
from compaction_eval.commands.unanimity import check_arguments, own_scenarios
from compaction_eval.commands.unwritten import noting
from compaction_eval.eval.matrix import Budget
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.store import Run
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
from compaction_eval.reports.figures import plural
from compaction_eval.reports.joined_words import joined_lines
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page import DEFAULT_SIZE
from compaction_eval.reports.results import check_output
from compaction_eval.reports.table import console
from compaction_eval.reports.unanimous import comparable, unanimous
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.paths import path_text


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
    pages = [path for path in outputs if path.suffix.lower() == PAGE]
    _check_drawing(charts, pages, wanted)
    about = reported(given)
    run = about.run
    marks = run_marks(run.manifest)
    every = summary_rows(run)
    rows = _chosen(every, wanted, marks, run.manifest)
    costs = reckoned(run, wanted.money)
    names = tuple(dict.fromkeys(wanted.by)) or DEFAULT
    remarks = {name: unsaid(run.manifest, run.cells, name) for name in names}
    told = [splits(run, rows, DIMENSIONS[name], marks) for name in names if remarks[name] is None]
    out = console(sys.stdout)
    together = joined_lines(run.manifest)
    for text in together:
        out.print(text)
    if together:
        click.echo()
    for found in told:
        for split in found:
            print_split(split, marks, out)
    if told:
        for text in signs([split for found in told for split in found], marks):
            out.print(text, style="dim")
        click.echo()
    lacking = [remark for remark in remarks.values() if remark is not None]
    for text in [*map(words, told), *lacking]:
        out.print(text)
    # Costs, charts and pages show the controls too: they bound the scale.
    at = {row.budget for row in rows}
    shown = [row for row in every if row in rows or (marks.is_reference(row) and row.budget in at)]
    groups = [] if costs is None else cost_groups(shown, costs)
    best = cost_finding(shown, marks, RowShares(run.cells), costs)
    money = CostReport(costs, groups, marks, best) if costs is not None and groups else None
    if costs is None:
        out.print(HINT, style="dim")
    elif money is None:
        out.print(NO_COSTS)
    else:
        click.echo()
        print_costs(money, out)
    lines, incomplete = gaps(run)
    content = Report(told, marks, lacking, money, run.manifest, lines)
    drawing = Drawing(run, shown, marks, wanted.max_size or DEFAULT_SIZE, costs)
    notes: list[str] = []
    unwritten: dict[Path, str] = {}
    written: list[Path] = []
    if charts is not None:
        with noting(charts, unwritten):
            notes += drawing.write_folder(charts, content)
    for path in outputs:
        with noting(path, unwritten):
            if path in pages:
                notes += drawing.write_page(path)
                written.append(path)
            else:
                written += write_report(path, content)
    if written:
        click.echo(f"Written: {', '.join(map(path_text, written))}")
    for line in dict.fromkeys(notes):
        out.print(line, soft_wrap=True)
    problems = [*about.remarks, *unwritten.values(), *failure_lines(run.cells), *lines]
    if incomplete or unwritten:
        fail([*problems, *mending(about.folders, run)], INCOMPLETE)
    for line in problems:
        click.echo(line, err=True)
    for line in _next(about, rows, marks, names):
        click.echo(line)


def _chosen(
    rows: Sequence[SummaryRow], wanted: Wanted, marks: Marks, manifest: Mapping[str, Any]
) -> list[SummaryRow]:
    """The rows that are asked for. Raises ConfigurationError for what the run doesn't have."""
    budgets = [Budget.parse(text).label for text in wanted.budgets]
    _check("budget", budgets, [row.budget for row in rows])
    strategies = versions(wanted.strategies, manifest)
    _check("strategy", strategies, [row.strategy for row in rows])
    at = [row for row in rows if not budgets or row.budget in budgets]
    if wanted.strategies:
        return [row for row in at if row.strategy in strategies]
    # What bounds the scale says nothing of where it is hard; without anything else, it is shown.
    return [row for row in at if not marks.is_reference(row)] or at


def _check(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    names = list(dict.fromkeys(known))
    faults = [
        f"--{what}: this run has no '{one}'"
        + (did_you_mean(one, names) or f"; there are {', '.join(names)}")
        for one in given
        if one not in names
    ]
    if faults:
        raise ConfigurationError("\n".join(faults))


def _check_drawing(charts: Path | None, pages: Sequence[Path], wanted: Wanted) -> None:
    """Raise ConfigurationError where nothing can be drawn, or there is no page to limit."""
    if charts is not None:
        check_charting(charts)
    elif pages:
        check_drawing(f"-o {pages[0]}")
    elif wanted.max_size is not None:
        raise ConfigurationError("--max-size is about the page: give -o page.html, or --out DIR")


def _next(
    about: Reported, rows: Sequence[SummaryRow], marks: Marks, names: Sequence[str]
) -> list[str]:
    """What to do next: first what probes of one's own leave open, then a loss to follow."""
    if len(about.folders) == 1:
        (folder,) = about.folders
        own = _unanimous(folder, about.run, marks)
        # `show` looks at one run.
        loss = show_a_kept_loss(folder, about.run, rows, marks)
        if loss is not None:
            return [*own, loss]
    else:
        own = []
    if "probe" in names:
        return [*own, f"Follow one probe: {command_line('show', ['--help'])}"]
    folders = map(path_argument, about.folders)
    return [*own, f"Probe by probe: {command_line('report', [*folders, '--by', 'probe'])}"]


def _unanimous(folder: Path, run: Run, marks: Marks) -> list[str]:
    """A line on the probes that say nothing of any strategy, for whoever could mend them."""
    arguments = check_arguments(folder, run)
    own = own_scenarios(run)
    # Neither a shipped scenario nor a transcript is the reader's to mend.
    found = unanimous(run, marks) if own and comparable(run, marks) else ()
    found = [one for one in found if one.scenario in own]
    if not found:
        return []
    passed = sum(one.outcome == "all" for one in found)
    told = plural(len(found), "probe tells", "probes tell")
    split = f"{passed:,} passed by all, {len(found) - passed:,} by none"
    return [f"{told} no strategies apart ({split}): {command_line('check', arguments)}"]
