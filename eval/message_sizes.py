"""How large each message of a conversation is: in tokens, and in blocks of content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from compaction_eval.strategies.messages import Message, is_system, role, tool_calls
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class MessageSizes:
    """The sizes of a conversation's messages, by position."""

    tokens: tuple[int, ...] = ()
    """With each message's framing."""
    blocks: tuple[int, ...] = ()
    system: int = 0
    """Messages of the system with which the conversation opens."""


def sizes_of(messages: Sequence[Message], counter: TokenCounter) -> MessageSizes:
    """The sizes; the texts were tokenised before, so this counts nothing anew."""
    return MessageSizes(
        tokens=tuple(map(counter.message, messages)),
        blocks=tuple(map(content_blocks, messages)),
        system=sum(1 for _ in takewhile(is_system, messages)),
    )


def content_blocks(message: Message) -> int:
    """Blocks of content that Anthropic's API would make of a message: texts, calls, or a result.

    A message without anything is one all the same, since it stands between others.
    """
    if role(message) == "tool":
        return 1
    content = message.get("content")
    texts = len(content) if isinstance(content, list | tuple) else bool(content)
    return max(texts + len(tool_calls(message)), 1)
