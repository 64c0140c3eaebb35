"""What a message says: typed access to OpenAI chat messages, tolerant of odd but real shapes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from compaction_eval.strategies.nested_json import json_text, leaves

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

    Message: TypeAlias = ChatCompletionMessageParam
else:
    Message = dict

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
SYSTEM_ROLES = frozenset({"system", "developer"})


def role(message: Message) -> str:
    """The message's role; the empty string where it has none."""
    return str(message.get("role") or "")


def is_system(message: Message) -> bool:
    """Whether the message instructs the model (`system`, or its newer name `developer`)."""
    return role(message) in SYSTEM_ROLES


def tool_calls(message: Message) -> list[Mapping[str, Any]]:
    """The calls of an assistant message, in order; empty for every other message.

    What stands among them and is no mapping is left out.
    """
    calls = message.get("tool_calls") if role(message) == "assistant" else None
    if not isinstance(calls, list | tuple):
        return []
    return [call for call in calls if isinstance(call, Mapping)]


def call_ids(message: Message) -> list[str]:
    """The ids of the message's calls, in order; a call without an id counts as the empty string."""
    return [str(call.get("id") or "") for call in tool_calls(message)]


def called(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a call calls: its `function`, or its `custom` tool, which takes plain text."""
    for kind in ("function", "custom"):
        inner = call.get(kind)
        if isinstance(inner, Mapping):
            return inner
    return {}


def call_name(call: Mapping[str, Any]) -> str:
    """The name of the tool that a call names."""
    return str(called(call).get("name") or "")


def call_arguments(call: Mapping[str, Any]) -> str:
    """A call's arguments (a custom tool's input) as the API carries them; else their JSON."""
    inner = called(call)
    return as_text(inner["arguments"] if "arguments" in inner else inner.get("input"))


def answered_id(message: Message) -> str:
    """The id of the call which a tool message answers; the empty string elsewhere."""
    return str(message.get("tool_call_id") or "")


def used_ids(message: Message) -> list[str]:
    """The ids of the calls that a message makes or answers."""
    return [answered_id(message)] if role(message) == "tool" else call_ids(message)


def as_text(value: object) -> str:
    """A content or arguments value as text: itself, else its JSON; nothing for null."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def content_text(message: Message) -> str:
    """The content as text, content parts as their JSON: what is counted and what a reader sees."""
    return as_text(message.get("content"))


def argument_leaves(call: Mapping[str, Any]) -> list[object]:
    """The scalars of a call's arguments, decoded; arguments that aren't JSON are one scalar."""
    text = call_arguments(call)
    try:
        return list(leaves(json.loads(text)))
    except (ValueError, RecursionError):
        return [text] if text else []


def scalar_text(value: object) -> str:
    """A scalar as it would stand in JSON, without quotes: `True` is `true`, 75 is `75`."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def reading_text(message: Message) -> str:
    """All that the message says, in reading order: content, then each call's name and arguments.

    Arguments are given as their decoded scalars, one a line, so that a value is found as the
    agent wrote it and not as JSON escapes it; keys aren't part of the text.
    """
    content = message.get("content")
    parts = [content] if isinstance(content, str) else _parts(content)
    for call in tool_calls(message):
        parts.append(call_name(call))
        parts.extend(scalar_text(leaf) for leaf in argument_leaves(call))
    return "\n".join(parts)


def _parts(content: object) -> list[str]:
    """The scalars of content parts; the name of a part's type is no word of the message."""
    parts = content if isinstance(content, list | tuple) else [content]
    said = (
        {key: value for key, value in part.items() if key != "type"}
        if isinstance(part, Mapping)
        else part
        for part in parts
    )
    return [scalar_text(leaf) for leaf in leaves(list(said))]
