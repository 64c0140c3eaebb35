"""Single events of OpenHands: where they stand in a file, and what they keep of a model's call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
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

    In order, itself among them; empty for every other document.
    """
    value = document.values[0]
    if document.lines or not isinstance(value, Mapping) or not value.keys() >= _OF_ANY_KIND:
        return ()
    if not _EVENT_FILE.fullmatch(document.path.name):
        return ()
    near = _by_folder(document.beside).get(document.path.parent, ())
    return sorted({*near, document.path}, key=lambda path: path.name)


def events_of(paths: Iterable[Path]) -> list[object]:
    """The events in some files; one that can't be read is told when it is itself read."""
    events: list[object] = []
    for path in paths:
        try:
            events += read_document(path).values
        except ConfigurationError:
            continue
    return events


@lru_cache(maxsize=1)
def _by_folder(paths: tuple[Path, ...]) -> Mapping[Path, Sequence[Path]]:
    """The files that are called like one event, by folder."""
    found: dict[Path, list[Path]] = {}
    for path in paths:
        if _EVENT_FILE.fullmatch(path.name):
            found.setdefault(path.parent, []).append(path)
    return found
