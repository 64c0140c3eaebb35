"""What `run` does once everything is checked: measure, print, write, and say what to do next."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from compaction_eval.commands.asking import (
    finished_before,
    note_attempts,
    opened_models,
    told_use,
    unanswered,
    would_ask,
)
from compaction_eval.commands.errors import (
    INCOMPLETE,
    INTERRUPTED,
    NOTHING_SELECTED,
    WRONG_INPUT,
    fail,
)
from compaction_eval.commands.invocation import again_with, command_line, same_again
from compaction_eval.commands.next_step import show_a_loss
from compaction_eval.commands.own_tools import tell_own_tools
from compaction_eval.commands.progress import progress
from compaction_eval.commands.result_files import write_result_files
from compaction_eval.commands.transcripts import account_lines, left_out_lines
from compaction_eval.eval.manifest import manifest_of, run_id
from compaction_eval.eval.models.base import LimitReachedError, ModelError, StoreError
from compaction_eval.eval.models.limits import Spent
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.run_files import MANIFEST
from compaction_eval.eval.runner import TIME_LIMIT, Executor, run_matrix
from compaction_eval.eval.store import Run, RunFolder, RunFolderError
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gaps import uneven_lines
from compaction_eval.reports.marks import Marks, marks_of
from compaction_eval.reports.printable import one_line
from compaction_eval.reports.recalled import print_recalled, recall_sentence, was_asked
from compaction_eval.reports.sentence import finding_lines
from compaction_eval.reports.shown import shown_lines
from compaction_eval.reports.summarised_by import summarised_by
from compaction_eval.reports.table import console, print_table
from compaction_eval.scenarios.library import ON_DEMAND
from compaction_eval.scenarios.wording import listed_words
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from compaction_eval.commands.planning import Plan


def tell_transcripts(plan: Plan, *, quiet: bool) -> None:
    """Say what was found in the transcripts; where nothing can be measured, why, and end with 5."""
    left_out = list(left_out_lines(plan.transcripts))
    if plan.transcripts and not plan.matrix.scenarios:
        files = [str(one.path) for one in plan.transcripts]
        write = command_line("import", ["auto", *files, "-o", "my-scenarios"])
        nothing = [
            f"{path_text(file)}: nothing to measure: no conversation in it" for file in files
        ]
        fail([*(left_out or nothing), f"Ask questions of your own: {write}"], NOTHING_SELECTED)
    if plan.transcripts and not quiet:
        for line in (*account_lines(plan.transcripts), *left_out, ""):
            click.echo(line)


def describe_plan(plan: Plan, expression: str | None, out: Path | None) -> None:
    """Say what would run; where that is nothing, what there was to select, and end with 5."""
    matrix = plan.matrix
    total = sum(1 for _ in matrix.cells())
    lines = [
        f"{plural(len({one.id for one in matrix.scenarios}), 'scenario')}:"
        f" {_listed(one.id for one in matrix.scenarios)}",
        f"strategies: {_listed(spec.label for spec in matrix.strategies)}",
        f"budgets: {_listed(budget.label for budget in matrix.budgets)}",
        f"summarizers: {_listed(spec.label for spec in matrix.summarizers)}",
    ]
    if not plan.keys:
        chosen = f"-k '{expression}' selects none of" if expression is not None else "there are"
        told = [f"{chosen} {plural(total, 'cell')}; {'; '.join(lines)}"]
        fail([*told, *_left_out(plan, expression or "")], NOTHING_SELECTED)
    folder = _folder(plan, out)
    RunFolder(folder).check(manifest_of(matrix))
    lines += would_ask(plan)
    for line in lines:
        click.echo(line)
    click.echo(
        f"Would measure {plural(len(plan.keys), 'cell')} of {total:,} into {path_text(folder)}"
    )


def _left_out(plan: Plan, expression: str) -> list[str]:
    """Of tags that the expression names, those whose scenarios weren't there to select from."""
    there = {tag for one in plan.matrix.scenarios for tag in one.tags}
    words = set(re.findall(r"[\w-]+", expression.casefold()))
    return [
        f"Scenarios with the tag '{tag}' are taken only where they're named: --scenario tag:{tag}"
        for tag in sorted(ON_DEMAND & words - there)
    ]


