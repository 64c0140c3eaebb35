"""Costs in words: where tokens mislead, and what not compacting costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from tests.eval.cost.conversation import prices

from compaction_eval.eval.cost.caches import BreakpointCache
from compaction_eval.eval.cost.figures import CostRow, Costs
from compaction_eval.eval.cost.ledger import Clock
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.cost_lines import CostGroup, cost_groups
from compaction_eval.reports.cost_table import CSV_COLUMNS, CostReport, cost_csv
from compaction_eval.reports.cost_words import basis, cost_words, flip
from compaction_eval.reports.figures import usd
from compaction_eval.reports.marks import Marks

MakeRow = Callable[..., SummaryRow]
MARKS = Marks()


def cost(strategy: str, dollars: str | None, tokens: int, **more: Any) -> CostRow:
    amount = None if dollars is None else Decimal(dollars)
    fields: dict[str, Any] = {
        "conversations": 2,
        "requests": 20,
        "read": 0,
        "written": 0,
        "uncached": tokens,
        "output": 10,
        "summary_in": 0,
        "summary_out": 0,
        "cost": amount,
        "cost_without_cache": amount,
        "summarizing": Decimal(0),
        "full_cost": Decimal(4),
        "full_cost_without_cache": Decimal(20),
        "prefix_breaks": 1,
        "invalidated": 5,
        "compacted": 2,
        "paid_off": 1,
        "break_even": None,
    }
    return CostRow(strategy, "30%", "extractive", **{**fields, **more})


def groups(row: MakeRow, *costs: CostRow) -> tuple[list[CostGroup], Costs]:
    rows = [row(strategy=one.strategy, budget="30%", summarizer="extractive") for one in costs]
    by_key = {(one.strategy, one.budget, one.summarizer): one for one in costs}
    found = Costs(prices(), BreakpointCache(), Clock(), by_key)
    return cost_groups(rows, found), found


def test_the_two_that_tokens_and_dollars_rank_most_differently_are_named(row: MakeRow) -> None:
    found, _ = groups(
        row,
        cost("count-slice", "9", 1_000),
        cost("rolling-summary", "3", 4_000),
        cost("window-summary", "6", 3_000),
    )
    words = cost_words(found, MARKS)
    assert (
        "Budget 30%: count-slice takes 75% fewer tokens than rolling-summary and costs 3.0 times"
        " as much." in words
    )
    assert "2 of 3 strategies cost more than the full history with this cache (2.00 USD)." in words


def test_rows_that_rest_on_fewer_conversations_are_ranked_by_one_of_them(row: MakeRow) -> None:
    half = cost("count-slice", "4", 1_500, conversations=1, full_cost=Decimal(2))
    found, _ = groups(row, half, cost("rolling-summary", "6", 2_000))
    assert flip(found[0], MARKS) is None
    few = cost("count-slice", "4", 900, conversations=1, full_cost=Decimal(2))
    found, _ = groups(row, few, cost("rolling-summary", "6", 2_000))
    assert "count-slice takes 10% fewer tokens than rolling-summary" in cost_words(found, MARKS)


@pytest.mark.parametrize(("dollars", "told"), [("9", "costs more than"), ("3", "costs no more")])
def test_a_strategy_alone_is_ranked_with_nobody(row: MakeRow, dollars: str, told: str) -> None:
    words = cost_words(groups(row, cost("count-slice", dollars, 10))[0], MARKS)
    assert words.startswith(f"Budget 30%: count-slice {told}")
    assert "order" not in words


def test_where_both_rank_alike_it_says_so(row: MakeRow) -> None:
    found, _ = groups(row, cost("count-slice", "1", 10), cost("rolling-summary", "3", 20))
    words = cost_words(found, MARKS)
    assert "the order is the same" in words
    assert "No strategy costs more than the full history" in words


def test_one_strategy_alone_is_not_ranked(row: MakeRow) -> None:
    found, _ = groups(row, cost("count-slice", "1", 10))
    assert cost_words(found, MARKS) == (
        "Budget 30%: count-slice costs no more than the full history with this cache (2.00 USD)."
    )


def test_the_summariser_s_tokens_count_in_the_ranking(row: MakeRow) -> None:
    few = cost("rolling-summary", "5", 1_000, summary_in=9_000, summary_out=500)
    found, _ = groups(row, few, cost("count-slice", "3", 5_000))
    assert flip(found[0], MARKS) is None


def test_nobody_is_compared_with_what_cannot_be_run(row: MakeRow) -> None:
    found, _ = groups(
        row, cost("empty", "1", 10), cost("evidence-only", "9", 20), cost("none", "4", 5)
    )
    assert flip(found[0], MARKS) is None
    assert cost_words(found, MARKS) == ""


def test_lines_are_sorted_by_cost_and_the_unknown_comes_last(row: MakeRow) -> None:
    found, costs = groups(
        row,
        cost("recorded", None, 10, summary_in=None),
        cost("count-slice", "9", 10),
        cost("token-window", "3", 10),
    )
    names = [line.row.strategy for line in found[0].lines]
    assert names == ["token-window", "count-slice", "recorded"]
    heading, *lines = cost_csv(CostReport(costs, found, MARKS)).splitlines()
    assert heading == ",".join(CSV_COLUMNS)
    last = dict(zip(CSV_COLUMNS, lines[-1].split(","), strict=False))
    assert (last["strategy"], last["cost"]) == ("recorded", "")


def test_a_row_that_no_summariser_changes_is_shown_once(row: MakeRow) -> None:
    one = cost("count-slice", "9", 10)
    costs = {("count-slice", "30%", name): replace(one, summarizer=name) for name in ("a", "b")}
    rows = [
        row(strategy="count-slice", budget="30%", summarizer=name, summary_calls=0)
        for name in ("a", "b")
    ]
    (group,) = cost_groups(rows, Costs(prices(), BreakpointCache(), Clock(), costs))
    assert [line.row.summarizer for line in group.lines] == [""]


def test_what_figures_rest_on_names_model_day_and_source() -> None:
    text = " ".join(basis(Costs(prices(), BreakpointCache(), Clock(7, 2), {})))
    assert "nobody:by-hand on 2026-11-01, this test" in text
    assert "7 s from request to request, 2 s more with each summary" in text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "–"),
        ("0", "0"),
        ("0.0452387", "0.0452"),
        ("0.00009", "0.0000900"),
        ("1.239", "1.24"),
        ("48.44", "48.4"),
        ("1234.5", "1,234"),
    ],
)
def test_dollars_have_three_digits(amount: str | None, text: str) -> None:
    assert usd(None if amount is None else Decimal(amount)) == text
