"""Cuts that know blocks: no tool call is parted from its answers, no request from the work on it.

The walk goes from the front over what is dropped. With `hold_request`, the newest user message
passed on the way is held back: if the rest then opens with the agent's work, that message stays in
front of it, since it is what the agent works on. If the rest opens with a user message, it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from compaction_eval.strategies.blocks import Block, iter_blocks
from compaction_eval.strategies.cutting import Cut, join, newest_positions, omit, stays
from compaction_eval.strategies.messages import Message, role
from compaction_eval.strategies.reducing import reduce_messages
from compaction_eval.strategies.rendering import DEFAULT_INTERNAL_TAGS, is_internal
from compaction_eval.strategies.tokens import REQUEST_TOKENS, TokenCounter

REQUEST_SHARE = 4
"""A user message that is kept in front of later ones may take a quarter of the limit."""
SMALLEST_REQUEST = 16
"""Tokens; a request cut to fewer isn't kept for its own sake."""


@dataclass(frozen=True, slots=True)
class BlockRules:
    """What a block cut spares."""

    keep_system: bool = True
    hold_request: bool = False
    """Whether the user message that the rest works on stays."""
    hold_first: bool = False
    """Whether the first user message stays too."""
    reduce: bool = False
    """Whether a held message that is too long is cut inside; if not, it goes where it must."""
    internal_tags: tuple[str, ...] = DEFAULT_INTERNAL_TAGS


@dataclass(slots=True)
class _Held:
    """A user message kept although newer ones go."""

    position: int
    message: Message
    tokens: int


def cut_blocks(
    messages: Sequence[Message],
    counter: TokenCounter,
    rules: BlockRules,
    *,
    limit: int,
    ceilings: Sequence[int],
    held_limit: int,
    bound: int = 0,
) -> Cut:
    """Drop the oldest blocks until the rest is a request of at most `limit` tokens.

    Blocks that begin before the place `bound` are dropped anyway, the newest block never. Where
    system messages, held messages and the newest block are all that is left and exceed the limit,
    held messages are reduced or dropped until the request has at most the first of the `ceilings`
    that it can have, in tokens, ascending; the last is the budget. `held_limit`: tokens of each
    held message.
    """
    return _Walk(messages, counter, rules, limit, ceilings, held_limit, bound).cut()


@dataclass(slots=True)
class _Walk:
    """One walk from the front; its last fields are what was passed so far."""

    messages: Sequence[Message]
    counter: TokenCounter
    rules: BlockRules
    limit: int
    ceilings: Sequence[int]
    held_limit: int
    bound: int
    size: int = 0
    gone: list[int] = field(default_factory=list)
    blocks: int = 0
    orphans: int = 0
    first: _Held | None = None
    request: _Held | None = None

    def cut(self) -> Cut:
        """Walk, and tell what stays and what goes."""
        self.size = REQUEST_TOKENS + self.counter.messages(self.messages)
        opening = self._walk()
        if opening is not None and self._is_request(opening):
            self._drop_request()
        tight = self.size > self.limit
        if tight:
            self._make_room()
        replaced = {
            held.position: held.message
            for held in (self.first, self.request)
            if held is not None and held.message is not self.messages[held.position]
        }
        if not self.gone and not replaced:
            return Cut(self.messages, tight=tight)
        lost = sorted({*self.gone, *replaced})
        return Cut(
            self._rest(replaced),
            [self.messages[position] for position in lost],
            blocks=self.blocks,
            orphans=self.orphans,
            first_held=self.first is not None,
            tight=tight,
        )

    def _walk(self) -> Message | None:
        """Drop and hold until the rest fits; the message with which the rest opens."""
        newest = newest_positions(self.messages, self.rules.keep_system)
        opening: Message | None = None
        for block in iter_blocks(self.messages):
            message = self.messages[block[0]]
            if stays(message, self.rules.keep_system):
                continue
            if newest and block[0] == newest[0]:
                # Blocks may be interleaved with the newest one, so the walk goes on behind it.
                opening = message
                continue
            asked = self._is_request(message)
            spare = self.request.tokens if asked and self.request is not None else 0
            orphan = role(message) == "tool"
            if block[0] >= self.bound and self.size - spare <= self.limit and not orphan:
                return opening or message
            if asked and self.rules.hold_first and self.first is None:
                self.first = self._hold(block[0], message)
            elif asked and self.rules.hold_request:
                self._drop_request()
                self.request = self._hold(block[0], message)
            else:
                self._drop(block, orphan)
        return opening

    def _is_request(self, message: Message) -> bool:
        """Whether the user says it, and not the agent's own framework."""
        return role(message) == "user" and not is_internal(message, self.rules.internal_tags)

    def _hold(self, position: int, message: Message) -> _Held:
        """Keep a message for now, reduced if it is too long."""
        held = _Held(position, message, self.counter.message(message))
        self._shrink(held, self.held_limit)
        return held

    def _shrink(self, held: _Held, tokens: int) -> None:
        """Reduce a held message to some tokens, if that may and can be done."""
        if held.tokens <= tokens or not self.rules.reduce:
            return
        smaller = reduce_messages([held.message], tokens, self.counter)
        if smaller is not None:
            held.message = smaller[0]
            self.size -= held.tokens
            held.tokens = self.counter.message(held.message)
            self.size += held.tokens

    def _drop(self, block: Block, orphan: bool = False) -> None:
        self.gone.extend(block)
        self.size -= sum(self.counter.message(self.messages[position]) for position in block)
        self.orphans += orphan
        self.blocks += not orphan

    def _let_go(self, held: _Held) -> None:
        self.gone.append(held.position)
        self.size -= held.tokens
        self.blocks += 1

    def _drop_request(self) -> None:
        if self.request is not None:
            self._let_go(self.request)
            self.request = None

    def _make_room(self) -> None:
        """Only held messages and the newest block are left, and they don't fit."""
        held = [message for message in (self.first, self.request) if message is not None]
        bare = self.size - sum(message.tokens for message in held)
        if bare > self.ceilings[-1] or (not self.gone and self.size <= self.ceilings[-1]):
            # Nothing can be held to the budget, so losing the request too would win nothing; or
            # nothing went, and what an earlier cut let pass may pass again.
            return
        while held:
            if any(self._squeeze(held, most - bare) for most in self.ceilings):
                return
            self._let_go(held.pop(0))
        self.first = self.request = None

    def _squeeze(self, held: list[_Held], room: int) -> bool:
        """Reduce held messages to one size, halved until they fit; few sizes, so few versions."""
        share = self.held_limit
        while share * len(held) > room and share >= SMALLEST_REQUEST:
            share //= 2
        if share >= SMALLEST_REQUEST:
            for message in held:
                self._shrink(message, share)
        return sum(message.tokens for message in held) <= room

    def _rest(self, replaced: dict[int, Message]) -> Sequence[Message]:
        """The messages that stay, reduced ones in their places."""
        gone = set(self.gone)
        if not replaced:
            return omit(self.messages, gone)
        pieces: list[Sequence[Message]] = []
        start = 0
        for position in sorted(replaced):
            before = [at - start for at in gone if start <= at < position]
            pieces += [omit(self.messages[start:position], before), [replaced[position]]]
            start = position + 1
        after = [at - start for at in gone if at >= start]
        pieces.append(omit(self.messages[start:], after))
        return join(self.messages, pieces)
