"""What the validity rules look at in a message, and what is wrong with a message by itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compaction_eval.strategies.messages import (
    ROLES,
    Message,
    answered_id,
    call_ids,
    role,
    tool_calls,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule at a message; a warning isn't refused by the API."""

    rule: str
    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What the rules look at in a message."""

    role: str
    ids: tuple[str, ...]
    answers: str
    calls: bool
    content: bool
    """Whether there is content that says something."""
    blank: bool
    """Whether a content part is a text that says nothing."""
    trailing_space: bool
    own: tuple[Fault, ...]
    """Faults of the message itself under the rules of Chat Completions."""


def shape_of(message: Message) -> Shape:
    """The shape of a message."""
    content = message.get("content")
    parts = content if isinstance(content, list | tuple) else ()
    texts = [part.get("text") for part in parts if isinstance(part, Mapping) and "text" in part]
    said = [text for text in texts if isinstance(text, str) and text.strip()]
    last = content if isinstance(content, str) else texts[-1] if texts else ""
    return Shape(
        role=role(message),
        ids=tuple(call_ids(message)),
        answers=answered_id(message),
        calls=bool(tool_calls(message)),
        content=bool(content) and not (isinstance(content, str) and content.isspace()),
        blank=len(said) < len(texts),
        trailing_space=isinstance(last, str) and last[-1:].isspace(),
        own=tuple(_own_faults(message)),
    )


def _own_faults(message: Message) -> Iterable[Fault]:
    kind = role(message)
    content = message.get("content")
    # Of any other message the API doesn't read them.
    calls = message.get("tool_calls") if kind == "assistant" else None
    if kind not in ROLES:
        yield Fault("2", f"has the unknown role {kind!r}")
    # `function_call` is how calls were made before there were tools.
    if kind == "assistant" and content is None and not (calls or message.get("function_call")):
        yield Fault("3", "is an assistant message with neither content nor tool calls")
    if calls is not None and not isinstance(calls, list | tuple):
        yield Fault("4", "has tool calls that are no list")
    elif calls is not None and not calls:
        yield Fault("8", "has an empty list of tool calls")
    if calls and isinstance(calls, list | tuple):
        for call in calls:
            yield from _call_faults(call)
        ids = call_ids(message)
        if len(set(ids)) < len(ids):
            yield Fault("8", "has two calls with the same id")
    if kind == "tool":
        if not answered_id(message):
            yield Fault("5", "is a tool message without tool_call_id")
        if not isinstance(content, str | list | tuple):
            yield Fault("5", "is a tool message without content")
        elif not (isinstance(content, str) or all(map(_is_text_part, content))):
            yield Fault("5", "is a tool message with content parts that aren't text")


def _is_text_part(part: object) -> bool:
    if not isinstance(part, Mapping):
        return False
    return part.get("type") == "text" and isinstance(part.get("text"), str)


def _call_faults(call: object) -> Iterable[Fault]:
    custom = isinstance(call, Mapping) and call.get("type") == "custom"
    kind, given = ("custom", "input") if custom else ("function", "arguments")
    tool = call.get(kind) if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(tool, Mapping):
        yield Fault("4", f"has a tool call without a {kind}")
        return
    if not call.get("id") or call.get("type") != kind or not tool.get("name"):
        yield Fault("4", "has a tool call without id, type or name")
    arguments = tool.get(given)
    if not isinstance(arguments, str):
        yield Fault("4", "has a tool call whose arguments aren't a string")
        return
    if custom:
        return  # plain text
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        yield Fault("4", "has a tool call whose arguments aren't JSON", warning=True)
