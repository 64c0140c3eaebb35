"""Recorded messages made fit for a replay: what can't be one is skipped, little is mended.

Nothing is rewritten that a reader or a token counter would see: arguments that are text stand as
they are, valid JSON or not, and keys that nobody knows stay. Each skip and each repair has a
reason, so that none happens unnoticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from compaction_eval.scenarios.importers.pairing import calls_of, mend_ids
from compaction_eval.strategies.messages import ROLES, Message, as_text, call_name

MAX_DEPTH = 100
"""Levels of nesting in a message; more would break whatever walks through it."""
_NOT_ASCII = re.compile("[^\x00-\x7f]")
_FOREIGN_BLOCKS = ("tool_use", "tool_result", "thinking", "toolCall", "functionCall")
"""Parts that hold calls, answers or thoughts elsewhere: taken for text they would be lost."""
_SPEAKS_OTHERWISE = ("function_call", "refusal", "audio")


@dataclass(slots=True)
class Cleaned:
    """The messages that are kept, and a reason for each one skipped and each repair."""

    messages: list[Message] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    """Where each message stood before."""


def clean(raw: Sequence[object]) -> Cleaned:
    """The usable messages of a recorded conversation, in order; the originals stay untouched."""
    cleaned = Cleaned()
    entries: list[dict[str, Any]] = []
    positions: list[int] = []
    for position, entry in enumerate(raw):
        reason = _reason_to_skip(entry)
        if reason is not None:
            cleaned.skipped.append(reason)
            continue
        message = dict(cast(Mapping[str, Any], entry))
        cleaned.repaired.extend(_mend_calls(message))
        cleaned.repaired.extend(_mend_content(message))
        if _is_empty(message):
            cleaned.skipped.append("empty")
        else:
            entries.append(message)
            positions.append(position)
    cleaned.repaired.extend(mend_ids(entries))
    called: set[str] = set()
    for position, message in zip(positions, entries, strict=True):
        called.update(call["id"] for call in calls_of(message))
        if message["role"] == "tool" and message.get("tool_call_id") not in called:
            cleaned.skipped.append("tool result without its call")
        else:
            cleaned.messages.append(cast(Message, message))
            cleaned.positions.append(position)
    return cleaned


def is_message(value: object) -> bool:
    """Whether a value is an object with a role of the chat format."""
    if not isinstance(value, Mapping):
        return False
    role = value.get("role")
    return isinstance(role, str) and role in ROLES


def _reason_to_skip(entry: object) -> str | None:
    if not isinstance(entry, Mapping):
        return "not an object"
    if not is_message(entry):
        role = entry.get("role")
        return f"unknown role {role[:20]!r}" if isinstance(role, str) else "no role"
    foreign = _foreign_block(entry)
    if foreign is not None:
        return f"content block {foreign!r} of another API"
    if is_deep(entry):
        return f"nested deeper than {MAX_DEPTH} levels"
    return None


def _foreign_block(message: Mapping[str, Any]) -> str | None:
    """The kind of the first content part that only another API's messages have."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    kinds = [part.get("type") for part in parts if isinstance(part, Mapping)]
    return next((kind for kind in kinds if kind in _FOREIGN_BLOCKS), None)


def is_deep(value: object) -> bool:
    """Whether a JSON value is nested deeper than `MAX_DEPTH`; itself goes no deeper than that."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else cast(list[object], outer))
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _mend_calls(message: dict[str, Any]) -> Iterator[str]:
    """Bring `tool_calls` into the API's shape as far as that needs no guess."""
    if "tool_calls" not in message:
        return
    given = message["tool_calls"] if isinstance(message["tool_calls"], list) else []
    calls = [dict(call) for call in given if isinstance(call, Mapping)]
    for call in calls:
        yield from _mend_call(call)
    named = [call for call in calls if call_name(call)]
    yield from ["call without a name removed"] * (len(given) - len(named))
    message["tool_calls"] = named
    if not named:
        del message["tool_calls"]
        if not given:
            yield "tool_calls without a call removed"


def _mend_call(call: dict[str, Any]) -> Iterator[str]:
    custom = isinstance(call.get("custom"), Mapping) and "function" not in call
    kind, given = ("custom", "input") if custom else ("function", "arguments")
    if not custom and "function" not in call and isinstance(call.get("name"), str):
        call["function"] = {key: call.pop(key) for key in ("name", "arguments") if key in call}
        yield "name and arguments of a call put under 'function'"
    if not call_name(call):
        return
    tool = call[kind] = dict(call[kind])
    if not call.get("type"):
        call["type"] = kind
        yield "type of a call added"
    if not isinstance(tool.get(given), str):
        tool[given] = as_text(tool.get(given))
        yield "arguments of a call made text"
    if not call_name(call).isascii():
        tool["name"] = _NOT_ASCII.sub(lambda found: f"u{ord(found[0]):04x}", call_name(call))
        yield "tool name made ASCII"


def _mend_content(message: dict[str, Any]) -> Iterator[str]:
    content = message.get("content")
    if content is not None:
        if not isinstance(content, str | list):
            message["content"] = as_text(content)
            yield "content made text"
    elif message["role"] == "tool":
        message["content"] = ""
        yield "content of a tool result made empty text"
    elif "content" not in message and message.get("tool_calls"):
        message["content"] = None
        yield "content null added beside calls"


def _is_empty(message: Mapping[str, Any]) -> bool:
    """Whether a message says nothing; an empty tool result is one, and answers its call."""
    return (
        message.get("content") in (None, "", [])
        and message["role"] not in ("tool", "function")
        and not message.get("tool_calls")
        and not any(message.get(key) for key in _SPEAKS_OTHERWISE)
    )
