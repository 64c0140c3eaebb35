"""From a finished run to money: one set of figures for each strategy, budget and summariser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from compaction_eval.eval.cost.cell_cost import CellCost, cell_cost
from compaction_eval.eval.cost.ledger import Charge, Clock, full_charges, main_line
from compaction_eval.eval.cost.presets import Preset, billed
from compaction_eval.eval.cost.sizes import Sizes
from compaction_eval.eval.models.prices import ModelPrices
from compaction_eval.eval.records import REPLAYED, CellRecord
from compaction_eval.eval.row_cells import RowKey, row_key
from compaction_eval.eval.store import Run
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.tokens import TokenCounter


class NoSizesError(ConfigurationError):
    """The run's records lack the sizes of messages, so no bill can be made out."""


@dataclass(frozen=True, slots=True)
class CostRow:
    """The sums over the conversations of a strategy, budget and summariser; USD and tokens.

    What the summariser of a recorded compaction read isn't known, so there the dollars are None.
    """

    strategy: str
    budget: str
    summarizer: str
    conversations: int
    """Cells: variants and repeats count each."""
    requests: int
    read: int
    written: int
    uncached: int
    output: int
    summary_in: int | None
    summary_out: int
    cost: Decimal | None
    cost_without_cache: Decimal | None
    summarizing: Decimal | None
    full_cost: Decimal
    full_cost_without_cache: Decimal
    prefix_breaks: int
    invalidated: int
    compacted: int
    """Conversations in which something was compacted."""
    paid_off: int | None
    """Those of them in which compacting had paid for itself at the end."""
    break_even: float | None
    """Median requests until it had; None where it didn't in half of them or more."""

    @property
    def sent(self) -> int:
        """Tokens of the requests, tool schemas included."""
        return self.read + self.written + self.uncached

    @property
    def tokens(self) -> int:
        """The same and what the summariser read and wrote: what a ranking by tokens goes by."""
        return self.sent + (self.summary_in or 0) + self.summary_out


@dataclass(frozen=True, slots=True)
class Costs:
    """A run's rows in money, and what they rest on."""

    prices: ModelPrices
    cache: Preset
    clock: Clock
    rows: Mapping[RowKey, CostRow]


def costs_of(run: Run, prices: ModelPrices, cache: Preset, clock: Clock) -> Costs:
    """The figures of all rows. Raises NoSizesError for a run of an earlier version."""
    counter = TokenCounter(str(run.manifest.get("encoding", "o200k_base")))
    prices = billed(prices, cache)
    full: dict[tuple[str, str], tuple[Charge, ...]] = {}
    found: dict[RowKey, list[tuple[CellRecord, CellCost]]] = {}
    for cell in run.cells:
        if cell.error is not None or not cell.requests:
            continue
        if not cell.message_tokens:
            raise NoSizesError(
                "costs: this run was measured before the sizes of messages were kept; run it again"
            )
        sizes = Sizes(cell, counter)
        key = cell.key
        which = (key.scenario, key.variant)
        if which not in full:
            full[which] = tuple(full_charges(main_line(cell.requests), sizes, cache, clock))
        cost = cell_cost(cell, sizes, prices, cache, clock, full[which])
        found.setdefault(row_key(key), []).append((cell, cost))
    return Costs(prices, cache, clock, {key: _row(key, own) for key, own in found.items()})


def _row(key: RowKey, own: Sequence[tuple[CellRecord, CellCost]]) -> CostRow:
    costs = [cost for _, cost in own]
    every = [charge for cost in costs for charge in cost.charges]
    replayed = any(REPLAYED in request.events for cell, _ in own for request in cell.requests)
    compacted = [cost for cost in costs if cost.compacted]
    paid = [cost.break_even for cost in compacted if cost.break_even is not None]
    never = [float("inf")] * (len(compacted) - len(paid))
    middle = median([*paid, *never]) if compacted else None

    def known(amount: Decimal) -> Decimal | None:
        return None if replayed else amount

    return CostRow(
        *key,
        conversations=len(costs),
        requests=len(every),
        read=sum(one.read for one in every),
        written=sum(one.written for one in every),
        uncached=sum(one.uncached for one in every),
        output=sum(one.output for one in every),
        summary_in=None if replayed else sum(one.summary_in for one in every),
        summary_out=sum(one.summary_out for one in every),
        cost=known(sum((one.cost for one in costs), Decimal(0))),
        cost_without_cache=known(sum((one.uncached for one in costs), Decimal(0))),
        summarizing=known(sum((one.summarizing for one in costs), Decimal(0))),
        full_cost=sum((one.full for one in costs), Decimal(0)),
        full_cost_without_cache=sum((one.full_uncached for one in costs), Decimal(0)),
        prefix_breaks=sum(one.prefix_breaks for one in costs),
        invalidated=sum(one.invalidated for one in costs),
        compacted=len(compacted),
        paid_off=None if replayed else len(paid),
        break_even=None if replayed or middle == float("inf") else middle,
    )
