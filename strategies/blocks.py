"""Blocks: the units by which a conversation can be cut and no tool call loses its answer.

A block is one message, or an assistant message with calls together with the tool messages that
answer its ids. Answers are matched by id and may stand in any order and apart from each other.
Real conversations use ids again: a tool message belongs to the nearest earlier assistant message
with its id. One whose call isn't there is a block of its own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from compaction_eval.strategies.messages import Message, answered_id, call_ids, role, used_ids
from compaction_eval.strategies.view import View

Block = tuple[int, ...]
"""Positions of one block's messages, ascending; they need not be adjacent."""
Using = Callable[[str], Sequence[int]]
"""Id of a call -> positions of the messages that make or answer it, ascending."""


def iter_blocks(messages: Sequence[Message]) -> Iterator[Block]:
    """Yield the blocks by their first message.

    Over a measured view this costs what is yielded, since the view knows where an id is used.
    """
    using = _using(messages)
    claimed: set[int] = set()
    for position, message in enumerate(messages):
        if position in claimed:
            claimed.discard(position)
            continue
        block = _block(messages, position, message, using)
        claimed.update(block[1:])
        yield block


def blocks(messages: Sequence[Message]) -> list[Block]:
    """All blocks of a conversation, ordered by their first message."""
    return list(iter_blocks(messages))


def newest_block(messages: Sequence[Message]) -> Block:
    """The block that holds the newest message; empty for an empty conversation."""
    return block_of(messages, len(messages) - 1) if messages else ()


def block_of(messages: Sequence[Message], position: int) -> Block:
    """The block that holds the message at a position."""
    message = messages[position]
    kind = role(message)
    if kind != "tool" and not call_ids(message):
        return (position,)
    using = _using(messages)
    if kind == "tool":
        used = using(answered_id(message))
        for earlier in reversed(used[: bisect_left(used, position)]):
            if role(messages[earlier]) == "assistant":
                return _block(messages, earlier, messages[earlier], using)
    return _block(messages, position, message, using)


def _block(messages: Sequence[Message], position: int, message: Message, using: Using) -> Block:
    """The block that a message opens."""
    answers: set[int] = set()
    for call in call_ids(message):
        used = using(call)
        for later in used[bisect_right(used, position) :]:
            if role(messages[later]) == "assistant":
                break
            answers.add(later)
    return (position, *sorted(answers))


def _using(messages: Sequence[Message]) -> Using:
    """Where each id is used: a view knows, a list is read once."""
    if isinstance(messages, View):
        return messages.using
    positions: dict[str, list[int]] = {}
    for position, message in enumerate(messages):
        for call in used_ids(message):
            positions.setdefault(call, []).append(position)
    return lambda call: positions.get(call, ())
