"""Blocks: the units by which a conversation can be cut and no tool call loses its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.strategies.messages import Message, answered_id, call_ids, role, tool_calls

Block = tuple[int, ...]
"""Positions of one block's messages, ascending; they need not be adjacent."""


def iter_blocks(messages: Sequence[Message], start: int = 0) -> Iterator[Block]:
    """Yield the blocks from `start` on, by their first message, reading no further than needed.

    A block is one message, or an assistant message with calls together with the tool messages that
    answer its ids. Answers are matched by id, may stand in any order and apart from each other;
    where ids are used again, an answer belongs to the nearest earlier call. A tool message whose
    call isn't there is a block of its own.
    """
    claimed: set[int] = set()
    length = len(messages)
    for position in range(start, length):
        if position in claimed:
            claimed.discard(position)
            continue
        message = messages[position]
        ids = set(call_ids(message)) if role(message) == "assistant" else set()
        if not ids:
            yield (position,)
            continue
        answers = _answers(messages, position, ids)
        claimed.update(answers)
        yield (position, *answers)


def _answers(messages: Sequence[Message], position: int, ids: set[str]) -> list[int]:
    """Positions of the tool messages that answer the call message at `position`."""
    found: list[int] = []
    pending = set(ids)
    adjacent = True
    for later in range(position + 1, len(messages)):
        message = messages[later]
        if role(message) == "tool":
            answered = answered_id(message)
            if answered in (ids if adjacent else pending):
                found.append(later)
                pending.discard(answered)
        else:
            adjacent = False
            if role(message) == "assistant":
                pending.difference_update(call_ids(message))
            if not pending:
                break
    return found


def blocks(messages: Sequence[Message]) -> list[Block]:
    """All blocks of a conversation, ordered by their first message."""
    return list(iter_blocks(messages))


def newest_block(messages: Sequence[Message]) -> Block:
    """The block that holds the newest message; empty for an empty conversation."""
    return block_of(messages, len(messages) - 1) if messages else ()


def block_of(messages: Sequence[Message], position: int) -> Block:
    """The block that holds the message at a position.

    Reads back only to the call which that message answers, and no further than its other answers.
    """
    message = messages[position]
    if role(message) != "tool":
        return next(iter_blocks(messages, position)) if tool_calls(message) else (position,)
    answered = answered_id(message)
    for earlier in range(position - 1, -1, -1):
        candidate = messages[earlier]
        if role(candidate) == "assistant" and answered in call_ids(candidate):
            return next(iter_blocks(messages, earlier))
    return (position,)
