"""Transcripts into conversations: the formats by name, and `auto`, which looks at the content."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import (
    anthropic,
    bfcl_memory,
    claude_code,
    crosswoz,
    langchain,
    locomo,
    longmemeval,
    openai,
    openhands,
    pi,
    swe_agent,
    tau_bench,
)
from compaction_eval.scenarios.importers.documents import Document, read_document, shortened
from compaction_eval.scenarios.importers.records import Imported, NoFormatError
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format: how it is recognised and read."""

    about: str
    """One line for lists."""
    recognises: Callable[[Document], bool]
    convert: Callable[[Document], Imported]
    first: bool = False
    """Asked before the others, for which its files, or mixed ones, would pass too."""


FORMATS: Mapping[str, Format] = {
    "openai": Format(
        "chat messages as OpenAI's API has them, JSON or JSON Lines",
        openai.recognises,
        openai.convert,
    ),
    "anthropic": Format(
        "messages as Anthropic's API has them, in content blocks",
        anthropic.recognises,
        anthropic.convert,
    ),
    "claude-code": Format(
        "session files of Claude Code, side chains apart",
        claude_code.recognises,
        claude_code.convert,
        first=True,
    ),
    "pi": Format("session files of the coding agent pi", pi.recognises, pi.convert, first=True),
    "langchain": Format(
        "messages as LangChain dumps or serialises them",
        langchain.recognises,
        langchain.convert,
    ),
    # Recorded runs and question sets.
    "tau-bench": Format(
        "customer-service trajectories of tau-bench",
        tau_bench.recognises,
        tau_bench.convert,
        first=True,
    ),
    "swe-agent": Format(
        "trajectories of SWE-agent (.traj)", swe_agent.recognises, swe_agent.convert
    ),
    "openhands": Format("event streams of OpenHands", openhands.recognises, openhands.convert),
    "bfcl-memory": Format(
        "BFCL's memory conversations, with its questions",
        bfcl_memory.recognises,
        bfcl_memory.convert,
    ),
    "crosswoz": Format(
        "Chinese task dialogues of CrossWOZ, asked by their slots",
        crosswoz.recognises,
        crosswoz.convert,
    ),
    "locomo": Format(
        "talks over many sessions of LoCoMo, with its questions",
        locomo.recognises,
        locomo.convert,
    ),
    "longmemeval": Format(
        "questions of LongMemEval, each with its haystack",
        longmemeval.recognises,
        longmemeval.convert,
    ),
}


def find_formats(name: str) -> Mapping[str, Format]:
    """The format of a name, all of them for `auto`; ConfigurationError for an unknown name."""
    if name == AUTO:
        return FORMATS
    if name not in FORMATS:
        known = [AUTO, *FORMATS]
        hint = did_you_mean(name, known) or f"; known are {', '.join(known)}"
        raise ConfigurationError(f"unknown format '{name}'{hint}")
    return {name: FORMATS[name]}


def import_file(
    formats: Mapping[str, Format],
    path: Path,
    *,
    keep_going: bool = False,
    beside: Sequence[Path] = (),
) -> Imported:
    """The conversations of a file, read in the first of some formats that recognises it.

    `beside` are all files that were given, for formats that spread over several.

    Raises FaultsError, with their places, for what isn't JSON or can't be understood, and
    ConfigurationError for a file that can't be read, is in none of the formats, or has no usable
    message. To keep going is to leave such lines out; they are the result's faults then.
    """
    document = replace(read_document(path), beside=tuple(beside))
    if document.faults and not keep_going:
        raise FaultsError(shortened(list(document.faults)))
    for candidate in sorted(formats.values(), key=lambda one: not one.first):
        if candidate.recognises(document):
            imported = candidate.convert(document)
            if imported.faults and not keep_going:
                raise FaultsError(shortened(list(imported.faults)))
            if not imported.conversations and not imported.companion:
                raise ConfigurationError(f"{path}: no usable message in it{_reasons(imported)}")
            return replace(imported, faults=(*document.faults, *imported.faults))
    if len(formats) > 1:
        raise NoFormatError(f"{path}: in none of the formats that are read; {_found(document)}")
    others = [name for name, other in FORMATS.items() if other.recognises(document)]
    found = f"it looks like {' or '.join(others)}" if others else _found(document)
    raise NoFormatError(f"{path}: no {next(iter(formats))} conversation found; {found}")


def _reasons(imported: Imported) -> str:
    return "".join(f"; {reason}: {number}" for reason, number in imported.account.skipped)


def _found(document: Document) -> str:
    """What a file holds instead, in words that tell its owner which format it may be in."""
    value = document.values[0]
    kind = "its first line" if document.lines else "it"
    if isinstance(value, list):
        if not value:
            return f"{kind} is an empty list"
        value, kind = value[0], "its first entry"
    if not isinstance(value, dict):
        return f"{kind} is no object"
    keys = ", ".join(repr(key[:30]) for key in list(value)[:6])
    empty = ", which is empty" if keys and not next(iter(value.values())) else ""
    return f"{kind} is an object with {f'the keys {keys}' if keys else 'no keys'}{empty}"
