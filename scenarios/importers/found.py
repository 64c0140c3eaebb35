"""Where conversations stand in a file of chats or of logged requests, whichever API's they are.

A conversation is a list of messages, or an object that has one under `messages` or `traj`. A file
holds one (as a list, or one message a line) or several (a list of conversations, or one a line).
An entry of a log has a request with messages, and the response to it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compaction_eval.scenarios.importers.content import kind_of
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import listed
from compaction_eval.scenarios.importers.naming import labels
from compaction_eval.scenarios.importers.repairs import is_message

_LISTS = ("messages", "traj")
_TOOLS = ("tools", "functions")
_REQUESTS = ("request", "request_body", "body", "input", "inputs", "kwargs")
_RESPONSES = ("response", "response_body", "completion", "output", "outputs")
_OPENAI_ROLES = ("system", "developer", "tool", "function")
_ANTHROPIC_BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"}
)


@dataclass(frozen=True, slots=True)
class Found:
    """One conversation, or one logged request with its response, as it was recorded."""

    messages: Sequence[object]
    tools: Sequence[object] = ()
    odd_tools: bool = False
    """Whether something that is no list stands where tools would."""
    system: object = None
    """Anthropic's system prompt, which stands beside the messages."""
    labels: Sequence[str] = ()
    reply: Mapping[str, Any] | None = None
    """The message that answered a logged request."""
    others: int = 0
    """Further answers to it, which the conversation didn't go on with."""
    usage: object = None
    logged: bool = False
    index: int = 0
    """Of the document's entry."""

    @property
    def is_anthropic(self) -> bool:
        """Whether only Anthropic's API has it so; plain texts alone are anyone's."""
        messages = [one for one in (*self.messages, self.reply) if isinstance(one, Mapping)]
        if any("tool_calls" in one or one.get("role") in _OPENAI_ROLES for one in messages):
            return False
        return (
            self.system is not None
            or any(isinstance(tool, Mapping) and "input_schema" in tool for tool in self.tools)
            or any(_is_anthropic_block(b) for one in messages for b in listed(one.get("content")))
            or (self.reply is not None and isinstance(self.reply.get("content"), list))
        )


def find(document: Document) -> list[Found | None]:
    """What each entry of a document holds; None for those that hold no messages."""
    values: Sequence[object] = document.values
    if not document.lines and isinstance(values[0], list):
        values = values[0]
    # Messages that stand alone are one conversation together.
    entries = [values] if any(map(is_message, values)) else values
    return [_found(entry, index) for index, entry in enumerate(entries)]


def _found(entry: object, index: int) -> Found | None:
    if not isinstance(entry, Mapping):
        messages = _messages(entry)
        return Found(messages, index=index) if messages is not None else None
    held = ((one, _messages_in(one)) for one in _requests(entry))
    holder, messages = next(
        ((one, found) for one, found in held if found is not None), (entry, None)
    )
    if messages is None:
        return None
    response = next((_unpacked(entry[key]) for key in _RESPONSES if key in entry), None)
    reply, others = _reply(response if isinstance(response, Mapping) else entry)
    usage = response.get("usage") if isinstance(response, Mapping) else entry.get("usage")
    return Found(
        messages=messages,
        tools=listed(holder.get("tools")) or listed(holder.get("functions")),
        odd_tools=any(holder.get(key) and not listed(holder[key]) for key in _TOOLS),
        system=holder.get("system"),
        labels=labels(entry) if holder is entry else [],
        reply=reply,
        others=others,
        usage=usage,
        logged=holder is not entry or reply is not None,
        index=index,
    )


def _requests(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The objects that may hold an entry's messages: itself, its request, the request's body."""
    inner = [_unpacked(entry[key]) for key in _REQUESTS if key in entry]
    return [entry, *(one for one in inner if isinstance(one, Mapping))]


def _unpacked(value: object) -> object:
    """A request or response without its wrapping: JSON in a text, headers beside a body."""
    for _ in range(3):
        if isinstance(value, str) and value.lstrip().startswith("{"):
            try:
                value = json.loads(value)
            except ValueError:
                return value
        if not isinstance(value, Mapping):
            return value
        inner = value.get("body", value.get("json"))
        if not isinstance(inner, str | Mapping):
            return value
        value = inner
    return value


def _reply(response: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, int]:
    """The message in a response, and how many choices it had besides."""
    choices = [c.get("message") for c in listed(response.get("choices")) if isinstance(c, Mapping)]
    messages = [message for message in choices if isinstance(message, Mapping)]
    if messages:
        return messages[0], len(messages) - 1
    if response.get("role") == "assistant" and "content" in response:
        return response, 0
    return None, 0


def _messages_in(entry: Mapping[str, Any]) -> Sequence[object] | None:
    return _messages(next((entry[key] for key in _LISTS if isinstance(entry.get(key), list)), None))


def _messages(value: object) -> Sequence[object] | None:
    """A value if it is a list with messages in it."""
    return value if isinstance(value, list | tuple) and any(map(is_message, value)) else None


def _is_anthropic_block(block: object) -> bool:
    return kind_of(block) in _ANTHROPIC_BLOCKS or (
        isinstance(block, Mapping)
        and kind_of(block) in ("image", "document")
        and isinstance(block.get("source"), Mapping)
    )
