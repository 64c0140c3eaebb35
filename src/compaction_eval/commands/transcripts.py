"""Transcripts that are measured as they stand: how they're named again, and what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from compaction_eval.commands.invocation import command_line
from compaction_eval.reports.figures import plural
from compaction_eval.scenarios.wording import listed_words
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from compaction_eval.scenarios.importers.in_memory import Transcript
    from compaction_eval.scenarios.records import Scenario

MOST_TOLD = 10
"""Files that are told of one by one."""


def given_transcripts(
    paths: Sequence[Path], format_name: str, taken: Sequence[str]
) -> list[Transcript]:
    """The conversations of some files; `taken` are ids of other scenarios.

    Raises ConfigurationError with the mistakes of all files, and with an import that gets on.
    """
    from compaction_eval.scenarios.importers import find_formats
    from compaction_eval.scenarios.importers.in_memory import read_transcripts
    from compaction_eval.scenarios.importers.reading import is_anything_left
    from compaction_eval.scenarios.importers.sources import Source

    def import_of(*arguments: str) -> str:
        return command_line("import", [format_name, *arguments])

    given = list(dict.fromkeys(paths))
    folders = [path for path in given if path.is_dir()]
    if folders:
        told = [(one, import_of(str(one), "-o", "my-scenarios")) for one in folders]
        raise ConfigurationError(
            "\n".join(f"{one}: is a folder; import it: {how}" for one, how in told)
        )
    try:
        return read_transcripts(given, format_name, taken)
    except ConfigurationError as error:
        named = [Source(path, path.name) for path in given]
        if not is_anything_left(find_formats(format_name), named):
            raise
        how = import_of(*map(str, given), "-o", "my-scenarios", "--keep-going")
        raise ConfigurationError(f"{error}\nTo leave out what can't be read: {how}") from None


def transcript_arguments(id: str, file: str, files: Iterable[str], format_name: str) -> list[str]:
    """How a command is given a conversation of a transcript; `files` are all of the run's."""
    from compaction_eval.scenarios.importers import AUTO
    from compaction_eval.scenarios.importers.in_memory import files_needed

    arguments = [id]
    for one in files_needed(file, list(files)):
        arguments += ["--transcript", one]
    return arguments + (["--format", format_name] if format_name != AUTO else [])


def measures_something(scenario: Scenario) -> bool:
    """Whether a strategy could lose anything that is looked for."""
    return bool(scenario.probes) or not all(probe.free for probe in scenario.reuse)


def account_lines(transcripts: Sequence[Transcript]) -> Iterator[str]:
    """A line for each file: what was found, and what was left out."""
    for one in transcripts[:MOST_TOLD]:
        account = one.account
        parts = [
            plural(len(one.scenarios), "conversation"),
            plural(account.kept, "message"),
            plural(sum(map(_reused, one.scenarios)), "value") + " used again",
        ]
        asked = sum(len(scenario.probes) for scenario in one.scenarios)
        compactions = sum(len(scenario.recorded) for scenario in one.scenarios)
        parts += [plural(asked, "question")] * bool(asked)
        parts += [plural(compactions, "recorded compaction")] * bool(compactions)
        skipped, repaired = (sum(dict(of).values()) for of in (account.skipped, account.repaired))
        parts += [f"{skipped:,} skipped"] * bool(skipped)
        parts += [f"{repaired:,} repaired"] * bool(repaired)
        yield f"{path_text(one.path)}: {', '.join(parts)}"
    if len(transcripts) > MOST_TOLD:
        yield f"and {plural(len(transcripts) - MOST_TOLD, 'more transcript')}"


def left_out_lines(transcripts: Iterable[Transcript]) -> Iterator[str]:
    """A line for each file with conversations in which nothing can be lost that is looked for."""
    for one in transcripts:
        silent = [each.id for each in one.scenarios if not measures_something(each)]
        if silent:
            yield (
                f"{path_text(one.path)}: left out, since its agent never used a value again"
                f" that a strategy could lose: {listed_words(silent, most=8)}"
            )


def _reused(scenario: Scenario) -> int:
    return sum(not probe.free for probe in scenario.reuse)
