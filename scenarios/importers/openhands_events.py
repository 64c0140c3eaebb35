"""Single events of OpenHands: where they stand in a file, and what they keep of a model's call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from compaction_eval.scenarios.importers.documents import Document, read_document
from compaction_eval.scenarios.importers.openhands_kinds import is_kind
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import as_text

_LISTS = ("history", "trajectory", "events", "items")
_OF_ANY_KIND = frozenset({"kind", "id", "source"})
_EVENT_FILE = re.compile(r"event-[0-9]+.*\.json", re.IGNORECASE)
TEXTS = ("finish", "reject")
"""Actions that end the work with some words, and that nothing answers."""
_NOT_ARGUMENTS = frozenset(
    {"thought", "blocking", "hidden", "confirmation_state", "security_risk", "is_input"}
)
"""Arguments of actions that the runtime added."""


def streams(document: Document) -> list[Sequence[object]]:
    """Lists of events: the document itself, a list in it, or one under a key of each value."""
    values = document.values
    if len(values) == 1 and isinstance(values[0], list):
        values = tuple(values[0])
    if any(map(is_event, values)):
        return [values]
    found: list[Sequence[object]] = []
    for value in values:
        holder = value if isinstance(value, Mapping) else {}
        lists = [holder[key] for key in _LISTS if isinstance(holder.get(key), list)]
        if not lists:
            return []
        found.append(lists[0])
    return found


def is_event(value: object) -> bool:
    """Whether a value is an event with its source: of a kind, or an action or observation."""
    return is_kind(value) or (
        isinstance(value, Mapping)
        and "source" in value
        and isinstance(value.get("action", value.get("observation")), str)
        and ("args" in value or "extras" in value or "cause" in value)
    )


def acted(stream: Iterable[object]) -> frozenset[str]:
    """Ids of the model's calls that an action of the stream came from."""
    actions = (e for e in stream if isinstance(e, Mapping) and e.get("action") not in TEXTS)
    return frozenset(call for event in actions if "action" in event and (call := call_id(event)))


def metadata(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an event keeps of the model's call that it came from."""
    found = event.get("tool_call_metadata")
    return found if isinstance(found, Mapping) else {}


def call_id(event: Mapping[str, Any]) -> str:
    """The id of that call; empty where there was none."""
    return as_text(metadata(event).get("tool_call_id") or "")


def response(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model's message in what an action kept of the response."""
    kept = metadata(event).get("model_response")
    choices = kept.get("choices") if isinstance(kept, Mapping) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return message if isinstance(message, Mapping) else {}


def args_of(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """An action's arguments."""
    args = event.get("args")
    return args if isinstance(args, Mapping) else {}


def arguments(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those that a model may have given."""
    return {key: v for key, v in args.items() if key not in _NOT_ARGUMENTS and v is not None}


def event_files(document: Document) -> Sequence[Path]:
    """The files that hold a conversation's events together with this one, which holds one event.

    In order, itself among them: those that were given, or where it is the only one, all that stand
    beside it. Empty for every other document.
    """
    value = document.values[0]
    if document.lines or not isinstance(value, Mapping) or not value.keys() >= _OF_ANY_KIND:
        return ()
    if not _EVENT_FILE.fullmatch(document.path.name):
        return ()
    given = _Given.beside(document)
    return given if len(given) > 1 else _sorted(document.path.parent.iterdir())


def is_first_given(document: Document) -> bool:
    """Whether a file of one event is the first of its conversation's that were given."""
    return document.path in (_Given.beside(document) or [document.path])[:1]


def events_of(paths: Iterable[Path]) -> list[object]:
    """The events in some files; one that can't be read is told when it is itself read."""
    events: list[object] = []
    for path in paths:
        try:
            events += read_document(path).values
        except ConfigurationError:
            continue
    return events


class _Given:
    """The files of events among all that were given, by folder; those of the newest import."""

    paths: tuple[Path, ...] = ()
    by_folder: Mapping[Path, Sequence[Path]] = MappingProxyType({})

    @classmethod
    def beside(cls, document: Document) -> Sequence[Path]:
        """Those in a document's folder, in order.

        All that were given are known again by identity: each of many files asks, and to compare
        them each time would cost their number squared.
        """
        if document.beside is not cls.paths:
            found: dict[Path, list[Path]] = {}
            for path in _sorted(document.beside):
                found.setdefault(path.parent, []).append(path)
            cls.paths, cls.by_folder = document.beside, found
        return cls.by_folder.get(document.path.parent, ())


def _sorted(paths: Iterable[Path]) -> list[Path]:
    named = (path for path in paths if _EVENT_FILE.fullmatch(path.name))
    return sorted(named, key=lambda path: path.name)
