"""Replies as JSON and back: what a store and a cassette keep of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from compaction_eval.eval.models.base import Outcome, Reply

TRANSIENT: frozenset[Outcome] = frozenset(
    ("rate-limited", "server-error", "timeout", "connection", "malformed")
)
"""Outcomes that say nothing about the request: asked again, it may well be answered."""

KEPT: frozenset[Outcome] = frozenset(("answered", "tool-calls", "cut", "filtered"))
"""Outcomes that a store keeps: the model did its work, which was paid for. Another answer without
a text, and a 4xx, cost nothing to ask again, and may be gone once a setting was mended."""

_NUMBERS = ("tokens_in", "tokens_out", "cached_tokens")
_OUTCOMES = frozenset(get_args(Outcome))


def encode_reply(reply: Reply) -> dict[str, Any]:
    """A reply's fields in order, those that say nothing left out."""
    fields: dict[str, Any] = {"outcome": reply.outcome}
    if reply.text:
        fields["text"] = reply.text
    if reply.tool_calls:
        fields["calls"] = [list(call) for call in reply.tool_calls]
    if reply.reason:
        fields["reason"] = reply.reason
    numbers = {name: getattr(reply, name) for name in _NUMBERS}
    return fields | {name: value for name, value in numbers.items() if value is not None}


def decode_reply(fields: Mapping[str, Any]) -> Reply:
    """A reply from its fields, marked as not asked for now. ValueError for anything else."""
    outcome = fields.get("outcome")
    if not isinstance(outcome, str) or outcome not in _OUTCOMES:
        raise ValueError(f"there is no outcome {outcome!r}")
    text, reason, calls = (
        fields.get("text", ""),
        fields.get("reason", ""),
        fields.get("calls", []),
    )
    numbers = {name: fields.get(name) for name in _NUMBERS}
    if not isinstance(text, str) or not isinstance(reason, str):
        raise ValueError("text and reason are texts")
    if not isinstance(calls, list) or not all(map(_is_call, calls)):
        raise ValueError("calls are pairs of a name and arguments")
    if not all(value is None or type(value) is int for value in numbers.values()):
        raise ValueError("numbers of tokens are whole numbers")
    pairs = tuple((name, arguments) for name, arguments in calls)
    return Reply(cast(Outcome, outcome), text, pairs, reason, **numbers, from_store=True)


def _is_call(call: object) -> bool:
    return isinstance(call, list) and len(call) == 2 and all(isinstance(part, str) for part in call)
