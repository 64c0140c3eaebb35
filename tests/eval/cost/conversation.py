"""A conversation of three requests, small enough to be reckoned by hand, and prices to match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from compaction_eval.eval.cost.sizes import Sizes
from compaction_eval.eval.models.prices import ModelPrices, Rates
from compaction_eval.eval.records import CellKey, CellRecord, PartRef, RequestRecord
from compaction_eval.strategies.tokens import REQUEST_TOKENS, TokenCounter

SYSTEM, USER, ASSISTANT = 1_000, (500, 396, 546), (104, 54, 24)
MESSAGES = (SYSTEM, 500, 104, 396, 54, 546, 24)
"""Tokens of a system message, then of three questions with their answers."""
FULL = (((0, 2),), ((0, 4),), ((0, 6),))
WINDOW = (((0, 2),), ((0, 1), (3, 4)), ((0, 1), (5, 6)))
"""The system message and the newest message alone, from the second request on."""


def prices(read: str = "0.2", write: str = "2.5", *, output: str = "10") -> ModelPrices:
    """Two dollars a token; nobody asks that much, but it is easily multiplied."""
    rates = Rates(Decimal(2), Decimal(read), Decimal(write), Decimal(output))
    return ModelPrices("by-hand", "nobody", "this test", date(2026, 11, 1), ((-1, rates),))


def cell(
    views: Sequence[Sequence[PartRef]],
    messages: Sequence[int] = MESSAGES,
    *,
    requests: Sequence[dict[str, Any]] = (),
    **more: Any,
) -> CellRecord:
    """A cell that sent these views, before each second message on; `requests` has more of each."""
    known = {"system_messages": 1, "message_blocks": (1,) * len(messages), **more}
    made = CellRecord(
        CellKey("by-hand", "", "mine", "30%", "none"),
        100,
        sum(messages) + REQUEST_TOKENS,
        message_tokens=tuple(messages),
        **known,
    )
    sizes = Sizes(made, TokenCounter())
    records = []
    before: Sequence[PartRef] = ()
    for at, view in enumerate(views):
        own = dict(requests[at]) if requests else {}
        place = own.pop("at", 2 * at + 2)
        records.append(
            RequestRecord(
                at=place,
                probe=None,
                tokens=sizes.total(view).tokens + REQUEST_TOKENS,
                full=sum(messages[:place]) + REQUEST_TOKENS,
                view=tuple(view),
                reused_tokens=shared(before, view, sizes),
                **own,
            )
        )
        before = view
    return CellRecord(**{**_fields(made), "requests": tuple(records)})


def shared(one: Sequence[PartRef], other: Sequence[PartRef], sizes: Sizes) -> int:
    """Tokens of the messages that two views begin with, message by message."""
    total = 0
    for mine, theirs in zip(messages_of(one), messages_of(other), strict=False):
        if mine != theirs:
            break
        total += sizes.of(mine if isinstance(mine, str) else (mine, mine + 1)).tokens
    return total


def messages_of(view: Sequence[PartRef]) -> list[int | str]:
    """A view's messages one by one, by position or name."""
    found: list[int | str] = []
    for part in view:
        found += [part] if isinstance(part, str) else range(*part)
    return found


def _fields(record: CellRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in CellRecord.__slots__}
