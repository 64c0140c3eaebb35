"""Cuts that know blocks: no tool call is parted from its answers, no request from the work on it.

The walk goes from the front over what is dropped. With `hold_request`, the newest user message
passed on the way is held back: if the rest then opens with the agent's work, that message stays in
front of it, since it is what the agent works on. If the rest opens with a user message, it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from compaction_eval.strategies.blocks import Block, iter_blocks
from compaction_eval.strategies.cutting import Cut, exchange, newest_positions, stays
from compaction_eval.strategies.holding import Held, shrink_block, squeeze, tokens_of_held
from compaction_eval.strategies.messages import Message, role
from compaction_eval.strategies.rendering import DEFAULT_INTERNAL_TAGS, is_internal
from compaction_eval.strategies.tokens import REQUEST_TOKENS, TokenCounter

REQUEST_SHARE = 4
"""A user message that is kept in front of later ones may take a quarter of the limit."""


@dataclass(frozen=True, slots=True)
class BlockRules:
    """What a block cut spares."""

    keep_system: bool = True
    hold_request: bool = False
    """Whether the user message that the rest works on stays."""
    hold_first: bool = False
    """Whether the first user message stays too."""
    reduce: bool = False
    """Whether a held message that is too long is cut inside, and a newest block that exceeds the
    budget by itself; if not, the one goes where it must, and the other stays."""
    internal_tags: tuple[str, ...] = DEFAULT_INTERNAL_TAGS


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a block cut goes, in tokens of a request."""

    limit: int
    """What the rest should have at most."""
    ceilings: tuple[int, ...]
    """Ascending; where only system messages, held messages and the newest block are left and
    exceed the limit, held messages are reduced or dropped for the first of these that can be."""
    budget: int
    """What exceeds it without held messages isn't mended by dropping them; what would be dropped
    for the ceilings stays if it fits this."""
    held_limit: int
    """Tokens of each held message."""
    bound: int = 0
    """A place, no tokens: blocks that begin before it are dropped anyway."""


def cut_blocks(
    messages: Sequence[Message], counter: TokenCounter, rules: BlockRules, limits: Limits
) -> Cut:
    """Drop the oldest blocks until the rest is within the limits; the newest block stays."""
    return _Walk(messages, counter, rules, limits).cut()


