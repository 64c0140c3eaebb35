"""`import`: transcripts into scenario files, with an account of what was kept and what wasn't."""

from __future__ import annotations

from pathlib import Path

import click

from compaction_eval.commands.cancelling import tidy_when_cancelled
from compaction_eval.commands.errors import reports_faults

_POSITIVE = click.IntRange(min=1)


@click.command()
@click.argument("format_name", metavar="FORMAT")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the scenarios; made if need be.",
)
@click.option("--lang", metavar="CODE", help="Language of the conversations, such as en or zh.")
@click.option(
    "--sample",
    metavar="N",
    type=_POSITIVE,
    help="Import only N of all conversations, drawn at random.",
)
@click.option("--seed", metavar="N", type=int, help="What the draw hangs on.  [default: 0]")
@click.option(
    "--from", "first", metavar="N", type=_POSITIVE, help="Leave out the messages before the Nth."
)
@click.option(
    "--to", "last", metavar="N", type=_POSITIVE, help="Leave out the messages after the Nth."
)
@click.option(
    "--max-messages",
    "most",
    metavar="N",
    type=_POSITIVE,
    help="Cut conversations after N of the messages that are left.",
)
@click.option(
    "--scrub",
    is_flag=True,
    help="Replace addresses, phone numbers, keys, home folders and host names.",
)
@click.option("--force", is_flag=True, help="Overwrite scenarios that differ.")
@click.option(
    "--keep-going",
    is_flag=True,
    help="Leave out lines and files that can't be read, and import the rest.",
)
@reports_faults
def command(
    format_name: str,
    files: tuple[Path, ...],
    folder: Path,
    lang: str | None,
    sample: int | None,
    seed: int | None,
    first: int | None,
    last: int | None,
    most: int | None,
    scrub: bool,
    force: bool,
    keep_going: bool,
) -> None:
    """Turn transcripts into scenarios with reuse probes.

    FORMAT is `auto`, or a name from `list formats`. A FILE that is a folder stands for all
    transcripts in it. Either all scenarios are written or, where something is wrong, none.
    """
    from compaction_eval.commands.import_report import told, warnings
    from compaction_eval.scenarios.importers import find_formats
    from compaction_eval.scenarios.importers.pipeline import Choice, import_into
    from compaction_eval.scenarios.importers.window import Window
    from compaction_eval.scenarios.languages import language_fault
    from compaction_eval.strategies.errors import ConfigurationError

    fault = language_fault(lang) if lang is not None else None
    if fault:
        raise ConfigurationError(f"--lang: {fault}")
    if seed is not None and sample is None:
        raise ConfigurationError("--seed is for a sample; give --sample N too")
    choice = Choice(
        formats=find_formats(format_name),
        lang=lang,
        keep_going=keep_going,
        sample=sample,
        seed=seed or 0,
        window=Window(first, last, most),
        scrub=scrub,
        force=force,
    )
    with tidy_when_cancelled():
        outcome = import_into(folder, files, choice)
    for line in warnings(outcome):
        click.echo(line, err=True)
    for line in told(outcome, choice, folder):
        click.echo(line)
