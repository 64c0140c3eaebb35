"""Cuts that know messages only: which messages go, and the view without them.

A view costs what changed: these functions walk from the front over what is dropped and from the
end over what has to be found there, never over the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compaction_eval.strategies.blocks import iter_blocks, newest_block
from compaction_eval.strategies.messages import Message, is_system
from compaction_eval.strategies.summary import is_summary, previous_summary
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Part, View


@dataclass(frozen=True, slots=True)
class Cut:
    """What a cut leaves and what it takes away."""

    kept: Sequence[Message]
    dropped: Sequence[Message] = ()
    blocks: int = 0
    """Blocks among the dropped."""
    orphans: int = 0
    """Tool messages among the dropped whose call was gone already."""
    first_held: bool = False
    """Whether the first user message was kept although later ones were dropped."""
    tight: bool = False
    """Whether all that could go went, and that wasn't enough."""


def sliceable(messages: Sequence[Message]) -> Sequence[Message]:
    """The messages as a view or a list, which can be sliced and joined."""
    return messages if isinstance(messages, View | list) else list(messages)


def omit(messages: Sequence[Message], positions: Iterable[int]) -> Sequence[Message]:
    """The messages without those at some positions."""
    pieces: list[Sequence[Message]] = []
    start = 0
    for position in sorted(positions):
        if position > start:
            pieces.append(messages[start:position])
        start = position + 1
    pieces.append(messages[start:])
    return join(messages, pieces)


def exchange(
    messages: Sequence[Message], positions: Iterable[int], replaced: Mapping[int, Message]
) -> Sequence[Message]:
    """The messages without those at some positions, and with others in the places of some."""
    if not replaced:
        return omit(messages, positions)
    gone = sorted(positions)
    pieces: list[Sequence[Message]] = []
    start = 0
    for place in [*sorted(replaced), len(messages)]:
        inside = [position - start for position in gone if start <= position < place]
        pieces.append(omit(messages[start:place], inside))
        if place in replaced:
            pieces.append([replaced[place]])
        start = place + 1
    return join(messages, pieces)


def join(like: Sequence[Message], pieces: Iterable[Sequence[Message]]) -> Sequence[Message]:
    """The pieces one after the other, as a view where `like` is one and as a list elsewhere."""
    if not isinstance(like, View):
        return [message for piece in pieces for message in piece]
    conversation = like.conversation
    parts: list[Part] = []
    for piece in pieces:
        parts.extend(conversation.adopt(piece).parts)
    return View(conversation, parts)


def without_summary(messages: Sequence[Message]) -> tuple[Sequence[Message], Message | None]:
    """The messages without the newest summary in them, and that summary's message, if any."""
    found = previous_summary(messages)
    if found is None:
        return messages, None
    return omit(messages, [found[0]]), messages[found[0]]


def stays(message: Message, keep_system: bool) -> bool:
    """Whether no cut takes this message: a system message, where those are kept."""
    return keep_system and is_system(message) and not is_summary(message)


def leading(messages: Sequence[Message]) -> int:
    """How many system messages stand before all others."""
    for position, message in enumerate(messages):
        if not stays(message, keep_system=True):
            return position
    return len(messages)


def newest_position(messages: Sequence[Message], keep_system: bool) -> int | None:
    """Place of the newest message that isn't a kept system message."""
    return recent_start(messages, 1, keep_system)


def recent_start(messages: Sequence[Message], count: int, keep_system: bool) -> int | None:
    """Place of the `count`-th newest message, kept system messages not counted.

    Of the oldest one where there are fewer; nothing where there is none at all.
    """
    found: int | None = None
    for position in range(len(messages) - 1, -1, -1):
        if not stays(messages[position], keep_system):
            found = position
            count -= 1
            if count <= 0:
                break
    return found


def has_more_than(messages: Sequence[Message], count: int, keep_system: bool) -> bool:
    """Whether there are more than `count` messages, kept system messages not counted."""
    left = count
    for position in range(len(messages) - 1, -1, -1):
        if not stays(messages[position], keep_system):
            left -= 1
            if left < 0:
                return True
    return False


def newest_positions(messages: Sequence[Message], keep_system: bool) -> tuple[int, ...]:
    """Places of the block that holds the newest message, kept system messages not counted."""
    newest = newest_position(messages, keep_system)
    if newest is None:
        return ()
    return newest_block(messages if newest == len(messages) - 1 else messages[: newest + 1])


def cut_before(
    messages: Sequence[Message], bound: int, *, keep_system: bool, whole_blocks: bool
) -> Cut:
    """Drop all before the place `bound`; with `whole_blocks`, also the rest of what that parts.

    The newest message stays whatever the bound, with `whole_blocks` its whole block does.
    """
    if whole_blocks:
        gone = _blocks_before(messages, bound, keep_system)
    else:
        newest = newest_position(messages, keep_system)
        gone = [
            position
            for position, message in enumerate(messages[:bound])
            if position != newest and not stays(message, keep_system)
        ]
    if not gone:
        return Cut(messages)
    return Cut(omit(messages, gone), [messages[position] for position in gone])


def cut_to_fit(
    messages: Sequence[Message],
    excess: int,
    counter: TokenCounter,
    *,
    keep_system: bool,
    whole_blocks: bool,
) -> Cut:
    """Drop from the front until `excess` tokens are gone; the newest message stays.

    The same as walking back from the newest message and stopping at the first that doesn't fit,
    since every message costs something.
    """
    newest = newest_positions(messages, keep_system) if whole_blocks else ()
    stop = newest[0] if newest else newest_position(messages, keep_system)
    steps = iter_blocks(messages) if whole_blocks else ((p,) for p in range(len(messages)))
    gone: list[int] = []
    for step in steps:
        if excess <= 0:
            break
        if step[0] == stop or stays(messages[step[0]], keep_system):
            continue
        gone.extend(step)
        excess -= sum(counter.message(messages[position]) for position in step)
    if not gone:
        return Cut(messages)
    gone.sort()
    return Cut(omit(messages, gone), [messages[position] for position in gone])


def _blocks_before(messages: Sequence[Message], bound: int, keep_system: bool) -> list[int]:
    """Places of all messages of the blocks that begin before `bound`, the newest block's apart."""
    newest = newest_positions(messages, keep_system)
    gone: list[int] = []
    for block in iter_blocks(messages):
        if block[0] >= bound:
            break
        if block[0] != newest[0] and not stays(messages[block[0]], keep_system):
            gone.extend(block)
    return sorted(gone)
