"""What keeps most, set against the cost of sending everything."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from tests.eval.cost.conversation import prices
from tests.reports.test_costs import cost

from compaction_eval.eval.cost.caches import BreakpointCache, NoCache
from compaction_eval.eval.cost.figures import Costs
from compaction_eval.eval.cost.ledger import Clock
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.cost_finding import cost_finding
from compaction_eval.reports.marks import Marks

Row = Callable[..., SummaryRow]


def made(row: Row, costs: Costs | None) -> list[str]:
    rows = [
        row("rolling-summary", survival=0.9, summary_calls=1),
        row("window-summary", survival=0.8, summary_calls=1),
        row("broken", survival=0.95, over_budget_requests=1, summary_calls=1),
    ]
    return cost_finding(rows, Marks(), RowShares(), costs)


def test_what_keeps_most_is_set_against_the_full_history(row: Row) -> None:
    # The full history costs 4 USD; what isn't usable isn't spoken of.
    dear, cheap = cost("rolling-summary", "10", 10), cost("window-summary", "3", 10)
    own = (dear, cheap, cost("broken", "1", 10))
    rows = {(one.strategy, one.budget, one.summarizer): one for one in own}
    costs = Costs(prices(), BreakpointCache(), Clock(), rows)
    head = (
        f"At the prices of {costs.prices.name} with a prompt cache ({costs.cache.name}), of what"
        " keeps most this costs"
    )
    assert made(row, costs) == [
        f"{head} more than sending everything: at 30% rolling-summary (2.50×).",
        f"{head} no more than sending everything: at 30% window-summary (0.75×).",
    ]


def test_as_dear_as_everything_is_no_more_than_that(row: Row) -> None:
    same = cost("rolling-summary", "4", 10)
    key = (same.strategy, same.budget, same.summarizer)
    (line,) = made(row, Costs(prices(), NoCache(), Clock(), {key: same}))
    assert "without a prompt cache" in line
    assert line.endswith("costs no more than sending everything: at 30% rolling-summary (1.00×).")


def test_without_prices_or_with_an_unknown_cost_nothing_is_said(row: Row) -> None:
    unknown = cost("rolling-summary", None, 10)
    assert Decimal(4) == unknown.full_cost
    key = (unknown.strategy, unknown.budget, unknown.summarizer)
    assert made(row, None) == []
    assert made(row, Costs(prices(), BreakpointCache(), Clock(), {key: unknown})) == []
