"""What `stress` does once everything is checked: measure, print, write, and say what to do next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import click

from compaction_eval.commands.errors import (
    GATE_FAILED,
    INCOMPLETE,
    NOTHING_SELECTED,
    WRONG_INPUT,
    fail,
)
from compaction_eval.commands.invocation import command_line, same_again
from compaction_eval.commands.next_step import show_arguments
from compaction_eval.commands.progress import progress
from compaction_eval.commands.unwritten import write_all
from compaction_eval.eval.runner import TIME_LIMIT, Executor, run_matrix
from compaction_eval.reports.edge import (
    EdgeReport,
    EdgeScenario,
    EdgeVerdict,
    scenarios_text,
    selected,
)
from compaction_eval.reports.edge_files import write_edge
from compaction_eval.reports.edge_table import print_edge, reason_lines
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import printable
from compaction_eval.reports.table import console
from compaction_eval.strategies.loading import CONTROLS
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from compaction_eval.commands.stress_planning import StressPlan
    from compaction_eval.eval.store import Run

_WIDTH = 400
"""Terminal cells of a line on stderr."""
_NOWHERE = "it applied to no request"
_NEVER_A_PASS = (
    "A requirement that looked at nothing is never a pass: choose scenarios in which it applies "
    "(docs/edge-suite.md says where), or leave it out."
)


def run_stress(
    plan: StressPlan, *, quiet: bool, jobs: int | None, executor: str, time_limit: float | None
) -> None:
    """Measure and report; ends with 1 for a broken requirement, with 2 for one
    that looked at nothing, with 3 where it isn't whole."""
    if not plan.keys:
        fail(["No scenario is selected that has a `stress` section."], NOTHING_SELECTED)
    with progress(len(plan.keys), quiet=quiet) as on_cell:
        run = run_matrix(
            plan.matrix,
            keys=plan.keys,
            jobs=jobs,
            executor=cast("Executor", executor),
            time_limit=time_limit or TIME_LIMIT,
            on_cell=on_cell,
        )
    report = _report(plan, run)
    out = console(sys.stdout)
    told = [label for label in plan.named if label not in CONTROLS] or plan.named
    if not quiet:
        print_edge(report, told, out)
        out.print()
    unwritten = write_all(plan.outputs, lambda path: write_edge(path, report))
    broken = selected(report.broken(plan.named), plan.required)
    problems = [*unwritten.values(), *_errors(run)]
    if problems:
        lines = [*_required(broken), *problems, f"Once that is mended: {same_again()}"]
        fail(lines, INCOMPLETE)
    idle, partly = _unjudged(plan, report)
    if broken:
        fail([*_required(broken), *idle, *partly, _next(plan, run, broken)], GATE_FAILED)
    if idle:
        fail([*idle, *partly, _NEVER_A_PASS], WRONG_INPUT)
    for line in partly:
        click.echo(printable(line), err=True)
    found = report.broken(told)
    last = _next(plan, run, found)
    if quiet:
        # What to do next, where there is something to be looked at.
        last = f"{_in_short(report, found)} {last}" if found else _in_short(report, found)
    click.echo(last)


def _report(plan: StressPlan, run: Run) -> EdgeReport:
    scenarios = [
        EdgeScenario(one.id, one.variant, one.title, one.stress.holds if one.stress else ())
        for one in plan.matrix.scenarios
    ]
    strategies = [spec.label for spec in plan.matrix.strategies]
    return EdgeReport(run.manifest, scenarios, strategies, run.cells)


def _errors(run: Run) -> list[str]:
    if not run.errors:
        return []
    count = f"{len(run.errors):,} of {plural(len(run.cells), 'cell')}"
    return [*failure_lines(run.cells), f"{count} couldn't be judged."]


def _required(broken: Sequence[EdgeVerdict]) -> list[str]:
    if not broken:
        return []
    count = plural(len(broken), "required property is", "required properties are")
    return [f"{count} broken:", *reason_lines(broken, _WIDTH)]


def _unjudged(plan: StressPlan, report: EdgeReport) -> tuple[list[str], list[str]]:
    """Requirements that were judged of no named strategy, and those judged only of some."""
    idle, partly = [], []
    for name in plan.required:
        judged = {
            one.strategy for one in selected(report.verdicts, [name]) if one.strategy in plan.named
        }
        missing = [label for label in plan.named if label not in judged]
        if not judged:
            idle.append(f"--require {name}: {_NOWHERE} of {_scenarios(report)}")
        elif missing:
            partly.append(f"--require {name}: {_NOWHERE} of {', '.join(missing)}; not judged there")
    return idle, partly


def _scenarios(report: EdgeReport) -> str:
    count = len({one.id for one in report.scenarios})
    return "the one scenario" if count == 1 else f"all {count:,} scenarios"


def _in_short(report: EdgeReport, found: Sequence[EdgeVerdict]) -> str:
    return (
        f"{scenarios_text(report)} judged; {plural(len(found), 'property', 'properties')} broken."
    )


def _next(plan: StressPlan, run: Run, broken: Sequence[EdgeVerdict]) -> str:
    """What to do now: look at one broken property, or keep the reasons of all."""
    kept = f"Written: {', '.join(map(path_text, plan.outputs))}. " if plan.outputs else ""
    shown = next((one for one in broken if one.scenario.id not in plan.in_memory), None)
    if shown is not None:
        key = next(
            cell.key
            for cell in run.cells
            if (cell.key.scenario, cell.key.variant, cell.key.strategy)
            == (shown.scenario.id, shown.scenario.variant, shown.strategy)
        )
        command = command_line("show", show_arguments(plan.matrix, key))
        return f"{kept}Follow one: {command}"
    if plan.outputs:
        return kept.rstrip()
    what = "Every reason" if broken else "All held. A table for others"
    return f"{what}: {same_again()} -o edge.md"
