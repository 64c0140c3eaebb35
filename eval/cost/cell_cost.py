"""One conversation under one strategy in money, beside the same with the full history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from compaction_eval.eval.cost.caches import Cache
from compaction_eval.eval.cost.ledger import Charge, Clock, breaks, charges, main_line
from compaction_eval.eval.cost.sizes import Sizes
from compaction_eval.eval.models.prices import ModelPrices
from compaction_eval.eval.records import CellRecord


@dataclass(frozen=True, slots=True)
class CellCost:
    """What one conversation under one strategy costs; USD and tokens."""

    charges: tuple[Charge, ...]
    cost: Decimal
    uncached: Decimal
    """The same tokens without a cache."""
    summarizing: Decimal
    """The summariser's part of both."""
    full: Decimal
    """The full history, with the same cache."""
    full_uncached: Decimal
    prefix_breaks: int
    invalidated: int
    """Tokens that the requests before had and that could not be read again."""
    compacted: bool
    break_even: int | None
    """Requests after the first compaction from which on compacting had paid for itself."""


def cell_cost(
    cell: CellRecord,
    sizes: Sizes,
    prices: ModelPrices,
    cache: Cache,
    clock: Clock,
    full: Sequence[Charge],
) -> CellCost:
    """One cell's costs; `full` are the charges of its requests with the full history."""
    requests = main_line(cell.requests)
    own = tuple(charges(requests, sizes, cache, clock))
    costs = [charge.cost(prices) for charge in own]
    full_costs = [charge.cost(prices) for charge in full]
    lost = list(breaks(requests))
    first = next((at for at, one in enumerate(requests) if one.action != "none"), None)
    return CellCost(
        charges=own,
        cost=sum(costs, Decimal(0)),
        uncached=sum((one.cost_without_cache(prices) for one in own), Decimal(0)),
        summarizing=sum((one.summarizing(prices) for one in own), Decimal(0)),
        full=sum(full_costs, Decimal(0)),
        full_uncached=sum((one.cost_without_cache(prices) for one in full), Decimal(0)),
        prefix_breaks=len(lost),
        invalidated=sum(lost),
        compacted=first is not None,
        break_even=None if first is None else break_even(costs[first:], full_costs[first:]),
    )


def break_even(costs: Sequence[Decimal], full: Sequence[Decimal]) -> int | None:
    """Requests after the first from which on the costs add up to no more than full history's.

    It has to hold to the end: what is paid off once and then exceeded by later compactions isn't.
    0 where the first is no dearer itself; None where the costs add up to more at the end.
    """
    more = list(accumulate(one - other for one, other in zip(costs, full, strict=True)))
    owing = [at for at, owed in enumerate(more) if owed > 0]
    paid = owing[-1] + 1 if owing else 0
    return paid if paid < len(more) else None
