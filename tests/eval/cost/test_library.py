"""On shipped conversations, rankings by tokens and by dollars differ; prices are fixed here."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from tests.eval.cost.conversation import prices

from compaction_eval.eval.cost.caches import BreakpointCache, Cache, NoCache, PrefixCache
from compaction_eval.eval.cost.figures import CostRow, NoSizesError, costs_of
from compaction_eval.eval.cost.ledger import Clock
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.models.prices import ModelPrices
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import Run
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.specs import parse_spec

# Of input a write costs 1, a read 0.1 and output 8 times as much; and 1.25, 0.1 and 5 times.
OPENAI = (PrefixCache(), prices(write="2", output="16"))
ANTHROPIC = (BreakpointCache(), prices(output="10"))


def run(scenario: str, *strategies: str) -> Run:
    matrix = Matrix(
        scenarios=tuple(select([scenario])),
        strategies=tuple(map(parse_spec, strategies)),
        budgets=(Budget.parse("30%"),),
        summarizers=(parse_spec("extractive"),),
        directory=Path.cwd(),
    )
    return run_matrix(matrix, executor="inline")


def rows(measured: Run, cache: Cache, costs: ModelPrices) -> dict[str, CostRow]:
    found = costs_of(measured, costs, cache, Clock())
    return {strategy: row for (strategy, _, _), row in found.rows.items()}


def dollars(row: CostRow) -> Decimal:
    assert row.cost is not None
    return row.cost


@pytest.fixture(scope="module")
def ordinary() -> Run:
    """A cell of the default library for each strategy."""
    names = ("count-slice", "keep-recent-summary", "token-window", "window-summary", "none")
    return run("checkout-latency[noise=12]", *names)


@pytest.mark.parametrize(("cache", "costs"), [OPENAI, ANTHROPIC], ids=("openai", "anthropic"))
def test_in_the_default_library_a_window_takes_fewer_tokens_and_more_dollars_than_summaries(
    ordinary: Run, cache: Cache, costs: ModelPrices
) -> None:
    found = rows(ordinary, cache, costs)
    window, summaries = found["count-slice"], found["keep-recent-summary"]
    assert window.tokens < 0.6 * summaries.tokens
    assert dollars(window) > Decimal("1.2") * dollars(summaries)
    bare = rows(ordinary, NoCache(), costs)
    assert dollars(bare["count-slice"]) < dollars(bare["keep-recent-summary"])


def test_the_full_history_is_the_row_none_and_cheap_with_a_cache(ordinary: Run) -> None:
    found = rows(ordinary, *OPENAI)
    none = found["none"]
    assert none.cost == none.full_cost
    assert none.cost_without_cache == none.full_cost_without_cache
    assert dollars(none) < none.full_cost_without_cache / 3
    assert (none.prefix_breaks, none.invalidated, none.compacted) == (0, 0, 0)
    assert {row.full_cost for row in found.values()} == {none.full_cost}
    assert {row.output for row in found.values()} == {none.output}
    # Whatever compacts breaks prefixes.
    assert all(row.prefix_breaks for name, row in found.items() if name != "none")


def test_in_a_long_conversation_a_window_costs_several_times_what_summaries_do() -> None:
    strategies = ("count-slice(keep=120)", "keep-recent-summary")
    measured = run("village-hall-weeks[noise=110]", *strategies)
    for cache, costs, times in ((*OPENAI, 3), (*ANTHROPIC, 4)):
        found = rows(measured, cache, costs)
        window, summaries = (found[name] for name in strategies)
        assert window.tokens < 0.65 * summaries.tokens
        assert dollars(window) > times * dollars(summaries)
        assert window.break_even is None
        assert summaries.break_even is not None


def test_a_recording_s_dollars_are_not_known() -> None:
    measured = run("checkout-latency[noise=0]", "window-summary")
    (cell,) = measured.cells
    first, *others = cell.requests
    replayed = replace(cell, requests=(replace(first, events=("replayed-summary",)), *others))
    (row,) = rows(replace(measured, cells=(replayed,)), *OPENAI).values()
    assert (row.cost, row.cost_without_cache, row.summarizing, row.paid_off) == (None,) * 4
    assert row.full_cost > 0


def test_a_run_without_sizes_is_told_to_be_measured_again(ordinary: Run) -> None:
    old = tuple(replace(cell, message_tokens=()) for cell in ordinary.cells)
    with pytest.raises(NoSizesError, match="run it again"):
        rows(replace(ordinary, cells=old), *OPENAI)
