"""`stress`: judges strategies on the edge suite, property by property."""

from __future__ import annotations

from pathlib import Path

import click

from compaction_eval.commands.errors import reports_faults
from compaction_eval.commands.invocation import RecordedCommand
from compaction_eval.commands.measuring_options import measuring_options


@click.command(cls=RecordedCommand)
@click.argument("selectors", metavar="[PATH|ID|TAG:x]...", nargs=-1)
@click.option(
    "--strategy",
    metavar="SPEC",
    multiple=True,
    help="As for run; repeatable. Default: all built-in ones.",
)
@click.option(
    "--cases",
    metavar="FILE",
    multiple=True,
    help="JSON Lines with `id` and `messages`, judged by all properties; repeatable.",
)
@click.option(
    "--require",
    metavar="FAMILY|PROPERTY",
    multiple=True,
    help="End with 1 if a strategy given with --strategy breaks it; repeatable.",
)
@click.option(
    "--summarizer", metavar="SPEC", help="In place of the summarizer that each scenario names."
)
@measuring_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    help="Also write results there, by suffix: .md, .csv, .json; repeatable.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print errors and the last line only.")
@reports_faults
def command(
    selectors: tuple[str, ...],
    strategy: tuple[str, ...],
    cases: tuple[str, ...],
    require: tuple[str, ...],
    summarizer: str | None,
    jobs: int | None,
    executor: str | None,
    time_limit: float | None,
    output: tuple[str, ...],
    quiet: bool,
) -> None:
    """Judge strategies on what compaction code must get right, request by request.

    Without PATH and --cases: the shipped scenarios with the tag `edge`. Each is replayed under the
    budget and the summarizer that it names.

    \b
    Exit codes: 0 good, 1 a required property was broken, 2 wrong input (nothing has run) or a
    required property that applied nowhere, 3 not all could be measured or written, 5 nothing
    selected, 130 interrupted.
    """
    from compaction_eval.commands.stress_planning import StressOptions, plan_stress
    from compaction_eval.commands.stress_running import run_stress

    plan = plan_stress(
        StressOptions(selectors, strategy, cases, require, summarizer, output), Path.cwd()
    )
    run_stress(plan, quiet=quiet, jobs=jobs, executor=executor or "auto", time_limit=time_limit)
