"""Judges what a strategy from outside gave back: which messages are the given ones, which new.

A strategy from outside works on copies. What comes back unchanged is mapped to the original
objects, so that the record says which messages of the script were kept, dropped or written anew.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from compaction_eval.strategies.base import Action, Compaction
from compaction_eval.strategies.claims import claims_of, repeats, same
from compaction_eval.strategies.errors import StrategyError
from compaction_eval.strategies.messages import ROLES, Message, content_text
from compaction_eval.strategies.summary import is_summary, summary_text

MORE_MESSAGES = 16
"""Messages that a view may gain by a compaction: notes, summaries."""
MORE_CHARACTERS = 1_000_000
"""Characters that a view may gain."""


def copied(value: Any) -> Any:
    """A deep copy, several times faster than copy.deepcopy on JSON-like data."""
    kind = type(value)
    if kind is str or value is None or kind is int or kind is bool or kind is float:
        return value
    if kind is dict:
        return {key: copied(inner) for key, inner in value.items()}
    if kind is list:
        return [copied(inner) for inner in value]
    return copy.deepcopy(value)


def collected(result: object) -> list[dict[str, Any]]:
    """The messages that were returned, as a list; StrategyError says what else it was."""
    if isinstance(result, str | bytes | Mapping) or not isinstance(result, Iterable):
        shown = "None" if result is None else f"a value of type {type(result).__name__}"
        raise StrategyError(f"returned {shown} instead of a list of messages")
    messages: list[dict[str, Any]] = []
    for place, message in enumerate(result, 1):
        if not isinstance(message, Mapping):
            kind = type(message).__name__
            raise StrategyError(
                f"returned a value of type {kind} instead of a message (place {place})"
            )
        role = message.get("role")
        if not isinstance(role, str) or role not in ROLES:
            shown = f"with the unknown role {role!r}" if "role" in message else "without a role"
            raise StrategyError(f"returned a message {shown} (place {place})")
        messages.append(message if isinstance(message, dict) else dict(message))
    return messages


def bounded(returned: Sequence[Message], given: Sequence[Message]) -> None:
    """Refuse a view that grows: StrategyError with the figures.

    A strategy that doubles its view at each request would hang the run that measures it.
    """
    if len(returned) > len(given) + MORE_MESSAGES:
        raise StrategyError(
            f"returned {len(returned):,} messages for {len(given):,}: "
            "a strategy makes a view smaller"
        )
    size, most = _characters(returned), _characters(given) + MORE_CHARACTERS
    if size > most:
        raise StrategyError(
            f"returned {size:,} characters for {most - MORE_CHARACTERS:,}: "
            "a strategy makes a view smaller"
        )


def _characters(messages: Iterable[Message]) -> int:
    contents = (message.get("content") for message in messages)
    return sum(len(content) for content in contents if isinstance(content, str))


def accepted(
    originals: Sequence[Message],
    copies: Sequence[Message],
    given: Sequence[Message],
    returned: Sequence[dict[str, Any]],
) -> Compaction:
    """What the returned messages amount to. The action is derived from the messages alone.

    `copies` are the copies of `originals`, and `given` the list that was handed out, both as the
    strategy left them.
    """
    before = list(originals)
    changed = {
        place
        for place, (one, other) in enumerate(zip(copies, before, strict=True))
        if not same(cast("dict[str, Any]", one), cast("dict[str, Any]", other))
    }
    mutated = bool(changed) or list(map(id, given)) != list(map(id, copies))
    claims = claims_of(before, copies, changed, returned)
    view: list[Message] = []
    new: list[Message] = []
    for place, (claim, message) in enumerate(zip(claims, returned, strict=True), 1):
        if claim is not None:
            view.append(before[claim])
            continue
        view.append(_own(message, place))
        if not repeats(message, originals):
            new.append(view[-1])
    if claims == list(range(len(before))):
        return Compaction(originals, mutated_input=mutated)
    claimed = set(claims)
    action: Action = "summarize" if new else "truncate"
    return Compaction(
        view,
        action,
        # The summary before this one isn't lost history but replaced.
        dropped=[m for at, m in enumerate(before) if at not in claimed and not is_summary(m)],
        summary=_words(new[0]) if len(new) == 1 else None,
        mutated_input=mutated,
    )


def _own(message: dict[str, Any], place: int) -> Message:
    """A new message as plain JSON data that nobody else holds."""
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise StrategyError(
            f"returned a message whose tool_calls aren't a list of dicts (place {place})"
        )
    content = message.get("content")
    if not isinstance(content, str | list | None):
        kind = type(content).__name__
        raise StrategyError(f"returned a message whose content is of type {kind} (place {place})")
    if not all(isinstance(key, str) for key in message):
        raise StrategyError(f"returned a message with a key that isn't text (place {place})")
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise StrategyError(
            f"returned a message that isn't JSON (place {place}): {error}"
        ) from None
    return cast("Message", json.loads(text))


def _words(message: Message) -> str:
    return summary_text(message) if is_summary(message) else content_text(message)
