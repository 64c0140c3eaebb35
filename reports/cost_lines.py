"""What reports on money show: each row of the table with its costs, per conversation, by budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from compaction_eval.eval.cost.figures import CostRow, Costs
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import merged
from compaction_eval.reports.marks import Marks


@dataclass(frozen=True, slots=True)
class CostLine:
    """A row with its costs."""

    row: SummaryRow
    """As the tables have it: without a summariser's name where that makes no difference."""
    cost: CostRow

    @property
    def each(self) -> Decimal | None:
        """USD a conversation, with the cache."""
        return self._each(self.cost.cost)

    @property
    def each_without_cache(self) -> Decimal | None:
        """USD a conversation, were nothing cached."""
        return self._each(self.cost.cost_without_cache)

    @property
    def summaries_each(self) -> Decimal | None:
        """The summariser's part of it."""
        return self._each(self.cost.summarizing)

    @property
    def tokens_each(self) -> float:
        """Tokens a conversation, sent, and read and written by the summariser."""
        return self.cost.tokens / self.cost.conversations

    @property
    def against_full(self) -> Decimal | None:
        """How many times what the full history costs with the same cache."""
        if self.cost.cost is None or not self.cost.full_cost:
            return None
        return self.cost.cost / self.cost.full_cost

    def _each(self, amount: Decimal | None) -> Decimal | None:
        return None if amount is None else amount / self.cost.conversations


@dataclass(frozen=True, slots=True)
class CostGroup:
    """The lines of one budget, the cheapest first; what isn't known comes last."""

    budget: str
    lines: tuple[CostLine, ...]
    full: Decimal
    """USD a conversation with the full history, with the cache."""
    full_without_cache: Decimal


def cost_groups(rows: Sequence[SummaryRow], costs: Costs) -> list[CostGroup]:
    """The lines of these rows that have costs, in the order of their budgets."""
    found: dict[str, list[CostLine]] = {}
    for row in merged(rows):
        cost = _cost(row, costs)
        if cost is not None:
            found.setdefault(row.budget, []).append(CostLine(row, cost))
    return [_group(budget, lines) for budget, lines in found.items()]


def choices(group: CostGroup, marks: Marks) -> list[CostLine]:
    """What somebody could run, with known costs: no bounds of the scale, no answer key."""
    return [
        line
        for line in group.lines
        if line.cost.cost is not None
        and not line.row.sees_answer_key
        and not marks.is_reference(line.row)
        and not marks.is_recorded(line.row)
    ]


def _cost(row: SummaryRow, costs: Costs) -> CostRow | None:
    if row.summarizer:
        return costs.rows.get((row.strategy, row.budget, row.summarizer))
    same = (
        cost
        for (strategy, budget, _), cost in costs.rows.items()
        if (strategy, budget) == (row.strategy, row.budget)
    )
    return next(same, None)


def _group(budget: str, lines: Sequence[CostLine]) -> CostGroup:
    # Rows without errors rest on the most conversations.
    most = max((line.cost for line in lines), key=lambda cost: cost.conversations)
    order = sorted(lines, key=lambda line: (line.each is None, line.each or Decimal(0)))
    return CostGroup(
        budget,
        tuple(order),
        most.full_cost / most.conversations,
        most.full_cost_without_cache / most.conversations,
    )
