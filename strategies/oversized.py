"""The newest block that is too large for the budget even when it stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.cutting import join, newest_positions, stays
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.reducing import reduce_messages
from compaction_eval.strategies.tokens import REQUEST_TOKENS, TokenCounter


@dataclass(frozen=True, slots=True)
class Core:
    """A view with its newest block made to fit."""

    messages: Sequence[Message]
    bare: int
    """Tokens of a request with nothing but the leading system messages and the newest block."""
    replaced: tuple[Message, ...] = ()
    """The messages that were reduced, as they were."""


def fit_newest(
    messages: Sequence[Message],
    counter: TokenCounter,
    *,
    budget: int,
    spare: int,
    keep_system: bool,
    reduce: bool,
) -> Core:
    """Reduce the newest block inside if it exceeds the budget even without any history.

    It then leaves `spare` tokens beside it, where that can be. Only leading system messages are
    reckoned with: to find others the whole history would have to be read.
    """
    system = REQUEST_TOKENS
    for message in messages:
        if not stays(message, keep_system):
            break
        system += counter.message(message)
    places = newest_positions(messages, keep_system)
    newest = [messages[place] for place in places]
    bare = system + counter.messages(newest)
    if bare <= budget or not reduce:
        return Core(messages, bare)
    smaller = reduce_messages(newest, budget - system - spare, counter)
    if smaller is None:
        smaller = reduce_messages(newest, budget - system, counter)
    if smaller is None:
        return Core(messages, bare)
    pieces: list[Sequence[Message]] = []
    start = 0
    for place, message in zip(places, smaller, strict=True):
        pieces += [messages[start:place], [message]]
        start = place + 1
    pieces.append(messages[start:])
    replaced = tuple(old for old, new in zip(newest, smaller, strict=True) if old is not new)
    return Core(join(messages, pieces), system + counter.messages(smaller), replaced)
