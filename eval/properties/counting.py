"""Sizes counted anew, straight with the tokenizer: what the run's own counter is held against.

3 tokens for a request; for each message 4, its content, and the name and arguments of its calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.vocabulary import encoding

TOO_LONG = 100_000
"""Characters from which on a text is counted as the run's counter counts it: in pieces."""


def request_tokens(messages: Iterable[Message], name: str) -> int:
    """Tokens of a request under the encoding of that name."""
    return 3 + sum(_message(dict(message), name) for message in messages)


def _message(message: dict[str, Any], name: str) -> int:
    count = 4 + _value(message.get("content"), name)
    calls = message.get("tool_calls") if message.get("role") == "assistant" else None
    for call in calls if isinstance(calls, list | tuple) else ():
        tool = call.get("function", call.get("custom")) if isinstance(call, dict) else None
        if isinstance(tool, dict):
            count += _text(str(tool.get("name") or ""), name)
            count += _value(tool.get("arguments", tool.get("input")), name)
    return count


def _value(value: object, name: str) -> int:
    if value is None:
        return 0
    return _text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), name)


@lru_cache(maxsize=8192)
def _text(text: str, name: str) -> int:
    # In pieces of white space the tokenizer takes no longer run than this one at a time.
    if len(text) > TOO_LONG and " " * TOO_LONG in text:
        starts = range(0, len(text), TOO_LONG)
        return sum(len(encoding(name).encode_ordinary(text[at : at + TOO_LONG])) for at in starts)
    return len(encoding(name).encode_ordinary(text))
