"""What all importers do with a conversation once its messages are found: clean, name, count."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.naming import name_and_title
from compaction_eval.scenarios.importers.records import (
    Account,
    Conversation,
    Imported,
    Tally,
)
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, clean, is_deep
from compaction_eval.scenarios.importers.thread import kept_only
from compaction_eval.scenarios.importers.usage import Usage, describe
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.scenarios.shapes import is_word

_SURROGATE = re.compile("[\ud800-\udfff]")
_NAMES = ("id", "conversation_id", "session_id", "custom_id")


@dataclass(slots=True)
class Chat:
    """A conversation as it was found, in OpenAI's shape as far as it can be one."""

    messages: Sequence[object]
    tools: Sequence[object] = ()
    labels: Sequence[str] = ()
    """What the recording calls it; several without are numbered."""
    compactions: list[RecordedCompaction] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)


def imported(document: Document, chats: Sequence[Chat], tally: Tally) -> Imported:
    """Conversations that are ready to be written, and the account of everything met."""
    conversations: list[Conversation] = []
    several = sum(not chat.labels for chat in chats) > 1
    for number, chat in enumerate(chats, 1):
        cleaned = clean(chat.messages)
        tally.skipped += cleaned.skipped
        tally.repaired += cleaned.repaired
        if not cleaned.messages:
            tally.skipped.append("conversation without a usable message")
            continue
        tools = _tools(chat.tools, tally)
        labels = list(chat.labels) or ([str(number)] if several else [])
        name, title = name_and_title(document.path, labels)
        compactions = kept_only(chat.compactions, cleaned.positions)
        early = sum(each.at == 0 for each in compactions)
        tally.skipped += ["compaction of messages that were all skipped"] * early
        compactions = compactions[early:]
        conversations.append(
            Conversation(
                name=name,
                title=title,
                messages=tuple(cleaned.messages),
                tools=tuple(tools),
                description=describe(compactions, chat.usage),
                compactions=compactions,
            )
        )
    kept = sum(len(conversation.messages) for conversation in conversations)
    account = Account.of(kept, tally.skipped, tally.repaired)
    return Imported(tuple(conversations), account, tuple(tally.faults))


def labels(entry: object) -> list[str]:
    """What the conversation's own keys call it: `task 9`, `trial 0`, or its id."""
    if not isinstance(entry, Mapping):
        return []
    named = [
        f"{key.removesuffix('_id')} {entry[key]}"
        for key in ("task_id", "trial")
        if _is_name(entry.get(key))
    ]
    return named or [str(entry[key]) for key in _NAMES if _is_name(entry.get(key))][:1]


def listed(value: object) -> Sequence[object]:
    """A value if it is a list."""
    return value if isinstance(value, list | tuple) else ()


def _is_name(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and bool(value.strip()))


def _tools(tools: Sequence[object], tally: Tally) -> list[Mapping[str, Any]]:
    """The tools given beside the messages; adds a reason for each that a scenario can't have."""
    kept: dict[str, Mapping[str, Any]] = {}
    for tool in tools:
        schema = tool if isinstance(tool, dict) else {"name": tool}
        inner = schema.get("function", schema.get("custom", schema))
        name = inner.get("name") if isinstance(inner, dict) else None
        if not isinstance(name, str) or not is_word(name):
            tally.skipped.append("tool without a usable name")
        elif name in kept:
            tally.skipped.append("tool given twice")
        elif is_deep(schema):
            tally.skipped.append(f"tool nested deeper than {MAX_DEPTH} levels")
        else:
            text = json.dumps(schema, ensure_ascii=False)
            # YAML, in which tools are written, has no way to say a lone surrogate.
            sayable = _SURROGATE.sub("\ufffd", text)
            kept[name] = json.loads(sayable)
            if sayable != text:
                tally.repaired.append("unpaired surrogate in a tool replaced")
    return list(kept.values())
