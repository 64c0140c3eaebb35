"""`import`: transcripts into scenario files, with an account of what was kept and what wasn't."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.commands.errors import reports_faults
from compaction_eval.commands.invocation import command_line

if TYPE_CHECKING:
    from compaction_eval.scenarios.importers.records import Account, Conversation, Imported


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
    force: bool,
    keep_going: bool,
) -> None:
    """Turn transcripts into scenarios with reuse probes.

    FORMAT is `auto`, or a name from `list formats`. All files are read before any is written.
    """
    from compaction_eval.reports.figures import plural
    from compaction_eval.reports.printable import printable
    from compaction_eval.scenarios.importers.naming import Ids
    from compaction_eval.scenarios.importers.writing import scenario_files, write_files
    from compaction_eval.scenarios.languages import language_fault
    from compaction_eval.strategies.errors import ConfigurationError

    fault = language_fault(lang) if lang is not None else None
    if fault:
        raise ConfigurationError(f"--lang: {fault}")
    imported = _read(format_name, files, keep_going=keep_going)
    conversations = [each for one in imported.values() for each in one.conversations]
    ids = Ids()
    written: dict[str, bytes] = {}
    for conversation in conversations:
        written |= scenario_files(conversation, ids.take(conversation.name), lang)
    write_files(folder, written, force=force)
    for path, one in imported.items():
        found = plural(len(one.conversations), "conversation")
        click.echo(f"{printable(str(path))}: {found}, {_balance(one.account)}")
    for line in _totals(list(imported.values()), conversations):
        click.echo(line)
    click.echo(_next_step(folder, conversations))


def _read(format_name: str, files: Sequence[Path], *, keep_going: bool) -> dict[Path, Imported]:
    """The conversations of each file; the mistakes of all files in one error.

    To keep going is to show the mistakes and do without what they spoil, unless that is all.
    """
    from compaction_eval.reports.printable import printable
    from compaction_eval.scenarios.importers import find_formats, import_file
    from compaction_eval.scenarios.importers.documents import shortened
    from compaction_eval.strategies.errors import ConfigurationError

    formats = find_formats(format_name)
    imported: dict[Path, Imported] = {}
    mistakes: list[str] = []
    given = list(dict.fromkeys(files))
    for path in given:
        beside = [other for other in given if other != path]
        try:
            imported[path] = import_file(formats, path, keep_going=keep_going, beside=beside)
        except ConfigurationError as error:
            mistakes += str(error).splitlines()
        else:
            mistakes += map(str, shortened(list(imported[path].faults)))
    if mistakes and not (keep_going and imported):
        raise ConfigurationError("\n".join(mistakes))
    for line in mistakes:
        click.echo(printable(f"left out: {line}"), err=True)
    return imported


def _next_step(folder: Path, conversations: Sequence[Conversation]) -> str:
    """The command that measures the scenarios, and what they need before it has anything to."""
    from compaction_eval.scenarios.reuse import reuse_probes

    found = (
        probe
        for each in conversations
        for probe in reuse_probes(each.messages, each.tools, text=True)
    )
    run = command_line("run", ["--scenario", str(folder)])
    asked = any(each.questions for each in conversations)
    if not asked and all(probe.free for probe in found):
        return f"Next: write probes, a run has nothing to measure until then; after that: {run}"
    return f"Next: {run}"


def _totals(imported: Sequence[Imported], conversations: Sequence[Conversation]) -> list[str]:
    from compaction_eval.reports.figures import plural
    from compaction_eval.scenarios.importers.records import Account
    from compaction_eval.scenarios.reuse import reuse_probes

    account = Account.total(one.account for one in imported)
    every = [
        probe
        for each in conversations
        for probe in reuse_probes(each.messages, each.tools, text=True)
    ]
    probes = [probe for probe in every if probe.where != "text"]
    words = [probe for probe in every if probe.where == "text"]
    free, own = sum(probe.free for probe in probes), sum(probe.own for probe in probes)
    lines = [f"Total: {plural(len(conversations), 'conversation')}, {_balance(account)}"]
    for what, reasons in (("skipped", account.skipped), ("repaired", account.repaired)):
        lines.extend(f"  {what}, {reason}: {number}" for reason, number in reasons)
    compactions = sum(len(each.compactions) for each in conversations)
    if compactions:
        lines.append(f"{plural(compactions, 'recorded compaction')} (see the descriptions)")
    faults = sum(len(one.faults) for one in imported)
    if faults:
        lines.append(f"{plural(faults, 'entry', 'entries')} left out")
    questions = sum(len(each.questions) for each in conversations)
    if questions:
        lines.append(plural(questions, "written probe"))
    lines.append(f"{plural(len(probes), 'reuse probe')}, of which {free} free and {own} own")
    sure = [probe for probe in probes if not (probe.free or probe.chance)]
    again = sum(probe.recoverable for probe in sure)
    lines.append(f"  {len(sure)} counted and sure, of which {again} recoverable")
    if words:
        known = sum(probe.free for probe in words)
        lines.append(f"{len(words):,} more in the agent's own words, of which {known} free")
    return lines


def _balance(account: Account) -> str:
    from compaction_eval.reports.figures import plural

    skipped, repaired = (sum(dict(of).values()) for of in (account.skipped, account.repaired))
    return f"{plural(account.kept, 'message')} kept, {skipped} skipped, {repaired} repaired"
