"""Messages that a cut may not drop, and how they are made smaller where nothing else is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.reducing import reduce_messages
from compaction_eval.strategies.tokens import TokenCounter

SMALLEST_REQUEST = 16
"""Tokens; a request cut to fewer isn't kept for its own sake."""


@dataclass(slots=True)
class Held:
    """A message that stays although newer ones go, in the size that it has by now."""

    position: int
    message: Message
    tokens: int

    def shrink(self, tokens: int, counter: TokenCounter) -> None:
        """Reduce it to some tokens, if that can be done."""
        if self.tokens > tokens:
            smaller = reduce_messages([self.message], tokens, counter)
            if smaller is not None:
                self.message = smaller[0]
                self.tokens = counter.message(self.message)


def tokens_of_held(held: Sequence[Held]) -> int:
    """Tokens of all of them."""
    return sum(message.tokens for message in held)


def squeeze(held: Sequence[Held], room: int, share: int, counter: TokenCounter) -> bool:
    """Reduce held messages until they fit the room, if they can, to `share` tokens or fewer each.

    The share is halved until it fits: few sizes, so that few versions of a message get about. One
    that can't be that small (half of it is structure) may have all the room that there is.
    """
    while share * len(held) > room and share >= SMALLEST_REQUEST:
        share //= 2
    for tokens in (share, room // max(len(held), 1)):
        if tokens >= SMALLEST_REQUEST and tokens_of_held(held) > room:
            for message in held:
                message.shrink(tokens, counter)
    return tokens_of_held(held) <= room


def shrink_block(block: Sequence[Held], room: int, counter: TokenCounter) -> bool:
    """Reduce the messages of a block together to fit the room, if that can be done."""
    smaller = reduce_messages([held.message for held in block], room, counter)
    if smaller is None:
        return False
    for held, message in zip(block, smaller, strict=True):
        held.message = message
        held.tokens = counter.message(message)
    return True
