"""Which of the messages that came back are which of those that were given.

Messages are compared by what they say; each given one is claimed once at most.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, cast

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.view import View

KEYS = ("role", "content", "name", "tool_calls", "tool_call_id", "refusal", "function_call")
"""What makes a message what it is; other keys, and the order of keys, change nothing."""


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two messages say the same; a key with null is as good as none."""
    return one == other or identity(one) == identity(other)


def identity(message: Mapping[str, Any]) -> Hashable:
    """What two messages share when they say the same; a key for tables."""
    values = (message.get(key) for key in KEYS)
    return tuple(
        value if isinstance(value, str | None) else json.dumps(value, sort_keys=True, default=repr)
        for value in values
    )


def claims_of(
    before: Sequence[Message],
    copies: Sequence[Message],
    changed: set[int],
    returned: Sequence[dict[str, Any]],
) -> list[int | None]:
    """For each returned message the place of the original that it is, or None; each only once.

    Identity settles most. Messages that were built anew are compared, and where several originals
    say the same ("ok"), a common end is matched first, then a common beginning, then the latest
    original that keeps the order: what is kept is mostly the newest.
    """
    own = {id(message): place for place, message in enumerate(copies) if place not in changed}
    claims: list[int | None] = [None] * len(returned)
    free = set(range(len(before)))
    for at, message in enumerate(returned):
        place = own.get(id(message))
        if place is not None and place in free:
            claims[at] = place
            free.discard(place)
    if None not in claims:
        return claims
    identities = [identity(cast("dict[str, Any]", message)) for message in before]
    wanted = [identity(message) for message in returned]
    length = min(len(before), len(returned))
    ends = [[(len(returned) - k, len(before) - k) for k in range(1, length + 1)]]
    ends.append([(k, k) for k in range(length)])
    for pairs in ends:
        for at, place in pairs:
            if claims[at] is None and place in free and wanted[at] == identities[place]:
                claims[at] = place
                free.discard(place)
            elif claims[at] != place:
                break
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place in sorted(free):
        places[identities[place]].append(place)
    bound = len(before)
    for at in range(len(returned) - 1, -1, -1):
        if claims[at] is None and (equals := places.get(wanted[at])):
            chosen = ([place for place in equals if place < bound] or equals)[-1]
            equals.remove(chosen)
            claims[at] = chosen
        bound = bound if (claim := claims[at]) is None else claim
    return claims


def repeats(message: Mapping[str, Any], originals: Sequence[Message]) -> bool:
    """Whether an unclaimed message is one that was said before, so neither a summary nor a note.

    It stands there twice, or the strategy had dropped it and brings it back.
    """
    said: Iterable[Message] = originals
    if isinstance(originals, View):
        stretches = (part.stop for part in originals.parts if isinstance(part, range))
        earlier = islice(originals.conversation.messages, max(stretches, default=0))
        said = chain(earlier, (one for _, one in originals.loose()))
    content = message.get("content")
    return any(
        one.get("content") == content and same(message, cast("dict[str, Any]", one)) for one in said
    )
