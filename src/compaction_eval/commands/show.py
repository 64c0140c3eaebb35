"""`show`: replays one cell and tells it, request by request, fact by fact."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.commands.errors import INCOMPLETE, reports_faults
from compaction_eval.commands.invocation import command_line
from compaction_eval.eval.validity import PROFILES
from compaction_eval.strategies.vocabulary import NAMES

if TYPE_CHECKING:
    from compaction_eval.eval.recall.recalling import Asked


@click.command()
@click.argument("scenario", metavar="[SCENARIO]", required=False)
@click.option(
    "--transcript",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Transcript that holds the conversation, instead of a scenario's file; repeatable.",
)
@click.option("--format", "format_name", metavar="NAME", default="auto", show_default=True)
@click.option("--strategy", metavar="SPEC", required=True, help="As for run.")
@click.option("--budget", metavar="TOKENS|PERCENT", default="30%", show_default=True)
@click.option("--summarizer", metavar="SPEC", default="extractive", show_default=True)
@click.option(
    "--run",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Take it from this run folder instead of replaying it, with what a model answered there.",
)
@click.option("--probe", metavar="ID", help="Only this probe, and the requests up to it.")
@click.option("--variant", metavar="VALUES", help="Such as noise=20. Default: the first one.")
@click.option("--encoding", type=click.Choice(NAMES), default="o200k_base", show_default=True)
@click.option("--profile", type=click.Choice(tuple(PROFILES)), default="openai", show_default=True)
@click.option(
    "--pager/--no-pager",
    default=True,
    help="Page what is longer than the screen, by $PAGER or less. Default: page, on a terminal.",
)
@reports_faults
def command(
    scenario: str | None,
    transcript: tuple[Path, ...],
    format_name: str,
    strategy: str,
    budget: str,
    summarizer: str,
    folder: Path | None,
    probe: str | None,
    variant: str | None,
    encoding: str,
    profile: str,
    pager: bool,
) -> None:
    """Follow one conversation request by request: what was kept, what was lost, and where.

    SCENARIO is a file or a shipped id; of a transcript the conversation's id, where it holds
    several. First what became of the facts, then each request: which messages were kept, new,
    dropped, summarised or masked, and which facts moved into a summary, went stale or were lost;
    then each question. Nothing is written.
    """
    from compaction_eval.commands.one_scenario import check_probe, chosen, of_transcripts
    from compaction_eval.commands.paging import paged
    from compaction_eval.commands.several_runs import of_run
    from compaction_eval.eval.matrix import Budget, Matrix
    from compaction_eval.eval.runner import run_matrix
    from compaction_eval.reports.story import print_story
    from compaction_eval.reports.table import console
    from compaction_eval.scenarios.library import select
    from compaction_eval.strategies.loading import load_strategy, load_summarizer
    from compaction_eval.strategies.specs import parse_option

    here = Path.cwd()
    if transcript:
        found = of_transcripts(transcript, format_name, scenario)
    elif scenario is not None:
        found = select([scenario])
    else:
        raise click.UsageError("Missing argument 'SCENARIO', or the option --transcript.")
    which = chosen(found, scenario or str(transcript[0]), variant)
    check_probe(which, probe)
    spec = parse_option("--strategy", of_run(strategy, folder))
    summarizing = parse_option("--summarizer", summarizer)
    loaded = (load_strategy(spec, here), load_summarizer(summarizing, here))
    names = [name for one in loaded if one is not None for name in one.models]
    matrix = Matrix(
        scenarios=(which,),
        strategies=(spec,),
        budgets=(Budget.parse(budget),),
        summarizers=(summarizing,),
        encoding=encoding,
        profile=profile,
        directory=here,
    )
    if folder is None:
        with _summarising(names, here) as asked:
            (cell,) = run_matrix(matrix, asked=asked).cells
    else:
        from compaction_eval.commands.kept_cell import kept_cell

        cell = kept_cell(folder, matrix)
    out = console(sys.stdout)
    with paged(out, wanted=pager):
        standing = print_story(which, cell, out, probe=probe)
    if folder is not None and standing is not None:
        from compaction_eval.reports.page.links import fragment

        page = command_line("report", [str(folder), "-o", "page.html"])
        address = fragment(standing, probe)
        out.print(f"\nThe same on the page: {page}, then page.html#{address}", soft_wrap=True)
    if cell.error is not None:
        click.get_current_context().exit(INCOMPLETE)


@contextmanager
def _summarising(names: Sequence[str], here: Path) -> Iterator[Asked | None]:
    """Who is asked for summaries, if a model is; what a run has asked before is found again."""
    if not names:
        yield None
        return
    from compaction_eval.commands.configuration import find_configuration
    from compaction_eval.commands.model_settings import settings_of
    from compaction_eval.eval.models.base import ModelError
    from compaction_eval.eval.recall.opening import ModelPlan, asked_by
    from compaction_eval.strategies.errors import ConfigurationError

    settings = settings_of(find_configuration(None, here), os.environ)
    try:
        with asked_by(ModelPlan(summarizers=tuple(names), settings=settings)) as (asked, _):
            yield asked
    except ModelError as error:
        raise ConfigurationError(str(error)) from None
