"""Making messages smaller inside: what is done where nothing more can be dropped.

The same messages become the same bytes whenever the same size is asked for, so that a prompt
cache holds, and what was reduced isn't reduced again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.rendering import shorten
from compaction_eval.strategies.tokens import TokenCounter

SMALLEST = 8
"""Tokens; a text cut to fewer says nothing."""


def reduce_messages(
    messages: Sequence[Message], limit: int, counter: TokenCounter
) -> list[Message] | None:
    """The messages with their long texts cut, in at most `limit` tokens; nothing if that can't be.

    Of each long text a beginning, a middle and an end stay, and all long texts get the same share.
    Calls and their arguments aren't touched: cut JSON is no JSON. New messages stand for those that
    changed, the others are the same objects.
    """
    total = counter.messages(messages)
    if total <= limit:
        return list(messages)
    texts = [counter.text(text) for message in messages for text in _texts(message)]
    share = _share(texts, limit - (total - sum(texts)))
    while share >= SMALLEST:
        reduced = [_reduced(message, share, counter) for message in messages]
        if counter.messages(reduced) <= limit:
            return reduced
        share = share * 9 // 10
    return None


def _share(sizes: Sequence[int], room: int) -> int:
    """The most tokens each text may have so that all fit; short ones leave theirs to others."""
    left = len(sizes)
    for size in sorted(sizes):
        if size * left > room:
            return room // left
        room -= size
        left -= 1
    return max(sizes, default=0)


def _texts(message: Message) -> list[str]:
    """The texts in a message's content that can be cut."""
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list | tuple) else ()
    return [part["text"] for part in parts if _is_text(part)]


def _is_text(part: object) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str)


def _reduced(message: Message, tokens: int, counter: TokenCounter) -> Message:
    """The message with each of its texts in at most `tokens` tokens."""
    content: Any = message.get("content")
    if isinstance(content, str):
        new: Any = _cut(content, tokens, counter)
    elif isinstance(content, list | tuple):
        new = [
            {**part, "text": _cut(part["text"], tokens, counter)} if _is_text(part) else part
            for part in content
        ]
    else:
        return message
    return message if new == content else cast("Message", {**message, "content": new})


def _cut(text: str, tokens: int, counter: TokenCounter) -> str:
    """The text in at most `tokens` tokens, which are at least a few."""
    size = counter.text(text)
    most = len(text) * tokens // max(size, 1)
    while size > tokens and most > 0:
        shorter = shorten(text, most, "ends")
        if counter.text(shorter) <= tokens:
            return shorter
        most = most * 9 // 10
    return text
