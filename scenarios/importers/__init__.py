"""Transcripts into conversations: the formats by name, and `auto`, which looks at the content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import anthropic, claude_code, langchain, openai, pi
from compaction_eval.scenarios.importers.documents import Document, read_document, shortened
from compaction_eval.scenarios.importers.records import Imported
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format: how it is recognised and read."""

    about: str
    """One line for lists."""
    recognises: Callable[[Document], bool]
    convert: Callable[[Document], Imported]


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
    ),
    "pi": Format("session files of the coding agent pi", pi.recognises, pi.convert),
    "langchain": Format(
        "messages as LangChain dumps or serialises them",
        langchain.recognises,
        langchain.convert,
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


def import_file(formats: Mapping[str, Format], path: Path, *, keep_going: bool = False) -> Imported:
    """The conversations of a file, read in the first of some formats that recognises it.

    Raises FaultsError, with their places, for what isn't JSON or can't be understood, and
    ConfigurationError for a file that can't be read, is in none of the formats, or has no usable
    message. To keep going is to leave such lines out; they are the result's faults then.
    """
    document = read_document(path)
    if document.faults and not keep_going:
        raise FaultsError(shortened(list(document.faults)))
    for candidate in formats.values():
        if candidate.recognises(document):
            imported = candidate.convert(document)
            if imported.faults and not keep_going:
                raise FaultsError(shortened(list(imported.faults)))
            if not imported.conversations:
                raise ConfigurationError(f"{path}: no usable message in it{_reasons(imported)}")
            return replace(imported, faults=(*document.faults, *imported.faults))
    tried = " or ".join(formats)
    raise ConfigurationError(f"{path}: no {tried} conversation found; {_found(document)}")


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
    return f"{kind} is an object with {f'the keys {keys}' if keys else 'no keys'}"
