"""Messages as LangChain writes them: its load format, `messages_to_dict`, and plain dumps.

The three differ in where the fields are: under `kwargs` of a constructor, under `data`, or in the
message itself, whose `type` is then `human`, `ai` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.content import CALLS, blocks_of, kind_of, plain_text
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import listed
from compaction_eval.scenarios.importers.naming import labels
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, is_deep
from compaction_eval.scenarios.importers.thread import Thread

_HOLDERS = ("messages", "chat_history", "history")
_AROUND = ("values", "channel_values", "state", "inputs", "outputs", "input", "output", "kwargs")
_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
_SURE = ("human", "ai")
"""Types that only this format has."""


def recognises(document: Document) -> bool:
    """Whether some message of this format is found where one would stand."""
    return any(
        kind in _SURE
        for entry in _entries(document)
        for message in _messages(entry) or ()
        for kind in [_fields(message)[0]]
    )


def convert(document: Document) -> Imported:
    """All conversations of a document, and what was skipped or mended in them."""
    tally = Tally()
    chats: list[Chat] = []
    for index, entry in enumerate(_entries(document)):
        messages = _messages(entry)
        if messages is None:
            tally.skipped.append("entry without messages")
            continue
        thread = Thread(tally)
        for message in messages:
            _read(message, thread, tally)
        tools = listed(entry.get("tools")) if isinstance(entry, Mapping) else ()
        chats.append(Chat(thread.finished()[0], tools, labels(entry), index=index))
    return imported(document, chats, tally)


def _entries(document: Document) -> Sequence[object]:
    """What may be a conversation each; messages that stand alone are one together."""
    values: Sequence[object] = document.values
    if not document.lines and isinstance(values[0], list):
        values = values[0]
    return [values] if any(_fields(value)[0] for value in values) else values


def _messages(entry: object) -> Sequence[object] | None:
    """The messages of a conversation, looked for in a run's or a state's usual places."""
    if isinstance(entry, list | tuple):
        if len(entry) == 1 and isinstance(entry[0], list):
            return _messages(entry[0])
        return entry if any(_fields(message)[0] for message in entry) else None
    if not isinstance(entry, Mapping):
        return None
    for holder in (entry, *(entry[key] for key in _AROUND if isinstance(entry.get(key), Mapping))):
        for key in _HOLDERS:
            found = _messages(holder[key]) if isinstance(holder.get(key), list) else None
            if found is not None:
                return found
    return None


def _fields(message: object) -> tuple[str, Mapping[str, Any]]:
    """A message's type (`human`, `ai`, …) and its fields; an empty type for what is none."""
    if not isinstance(message, Mapping) or "role" in message:
        return "", {}
    kind: object = message.get("type")
    fields: object = message
    if kind == "constructor":
        path, fields = listed(message.get("id")), message.get("kwargs")
        kind = path[-1] if path else ""
    elif isinstance(message.get("data"), Mapping):
        fields = message["data"]
    if not isinstance(kind, str) or not isinstance(fields, Mapping) or "content" not in fields:
        return "", {}
    name = kind.removesuffix("Chunk").removesuffix("Message").lower()
    return (name, fields) if name in (*_ROLES, "chat", "remove") else ("", {})


def _read(message: object, thread: Thread, tally: Tally) -> None:
    kind, fields = _fields(message)
    if not kind:
        tally.skipped.append("no message of this format")
    elif is_deep(message):
        tally.skipped.append(f"nested deeper than {MAX_DEPTH} levels")
    elif kind == "remove":
        tally.skipped.append("mark that removes a message")
    elif kind == "tool":
        text = plain_text(fields.get("content"), tally)
        call_id = fields.get("tool_call_id")
        thread.result({"role": "tool", "tool_call_id": call_id, "content": text})
    elif kind == "ai":
        thread.assistant(_spoken(fields))
    else:
        role = _ROLES.get(kind, "user")
        if kind == "chat":
            given = str(fields.get("role"))
            role = _ROLES.get(given, given if given in _ROLES.values() else "user")
            tally.repaired.append(f"role of a chat message read as {role!r}")
        if role == "assistant":
            thread.assistant(_spoken(fields))
        else:
            thread.user(fields.get("content"), role)


def _spoken(fields: Mapping[str, Any]) -> list[object]:
    """An assistant's content as blocks, with each call once, wherever it is given."""
    calls = [*listed(fields.get("tool_calls")), *listed(fields.get("invalid_tool_calls"))]
    raw = fields.get("additional_kwargs")
    if not calls and isinstance(raw, Mapping):
        calls = [*listed(raw.get("tool_calls"))]
    given = [_block(one) for one in calls if isinstance(one, Mapping)]
    blocks = blocks_of(fields.get("content"))
    if given:
        blocks = [block for block in blocks if kind_of(block) not in CALLS]
    return [block for block in [*blocks, *given] if block != ""]


def _block(given: Mapping[str, Any]) -> dict[str, Any]:
    """A call as a block: name and args, or OpenAI's shape, in which they are a function's."""
    function = given.get("function")
    inner = function if isinstance(function, Mapping) else given
    arguments = inner.get("args", inner.get("arguments"))
    return {
        "type": "tool_call",
        "id": given.get("id"),
        "name": inner.get("name"),
        "input": {} if arguments is None else arguments,
    }