def run_plan(
    plan: Plan,
    *,
    out: Path | None,
    quiet: bool,
    jobs: int | None,
    executor: str,
    time_limit: float | None,
) -> None:
    """Measure the plan's cells and report on them; ends with 3 where that can't be done whole."""
    folder = _folder(plan, out)
    spent = Spent()
    finished = finished_before(plan, folder)
    try:
        with (
            opened_models(plan, finished, folder) as (asked, used),
            progress(len(plan.keys), quiet=quiet) as on_cell,
        ):
            run = run_matrix(
                plan.matrix,
                keys=plan.keys,
                folder=folder,
                jobs=jobs,
                executor=cast("Executor", executor),
                time_limit=time_limit or TIME_LIMIT,
                asked=asked,
                on_cell=on_cell,
            )
            if finished and asked is not None and plan.models and plan.models.record is not None:
                # What they were told is in no recording yet. It comes from the store.
                run_matrix(plan.matrix, keys=finished, asked=asked, jobs=jobs)
            spent = used()
        note_attempts(plan, run, folder)
    except KeyboardInterrupt:
        fail(
            [f"Interrupted; finished cells are in {path_text(folder)}. Go on: {same_again()}"],
            INTERRUPTED,
        )
    except (LimitReachedError, StoreError) as error:
        told = f"{one_line(str(error))}; finished cells are in {path_text(folder)}."
        fail([f"{told} Go on: {same_again()}"], INCOMPLETE)
    except ModelError as error:
        fail(str(error).splitlines(), WRONG_INPUT)
    except RunFolderError as error:
        fail([f"{error}; finished cells are kept. Go on: {same_again()}"], INCOMPLETE)
    rows = summary_rows(run)
    marks = run_marks(run.manifest)
    out_console = console(sys.stdout)
    if not quiet:
        print_table(rows, marks, out_console)
        for line in summarised_by(run.manifest, rows):
            out_console.print(line, style="dim")
        click.echo()
        if was_asked(rows):
            print_recalled(rows, marks, out_console)
            click.echo()
        for line in uneven_lines(run.manifest, run.cells):
            out_console.print(line, soft_wrap=True)
        for line in shown_lines(rows, run.manifest):
            out_console.print(line, soft_wrap=True)
    follow = None
    written = write_result_files(plan.outputs, run, rows, marks)
    unwritten = written.unwritten
    if not quiet:
        if run.reused == len(run.cells):
            out_console.print(_nothing_new(run, folder))
        out_console.print(f"Written: {_paths(plan, folder, unwritten)}", soft_wrap=True)
        for note in dict.fromkeys(written.notes):
            out_console.print(note, soft_wrap=True)
        for line in finding_lines(rows, marks, RowShares(run.cells)):
            out_console.print(line)
        recalled = recall_sentence(rows, run.manifest)
        if recalled:
            out_console.print(recalled)
        follow = tell_own_tools(plan.matrix, run, marks, out_console)
    problems = [*unwritten.values(), *_without_figures(run), *unanswered(run)]
    if plan.models is not None and not quiet:
        click.echo(told_use(spent))
    if problems:
        fail([*problems, f"Once that is mended: {same_again()}"], INCOMPLETE)
    if not quiet:
        click.echo(follow or show_a_loss(plan.matrix, run, rows, marks) or _no_loss(run, marks))
        choices = [row for row in rows if marks.is_choice(row.strategy) and not row.sees_answer_key]
        if not choices and _asks(run):
            more = ("--strategy", "block-truncation", "--strategy", "rolling-summary")
            click.echo(f"Compare strategies: {again_with(more, without=['--out'])}")
    else:
        click.echo(f"{plural(len(run.cells), 'cell')} measured: {_paths(plan, folder)}")


def _no_loss(run: Run, marks: Marks) -> str:
    own = [cell for cell in run.cells if marks.is_choice(cell.key.strategy)] or run.cells
    if own and all(cell.apart for cell in own):
        larger = again_with(("--budget", "30%"), without=["--budget", "--out"])
        return f"Nothing could be measured at this budget; try a larger one: {larger}"
    return "No fact was lost." if _asks(run) else "No probe asks for a fact, so none could be lost."


def _asks(run: Run) -> bool:
    return any(probe.verdict != "not-asked" for cell in run.cells for probe in cell.probes)


def run_marks(manifest: Any) -> Marks:
    """What the labels of a run stand for, by its manifest."""
    return marks_of(one["spec"] for one in manifest.get("strategies", ()))


def _folder(plan: Plan, out: Path | None) -> Path:
    """Where the run goes; ConfigurationError for where one works, which holds other things."""
    if out is None:
        return Path("runs") / run_id(manifest_of(plan.matrix))
    if Path.cwd().is_relative_to(out.resolve()) and not (out / MANIFEST).exists():
        raise ConfigurationError(
            f"--out {path_text(out)}: you are in that folder; a run takes one of its own, such as"
            f" {path_text(out / 'runs' / 'mine')}"
        )
    return out


def _nothing_new(run: Run, folder: Path) -> str:
    return (
        f"Nothing new to measure: {plural(len(run.cells), 'cell')} had been finished before.\n"
        f"To measure again, delete {path_text(folder)} or give another --out."
    )


def _paths(plan: Plan, folder: Path, unwritten: Container[Path] = ()) -> str:
    written = [path_text(path) for path in plan.outputs if path not in unwritten]
    return ", ".join([f"{path_text(folder)}{os.sep}", *written])


def _without_figures(run: Run) -> list[str]:
    if not run.errors:
        return []
    count = f"{len(run.errors):,} of {plural(len(run.cells), 'cell')}"
    return [*failure_lines(run.cells), f"{count} without figures."]


def _listed(names: Any) -> str:
    return listed_words(dict.fromkeys(one_line(name) for name in names), most=40)
