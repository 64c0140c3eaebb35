"""Transcripts in OpenAI's chat format, in the shapes in which people keep them.

A conversation is a list of messages, or an object that has one under `messages` or `traj`, with
`tools`, `id`, `task_id` and `trial` if it likes. A file holds one conversation (as a list, or one
message a line) or several (a list of conversations, or one a line).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.records import Account, Conversation, Imported
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, clean, is_deep, is_message
from compaction_eval.scenarios.shapes import is_word

_LISTS = ("messages", "traj")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_TITLE = 100
_NAMES = ("id", "conversation_id", "session_id")


def recognises(document: Document) -> bool:
    """Whether some conversation is found where one would stand."""
    return any(_messages(entry) is not None for entry in _entries(document))


def convert(document: Document) -> Imported:
    """All conversations of a document, and what was skipped or mended in them."""
    entries = _entries(document)
    conversations: list[Conversation] = []
    skipped: list[str] = []
    repaired: list[str] = []
    for number, entry in enumerate(entries, 1):
        raw = _messages(entry)
        if raw is None:
            skipped.append("entry without messages")
            continue
        cleaned = clean(raw)
        skipped += cleaned.skipped
        repaired += cleaned.repaired
        if not cleaned.messages:
            skipped.append("conversation without a usable message")
            continue
        tools = _tools(entry, skipped, repaired)
        labels = _labels(entry) or ([str(number)] if len(entries) > 1 else [])
        conversations.append(
            Conversation(
                name="-".join([document.path.stem, *(label.replace(" ", "-") for label in labels)]),
                title=_printable(", ".join([document.path.name, *labels])),
                messages=tuple(cleaned.messages),
                tools=tuple(tools),
            )
        )
    kept = sum(len(conversation.messages) for conversation in conversations)
    return Imported(tuple(conversations), Account.of(kept, skipped, repaired))


def _entries(document: Document) -> Sequence[object]:
    """What may be a conversation each; messages that stand alone are one conversation together."""
    values: Sequence[object] = document.values
    if not document.lines and isinstance(values[0], list):
        values = values[0]
    return [values] if any(map(is_message, values)) else values


def _messages(entry: object) -> Sequence[object] | None:
    """The raw messages of a conversation, or None for what isn't one."""
    if isinstance(entry, Mapping):
        entry = next((entry[key] for key in _LISTS if isinstance(entry.get(key), list)), None)
    if isinstance(entry, list | tuple) and any(map(is_message, entry)):
        return entry
    return None


def _labels(entry: object) -> list[str]:
    """What the conversation's own keys call it: `task 9`, `trial 0`, or its id."""
    if not isinstance(entry, Mapping):
        return []
    named = [
        f"{key.removesuffix('_id')} {entry[key]}"
        for key in ("task_id", "trial")
        if _is_name(entry.get(key))
    ]
    return named or [str(entry[key]) for key in _NAMES if _is_name(entry.get(key))][:1]


def _printable(title: str) -> str:
    """A title of one line that any terminal shows."""
    return "".join(letter if letter.isprintable() else "?" for letter in title)[:_LONGEST_TITLE]


def _is_name(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and bool(value.strip()))


def _tools(entry: object, skipped: list[str], repaired: list[str]) -> list[Mapping[str, Any]]:
    """The tools given beside the messages; adds a reason for each that a scenario can't have."""
    tools = entry.get("tools") if isinstance(entry, Mapping) else None
    kept: dict[str, Mapping[str, Any]] = {}
    for tool in tools if isinstance(tools, list) else []:
        schema = tool if isinstance(tool, dict) else {"name": tool}
        inner = schema.get("function", schema.get("custom", schema))
        name = inner.get("name") if isinstance(inner, dict) else None
        if not isinstance(name, str) or not is_word(name):
            skipped.append("tool without a usable name")
        elif name in kept:
            skipped.append("tool given twice")
        elif is_deep(schema):
            skipped.append(f"tool nested deeper than {MAX_DEPTH} levels")
        else:
            text = json.dumps(schema, ensure_ascii=False)
            # YAML, in which tools are written, has no way to say a lone surrogate.
            sayable = _SURROGATE.sub("\ufffd", text)
            kept[name] = json.loads(sayable)
            if sayable != text:
                repaired.append("unpaired surrogate in a tool replaced")
    return list(kept.values())
