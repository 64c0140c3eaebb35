"""Transcripts as scenarios without a file of their own: what an import would write, unwritten."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.scenarios.importers import AUTO, find_formats, import_file
from compaction_eval.scenarios.importers.languages import language
from compaction_eval.scenarios.importers.naming import NAMELESS, Ids, safe_id
from compaction_eval.scenarios.importers.records import Account, Conversation
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.records import Place, Probe, Scenario
from compaction_eval.scenarios.reuse import reuse_probes
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import tool_calls


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is in one transcript file."""

    path: Path
    scenarios: tuple[Scenario, ...]
    """One for each conversation; none in a file that only completes others."""
    account: Account


def read_transcripts(
    paths: Iterable[Path], format_name: str = AUTO, taken: Iterable[str] = ()
) -> list[Transcript]:
    """The conversations of some files, each file once, with the ids that an import gives them.

    `taken` are ids of other scenarios. Raises ConfigurationError with the mistakes of all files.
    """
    formats = find_formats(format_name)
    ids = Ids()
    for id in taken:
        ids.take(id)
    found: list[Transcript] = []
    mistakes: list[str] = []
    files: dict[str, Path] = {}
    for path in paths:
        files.setdefault(os.path.realpath(path), path)
    given = tuple(files.values())
    for path in given:
        try:
            one = import_file(formats, path, beside=given)
        except ConfigurationError as error:
            mistakes += str(error).splitlines()
        else:
            scenarios = [
                _scenario(each, ids.take(each.name), path, format_name)
                for each in one.conversations
            ]
            found.append(Transcript(path, tuple(scenarios), one.account))
    if mistakes:
        raise ConfigurationError("\n".join(mistakes))
    return found


def _scenario(conversation: Conversation, id: str, path: Path, format_name: str) -> Scenario:
    messages = conversation.messages
    # A place in the transcript isn't known of a message that was put together from several events.
    place = Place(str(path))
    return Scenario(
        id=id,
        title=conversation.title,
        lang=language(messages),
        messages=messages,
        tags=("imported", *(["tools"] if any(map(tool_calls, messages)) else [])),
        description=conversation.description,
        tools=conversation.tools,
        probes=_probes(conversation, place),
        reuse=reuse_probes(messages, conversation.tools, text=True),
        recorded=conversation.compactions,
        places=(place,) * len(messages),
        file=str(path),
        digest=_digest(conversation, id),
        format=format_name,
    )


def _probes(conversation: Conversation, place: Place) -> tuple[Probe, ...]:
    return tuple(
        Probe(
            id=one.id,
            kind=one.kind,
            ask=one.ask,
            at=(("end", len(conversation.messages)),),
            accept=one.accept,
            reject=one.reject,
            match=one.match,
            evidence=one.evidence[0] if one.evidence else None,
            place=place,
        )
        for one in conversation.questions
    )


def _digest(conversation: Conversation, id: str) -> str:
    """SHA-256 of all that an import writes of a conversation."""
    digest = hashlib.sha256()
    for content in scenario_files(conversation, id).values():
        digest.update(content)
    # With escapes, so that no text is too odd to be digested.
    digest.update(repr(conversation.compactions).encode())
    return digest.hexdigest()


def files_needed(file: str, files: Sequence[str]) -> list[str]:
    """Of all transcripts of a run, those that give the conversations of one the same ids again.

    Ids begin with the file's name, so only files of which one's begins with the other's compete.
    """
    own = _beginning(file)
    return [
        one
        for one in dict.fromkeys(files)
        if own.startswith(name := _beginning(one)) or name.startswith(own)
    ]


def _beginning(file: str) -> str:
    """What the ids of a file's conversations begin with; nothing, where its name gives none."""
    name = safe_id(Path(file).stem).casefold()
    return "" if name.startswith(NAMELESS) else name
