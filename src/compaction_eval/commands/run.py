"""`run`: replays the matrix, prints the table, writes a run folder and result files."""

from __future__ import annotations

from pathlib import Path

import click

from compaction_eval.commands.config_keys import MOST_REPEATS
from compaction_eval.commands.errors import reports_faults
from compaction_eval.commands.invocation import RecordedCommand
from compaction_eval.commands.measuring_options import measuring_options
from compaction_eval.commands.model_options import model_options
from compaction_eval.eval.validity import PROFILES
from compaction_eval.strategies.vocabulary import NAMES


@click.command(cls=RecordedCommand)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration; compaction-eval.yaml or pyproject.toml of this folder if not given.",
)
@click.option(
    "--scenario",
    metavar="PATH|ID|TAG:x",
    multiple=True,
    help="Scenario file, folder, shipped id or tag; repeatable. Default: the shipped library.",
)
@click.option(
    "--transcript",
    metavar="FILE",
    multiple=True,
    help="Transcript to measure as it stands, by the values that its agent used again; repeatable.",
)
@click.option(
    "--format",
    metavar="NAME",
    help="The format of the transcripts, from list formats. Default: auto.",
)
@click.argument("more", metavar="", nargs=-1)
@click.option(
    "--strategy",
    metavar="SPEC",
    multiple=True,
    help="NAME, 'NAME(key=value)', ./file.py:NAME or pkg.mod:NAME; repeatable. Default: all"
    " built-in ones.",
)
@click.option(
    "--budget",
    metavar="TOKENS|PERCENT",
    multiple=True,
    help="What a request may take: 2000, or 30% of the conversation; repeatable. Default: 15%,"
    " 30%, 50%.",
)
@click.option(
    "--summarizer",
    metavar="SPEC",
    multiple=True,
    help="Like --strategy, or none; openai:NAME has a model summarise, model that of --model;"
    " repeatable. Default: extractive.",
)
@click.option(
    "--controls/--no-controls",
    default=None,
    help="Add none, empty, evidence-only and token-window where they're missing. Default: add.",
)
@click.option(
    "--repeats",
    metavar="N",
    type=click.IntRange(min=1, max=MOST_REPEATS),
    help="Measure each cell N times.",
)
@click.option(
    "-k",
    "expression",
    metavar="EXPR",
    help="Only cells whose scenario, variant, tags, strategy, budget or summarizer match: words"
    " joined by and, or, not, ( ).",
)
@click.option("--encoding", type=click.Choice(NAMES), help="Counts tokens. Default: o200k_base.")
@click.option(
    "--profile",
    type=click.Choice(tuple(PROFILES)),
    help="The API whose rules make a request invalid. Default: openai.",
)
@measuring_options
@model_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    help="Also write results there, by suffix: .json, .jsonl, .csv, .md, .xml"
    " (JUnit), .html (the page); repeatable.",
)
@click.option(
    "--out", metavar="DIR", help="The run folder. Default: runs/ID, the same for the same run."
)
@click.option("--dry-run", is_flag=True, help="Check everything, say what would run, run nothing.")
@click.option(
    "-q", "--quiet", is_flag=True, default=None, help="Print errors and the last line only."
)
@reports_faults
def command(
    config: Path | None,
    expression: str | None,
    dry_run: bool,
    more: tuple[str, ...],
    **options: object,
) -> None:
    """Replay scenarios through compaction strategies and compare what they keep and save.

    With --transcript: your own recorded conversation, and what its own tool's compaction lost.
    Without options: the shipped library, all built-in strategies, three budgets, no network.
    Finished cells are kept in the run folder; the same command goes on where it was interrupted.
    With --model also what a model recalls is measured, beside what survives; with --summarizer
    openai:NAME it writes the summaries.

    \b
    Exit codes: 0 good, 2 wrong input (nothing has run), 3 not all could be measured,
    asked or written, or a limit was reached, 5 nothing selected, 130 interrupted.
    """
    from compaction_eval.commands.configuration import find_configuration
    from compaction_eval.commands.planning import Planner
    from compaction_eval.commands.running import describe_plan, run_plan, tell_transcripts

    here = Path.cwd()
    given = _texts(options)
    given["transcript"] += _further(more, after=given["transcript"])
    planner = Planner(given, find_configuration(config, here), here)
    plan = planner.plan(expression)
    quiet = (planner.one("quiet") or "false").casefold() == "true"
    out = planner.path("out")
    tell_transcripts(plan, quiet=quiet)
    if dry_run or not plan.keys:
        describe_plan(plan, expression, out)
        return
    limit, jobs = planner.one("time-limit"), planner.one("jobs")
    run_plan(
        plan,
        out=out,
        quiet=quiet,
        jobs=int(jobs) if jobs else None,
        executor=planner.one("executor") or "auto",
        time_limit=float(limit) if limit else None,
    )


def _further(more: tuple[str, ...], after: list[str]) -> list[str]:
    """More transcripts, as a shell makes of `--transcript *.jsonl`; without one, a mistake."""
    if more and not after:
        raise click.UsageError(
            f"Got unexpected extra argument ({more[0]}); a scenario is given by --scenario,"
            " a transcript by --transcript"
        )
    return list(more)


def _texts(options: dict[str, object]) -> dict[str, list[str]]:
    """The given options by long name, each value as the text that a configuration would have."""
    texts: dict[str, list[str]] = {}
    for name, value in options.items():
        values = value if isinstance(value, tuple) else () if value is None else (value,)
        texts[name.replace("_", "-")] = [
            str(one).lower() if isinstance(one, bool) else str(one) for one in values
        ]
    return texts
