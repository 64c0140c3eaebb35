"""What happened at each main-line request of one conversation: all that properties are judged on.

Messages are known by their position in the script. One that a strategy shortened or masked still
stands for the message that it was; one that stands for none was made up: a summary, a note.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from compaction_eval.eval.records import RequestRecord
from compaction_eval.eval.script import Script
from compaction_eval.strategies.base import Compaction, SummaryRequest
from compaction_eval.strategies.blocks import Block, blocks
from compaction_eval.strategies.cutting import newest_positions
from compaction_eval.strategies.messages import Message, role
from compaction_eval.strategies.rendering import is_internal
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Standing:
    """A message of a view, and which message of the script it is."""

    message: Message
    kind: Literal["whole", "altered", "made"]
    """The script's own, the script's with other words, or made up."""
    position: int = -1
    """Position in the script; -1 where it was made up."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One call of the summariser: what it was given, and its answer or how it failed."""

    request: SummaryRequest
    answer: object = None
    error: str | None = None


@dataclass(frozen=True)
class Exchange:
    """One request of the main line."""

    at: int
    """Messages of the script said before it."""
    before: tuple[Standing, ...]
    """What the strategy was given."""
    sent: tuple[Standing, ...]
    tokens_before: int
    record: RequestRecord
    compaction: Compaction
    asks: tuple[Ask, ...] = ()
    mutated: str = ""
    """What the strategy changed of what it was given; empty where nothing."""
    again: str = ""
    """What compacting the sent view again did; empty where nothing."""

    @cached_property
    def whole(self) -> frozenset[int]:
        """Positions of the messages that were sent as they are."""
        return frozenset(one.position for one in self.sent if one.kind == "whole")

    @cached_property
    def present(self) -> frozenset[int]:
        """Positions of the messages that were sent, altered ones too."""
        return frozenset(one.position for one in self.sent if one.kind != "made")

    @cached_property
    def gone(self) -> tuple[Standing, ...]:
        """The script's messages that were there before and weren't sent in any form."""
        present = self.present
        return tuple(b for b in self.before if b.kind != "made" and b.position not in present)

    @cached_property
    def removed(self) -> tuple[Standing, ...]:
        """The script's messages that were there before and weren't sent as they were."""
        sent = {id(one.message) for one in self.sent}
        return tuple(
            b
            for b in self.before
            if b.kind != "made" and id(b.message) not in sent and b.position not in self.whole
        )

    @cached_property
    def made(self) -> tuple[Standing, ...]:
        """The messages that were sent and are made up."""
        return tuple(one for one in self.sent if one.kind == "made")

    @cached_property
    def newly_made(self) -> tuple[Standing, ...]:
        """Those of them that weren't there before."""
        old = {id(one.message) for one in self.before}
        return tuple(one for one in self.made if id(one.message) not in old)

    @cached_property
    def changed(self) -> bool:
        """Whether what was sent isn't what was given."""
        return messages_of(self.sent) != messages_of(self.before)


def messages_of(view: Iterable[Standing]) -> list[Message]:
    """The messages of a view."""
    return [one.message for one in view]


@dataclass(frozen=True)
class Trial:
    """One conversation under one strategy, request by request."""

    script: Script
    counter: TokenCounter
    budget: int
    """Tokens."""
    profile: str
    """The validity profile of the run."""
    exchanges: tuple[Exchange, ...]

    @property
    def messages(self) -> list[Message]:
        """The script's messages."""
        return self.script.conversation.messages

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks of the whole script."""
        return blocks(self.messages)

    @cached_property
    def requests(self) -> list[int]:
        """Positions of what the user asked; messages of the agent's own framework are none."""
        return [
            at
            for at, message in enumerate(self.messages)
            if role(message) == "user" and not is_internal(message)
        ]

    def first_request(self, at: int) -> int | None:
        """The first of them, once it was said."""
        return self.requests[0] if self.requests and self.requests[0] < at else None

    def newest_request(self, at: int) -> int | None:
        """The newest of them that was said."""
        return max((position for position in self.requests if position < at), default=None)

    def newest_block(self, at: int) -> Block:
        """Positions of the newest block's messages, system messages apart."""
        return newest_positions(self.script.conversation.view(0, at), True)

    def valid_so_far(self, at: int) -> bool:
        """Whether the history itself obeys the rules, and is meant to."""
        stress = self.script.scenario.stress
        if stress is not None and not stress.valid:
            return False
        history = self.script.conversation.view(0, at)
        checker = next(c for c in self.script.checkers if c.profile.name == self.profile)
        return all(fault.warning for _, fault in checker.check(history))

    def least(self, at: int, *positions: int) -> int:
        """Tokens of a request with the system messages, the newest block and these messages."""
        # The script's own floor has no block where a system message is the newest one.
        beside = (self.messages[one] for one in {*self.newest_block(at), *positions})
        return self.script.system_floor[at] + sum(map(self.counter.message, beside))
