"""Bills of three requests, each figure written out.

The conversation: a system message of 1,000 tokens, then 500, 396 and 546 tokens asked and 104, 54
and 24 answered. A request adds 3 tokens, an answer's framing is 4 of its tokens.

    full history   1,503 + 2,003 + 2,603 = 6,109 tokens     window   1,503 + 1,399 + 1,549 = 4,451
    answers        100 + 50 + 20 = 170 tokens, at 10 USD 1,700
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.eval.cost.conversation import FULL, MESSAGES, WINDOW, cell, prices

from compaction_eval.eval.cost.caches import BreakpointCache, Cache, NoCache, PrefixCache
from compaction_eval.eval.cost.cell_cost import break_even, cell_cost
from compaction_eval.eval.cost.ledger import Charge, Clock, breaks, charges, full_charges
from compaction_eval.eval.cost.sizes import Sizes
from compaction_eval.eval.models.prices import ModelPrices
from compaction_eval.eval.records import CellRecord
from compaction_eval.strategies.tokens import TokenCounter

Bill = list[tuple[int, int, int]]


def bill(record: CellRecord, cache: Cache, clock: Clock | None = None) -> Bill:
    """Read, written and uncached tokens of each request."""
    found = charges(record.requests, Sizes(record, TokenCounter()), cache, clock or Clock())
    return [(one.read, one.written, one.uncached) for one in found]


def total(record: CellRecord, cache: Cache, costs: ModelPrices) -> Decimal:
    found = charges(record.requests, Sizes(record, TokenCounter()), cache, Clock())
    return sum((one.cost(costs) for one in found), Decimal(0))


def test_a_prefix_is_read_in_steps_of_128_from_1024_on() -> None:
    # 1,500 -> 11 steps; 2,000 -> 15 steps; 2,600 -> 20 steps.
    assert bill(cell(FULL), PrefixCache()) == [(0, 1408, 95), (1408, 512, 83), (1920, 640, 43)]


def test_a_window_reads_nothing_where_only_1000_tokens_stay() -> None:
    assert bill(cell(WINDOW), PrefixCache()) == [(0, 1408, 95), (0, 1280, 119), (0, 1536, 13)]


def test_a_breakpoint_at_the_end_is_read_whole_by_the_next_request() -> None:
    assert bill(cell(FULL), BreakpointCache()) == [(0, 1500, 3), (1500, 500, 3), (2000, 600, 3)]
    assert bill(cell(WINDOW), BreakpointCache()) == [(0, 1500, 3), (0, 1396, 3), (0, 1546, 3)]


def test_without_a_cache_all_is_uncached() -> None:
    assert bill(cell(WINDOW), NoCache()) == [(0, 0, 1503), (0, 0, 1399), (0, 0, 1549)]


@pytest.mark.parametrize(
    ("cache", "costs", "full", "window"),
    [
        # 2 · 6,109 + 1,700 and 2 · 4,451 + 1,700
        (NoCache(), prices(), "13918", "10602"),
        # full: 0.2 · 3,328 read + 2 · (2,560 written + 221 others) + 1,700; window: 2 · 4,451 + …
        (PrefixCache(), prices(write="2"), "7927.6", "10602"),
        # full: 0.2 · 3,500 + 2.5 · 2,600 + 2 · 9 + 1,700; window: 2.5 · 4,442 + 2 · 9 + 1,700
        (BreakpointCache(), prices(), "8918", "12823"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_window_sends_a_quarter_less_and_costs_more_once_there_is_a_cache(
    cache: Cache, costs: ModelPrices, full: str, window: str
) -> None:
    assert total(cell(FULL), cache, costs) == Decimal(full)
    assert total(cell(WINDOW), cache, costs) == Decimal(window)


def test_system_messages_are_an_entry_of_their_own_where_they_are_long_enough() -> None:
    messages = (1_100, *MESSAGES[1:])
    found = bill(cell(WINDOW, messages), BreakpointCache())
    assert found == [(0, 1600, 3), (1100, 396, 3), (1100, 546, 3)]


def test_tool_schemas_stand_before_all_else_and_are_part_of_the_prefix() -> None:
    record = cell(WINDOW, tools_tokens=100)
    assert bill(record, BreakpointCache()) == [(0, 1600, 3), (1100, 396, 3), (1100, 546, 3)]
    # 1,100 tokens stay, of which eight steps are read.
    assert bill(record, PrefixCache()) == [(0, 1536, 67), (1024, 384, 91), (1024, 512, 113)]


def test_a_summary_is_written_once_and_read_from_then_on() -> None:
    words = {"role": "user", "content": "Summary: " + "the port is 8443 " * 120}
    size = TokenCounter().message(words)
    views = (((0, 2),), ((0, 1), "s0", (3, 4)), ((0, 1), "s0", (3, 6)))
    record = cell(views, synthetic={"s0": words})
    assert bill(record, BreakpointCache()) == [
        (0, 1500, 3),
        (0, 1396 + size, 3),
        (1396 + size, 600, 3),
    ]


def test_a_breakpoint_finds_an_entry_nineteen_blocks_before_and_none_farther() -> None:
    # Two texts asked at once count as two blocks; the answer and the next question come on top.
    for blocks, read in ((18, 1500), (19, 0)):
        record = cell(FULL[:2], message_blocks=(1, 1, 1, blocks, 1, 1, 1))
        assert bill(record, BreakpointCache()) == [(0, 1500, 3), (read, 2000 - read, 3)]


def test_what_is_unused_for_the_cache_s_time_is_forgotten_and_written_anew() -> None:
    kept = [(0, 1500, 3), (1500, 500, 3), (2000, 600, 3)]
    lost = [(0, 1500, 3), (0, 2000, 3), (0, 2600, 3)]
    assert bill(cell(FULL), BreakpointCache(ttl=300), Clock(pause=299)) == kept
    assert bill(cell(FULL), BreakpointCache(ttl=300), Clock(pause=300)) == lost
    assert bill(cell(FULL), BreakpointCache(ttl=3600), Clock(pause=300)) == kept


def test_a_summariser_that_takes_its_time_lets_the_cache_expire() -> None:
    calls = [{}, {"summary_calls": 2}, {}]
    record = cell(FULL, requests=calls)
    # 100 + 2 · 100 seconds before the second request, 100 before the third.
    found = bill(record, BreakpointCache(ttl=300), Clock(pause=100, summary=100))
    assert found == [(0, 1500, 3), (0, 2000, 3), (2000, 600, 3)]


def test_an_earlier_request_is_found_again_after_another_one() -> None:
    views = (((0, 2),), ((1, 4),), ((0, 6),))
    assert bill(cell(views), BreakpointCache(minimum=100))[2] == (1500, 1100, 3)
    assert bill(cell(views), PrefixCache())[2] == (1408, 1152, 43)


def test_the_summariser_is_billed_without_a_cache() -> None:
    charge = Charge(100, 200, 300, 10, summary_calls=1, summary_in=1_000, summary_out=50)
    # 1,000 · 2 + 50 · 10 for the summary; 20 + 500 + 600 + 100 for the request.
    assert charge.summarizing(prices()) == 2500
    assert charge.cost(prices()) == 3720
    assert charge.cost_without_cache(prices()) == 600 * 2 + 100 + 2500


def test_breaks_are_requests_that_do_not_begin_with_the_one_before() -> None:
    assert list(breaks(cell(FULL).requests)) == []
    # Of 1,500 tokens 1,000 stay, then of 1,396.
    assert list(breaks(cell(WINDOW).requests)) == [500, 396]


@pytest.mark.parametrize(
    ("costs", "full", "expected"),
    [
        ((5, 5, 5), (5, 5, 5), 0),
        ((9, 1, 1), (3, 3, 6), 2),
        ((9, 1, 1), (3, 3, 3), None),
        # Paid off at once, then owing again, then paid off for good.
        ((1, 9, 1, 1), (3, 3, 3, 3), 3),
        # Paid off, but a later compaction makes it dearer at the end.
        ((1, 1, 9), (3, 3, 3), None),
    ],
)
def test_a_compaction_has_paid_for_itself_once_the_costs_stay_below(
    costs: tuple[int, ...], full: tuple[int, ...], expected: int | None
) -> None:
    assert break_even(list(map(Decimal, costs)), list(map(Decimal, full))) == expected


def test_a_cell_is_compared_with_its_own_full_history() -> None:
    record = cell(WINDOW, requests=[{}, {"action": "truncate"}, {"action": "truncate"}])
    sizes, cache = Sizes(record, TokenCounter()), BreakpointCache()
    full = list(full_charges(record.requests, sizes, cache, Clock()))
    found = cell_cost(record, sizes, prices(), cache, Clock(), full)
    assert (found.cost, found.full) == (12823, 8918)
    assert (found.uncached, found.full_uncached) == (10602, 13918)
    assert (found.prefix_breaks, found.invalidated) == (2, 896)
    assert found.compacted
    assert found.break_even is None
