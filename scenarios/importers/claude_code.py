"""Session files of Claude Code, and its streamed JSON: one event a line.

The main line and each side chain become conversations of their own. What the tool tells itself
(progress, snapshots, hooks) is skipped by kind. Where it compacted, the conversation goes on with
the original messages; the summary is kept beside them as a recorded compaction.
"""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.importers.chats import imported
from compaction_eval.scenarios.importers.claude_events import SPOKEN, SessionReader
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.records import Imported

_MARKS = ("sessionId", "session_id", "parentUuid")


def recognises(document: Document) -> bool:
    """Whether some event is a message of such a session."""
    return any(_is_spoken(event) for event in _events(document))


def convert(document: Document) -> Imported:
    """The main conversation and the side chains of a session."""
    reader = SessionReader()
    for index, event in enumerate(_events(document)):
        reason = reader.read(event)
        if reason is not None:
            place = document.place(index if document.lines else 0)
            reader.tally.faults.append(Fault(place, reason))
    return imported(document, reader.chats(), reader.tally)


def _events(document: Document) -> tuple[object, ...]:
    first = document.values[0]
    if not document.lines and isinstance(first, list):
        return tuple(first)
    return document.values


def _is_spoken(event: object) -> bool:
    return (
        isinstance(event, Mapping)
        and event.get("type") in SPOKEN
        and isinstance(event.get("message"), Mapping)
        and any(mark in event for mark in _MARKS)
    )
