"""Transcripts in the chat format in which all that somebody wrote is one of the texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.hostile.corpus import HOSTILE


def cases() -> Iterator[dict[str, Any]]:
    """Conversations as `stress --cases` takes them."""
    for number, (one, talk) in enumerate(zip(HOSTILE, talks(), strict=True)):
        if number % 8 == 0:
            name = one.text.encode("ascii", "ignore").decode().strip() or "x"
            said = [dict(message) for message in talk["messages"]]
            for message in said:
                if "tool_calls" in message:
                    (call,) = message["tool_calls"]
                    function = {**call["function"], "name": name}
                    message["tool_calls"] = [{**call, "function": function}]
            yield {"id": f"case{number}", "budget": 60, "messages": said}


def talks() -> Iterator[dict[str, Any]]:
    """Conversations in the chat format: everything in them is one of the texts."""
    for number, one in enumerate(HOSTILE):
        value = f"value-{7919 + number}.x"
        yield {
            "id": one.text,
            "task_id": one.text,
            "messages": [
                {"role": "system", "content": one.text},
                {"role": "user", "content": f"{one.text} {value} {one.text}"},
                _call(one.text, {"text": one.text}),
                {"role": "tool", "tool_call_id": one.text, "content": f"{one.text} {value}9"},
                {"role": "assistant", "content": one.text},
                {"role": "user", "content": one.text * 2},
                _call(one.text, {one.text: value, "b": f"{value}9"}),
                {"role": "tool", "tool_call_id": one.text, "content": one.text},
                {"role": "assistant", "content": one.text},
            ],
        }


def _call(text: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    function = {"name": text, "arguments": json.dumps(arguments)}
    call = {"id": text, "type": "function", "function": function}
    return {"role": "assistant", "content": text, "tool_calls": [call]}