@dataclass(slots=True)
class _Walk:
    """One walk from the front; its last fields are what was passed so far."""

    messages: Sequence[Message]
    counter: TokenCounter
    rules: BlockRules
    limits: Limits
    size: int = 0
    """Tokens of a request with what isn't dropped, held messages apart."""
    gone: list[int] = field(default_factory=list)
    blocks: int = 0
    orphans: int = 0
    newest: Block = ()
    first: Held | None = None
    request: Held | None = None

    def cut(self) -> Cut:
        """Walk, and tell what stays and what goes."""
        self.size = REQUEST_TOKENS + self.counter.messages(self.messages)
        self.newest = newest_positions(self.messages, self.rules.keep_system)
        opening = self._walk()
        if opening is not None and self._is_request(opening):
            self._drop_request()
        tight = self.size + tokens_of_held(self._held()) > self.limits.limit
        changed = [*(self._make_room() if tight else ()), *self._held()]
        replaced = {
            held.position: held.message
            for held in changed
            if held.message is not self.messages[held.position]
        }
        if not self.gone and not replaced:
            return Cut(self.messages, tight=tight)
        lost = sorted({*self.gone, *replaced})
        return Cut(
            exchange(self.messages, self.gone, replaced),
            [self.messages[position] for position in lost],
            blocks=self.blocks,
            orphans=self.orphans,
            first_held=self.first is not None,
            tight=tight,
        )

    def _walk(self) -> Message | None:
        """Drop and hold until the rest fits; the message with which the rest opens."""
        opening: Message | None = None
        for block in iter_blocks(self.messages):
            message = self.messages[block[0]]
            if stays(message, self.rules.keep_system):
                continue
            if self.newest and block[0] == self.newest[0]:
                # Blocks may be interleaved with the newest one, so the walk goes on behind it; the
                # request before it stays its own.
                opening = message
                continue
            asked = opening is None and self._is_request(message)
            orphan = role(message) == "tool"
            fits = block[0] >= self.limits.bound and not orphan and self._fits(asked)
            if fits and not self._opens_unasked(opening or message, block[0]):
                return opening or message
            if asked and self.rules.hold_first and self.first is None:
                self.first = self._hold(block[0], message)
            elif asked and self.rules.hold_request:
                self._drop_request()
                self.request = self._hold(block[0], message)
            else:
                self._drop(block, orphan)
        return opening

    def _held(self) -> list[Held]:
        return [held for held in (self.first, self.request) if held is not None]

    def _fits(self, opens_with_request: bool) -> bool:
        """Whether the rest fits; if it opens with a request, the one held before goes."""
        held = self.first if opens_with_request else None
        kept = self._held() if not opens_with_request else [held] if held is not None else []
        return self.size + tokens_of_held(kept) <= self.limits.limit

    def _opens_unasked(self, opening: Message, position: int) -> bool:
        """Whether the rest would open with work for which no request is left, but has one later."""
        if not self.rules.hold_request or self._held() or role(opening) == "user":
            return False
        return any(role(message) == "user" for message in self.messages[position:])

    def _is_request(self, message: Message) -> bool:
        """Whether the user says it, and not the agent's own framework."""
        return role(message) == "user" and not is_internal(message, self.rules.internal_tags)

    def _hold(self, position: int, message: Message) -> Held:
        """Keep a message for now, reduced if it is too long."""
        held = Held(position, message, self.counter.message(message))
        self.size -= held.tokens
        if self.rules.reduce:
            held.shrink(self.limits.held_limit, self.counter)
        return held

    def _drop(self, block: Block, orphan: bool) -> None:
        self.gone.extend(block)
        self.size -= sum(self.counter.message(self.messages[position]) for position in block)
        self.orphans += orphan
        self.blocks += not orphan

    def _drop_request(self) -> None:
        if self.request is not None:
            self.gone.append(self.request.position)
            self.blocks += 1
            self.request = None

    def _make_room(self) -> list[Held]:
        """Only held messages and the newest block are left, and they don't fit.

        The newest block's messages are given back as they are now.
        """
        budget, ceilings = self.limits.budget, self.limits.ceilings
        held = self._held()
        newest = [
            Held(position, message, self.counter.message(message))
            for position in self.newest
            for message in (self.messages[position],)
        ]
        if self.size > budget and self.rules.reduce:
            others = self.size - tokens_of_held(newest)
            beside = (tokens_of_held(held), 0)
            rooms = [ceilings[0] - others - beside[0]] + [budget - others - b for b in beside]
            any(shrink_block(newest, room, self.counter) for room in rooms)
            self.size = others + tokens_of_held(newest)
        if self.size > budget:
            # Nothing can be held to the budget, so losing the request too would win nothing.
            return newest
        if not self.gone and self.size + tokens_of_held(held) <= ceilings[-1]:
            # Nothing went, and what an earlier cut let pass may pass again.
            return newest
        while held and not self._squeeze(held):
            lost = held.pop(0)
            self.gone.append(lost.position)
            self.blocks += 1
            self.first = None
            self.request = self.request if held else None
        return newest

    def _squeeze(self, held: list[Held]) -> bool:
        """Whether the held messages fit under one of the ceilings, reduced if they may be."""
        for most in (*self.limits.ceilings, self.limits.budget):
            room = most - self.size
            if tokens_of_held(held) <= room:
                return True
            if self.rules.reduce and squeeze(held, room, self.limits.held_limit, self.counter):
                return True
        return False
