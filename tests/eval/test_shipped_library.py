"""The shipped library under controls and block-aware strategies: what every run relies on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.specs import parse_spec

BUDGETS = ("15%", "30%", "50%")
NAIVE = ("count-slice", "token-window")
BLOCK_AWARE = ("block-truncation", "rolling-summary", "threshold-gate", "window-summary")
CONTROLS = ("none", "empty", "evidence-only")


@pytest.fixture(scope="module")
def run() -> Run:
    """The library under the strategies that this file speaks of."""
    matrix = Matrix(
        scenarios=tuple(select(())),
        strategies=tuple(map(parse_spec, (*CONTROLS, *NAIVE, *BLOCK_AWARE))),
        budgets=tuple(map(Budget.parse, BUDGETS)),
        summarizers=(parse_spec("extractive"),),
        directory=Path.cwd(),
    )
    return run_matrix(matrix)


@pytest.fixture(scope="module")
def rows(run: Run) -> Mapping[tuple[str, str], SummaryRow]:
    """The table's rows by strategy and budget."""
    return {(row.strategy, row.budget): row for row in summary_rows(run)}


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize(("control", "share"), [("none", 1), ("empty", 0), ("evidence-only", 1)])
def test_each_control_scores_what_it_must(
    rows: Mapping[tuple[str, str], SummaryRow], control: str, share: float, budget: str
) -> None:
    assert rows[control, budget].survival == share


@pytest.mark.parametrize("control", ["none", "evidence-only"])
def test_the_ceilings_hold_every_value_that_is_used_again(
    rows: Mapping[tuple[str, str], SummaryRow], control: str
) -> None:
    assert {rows[control, budget].reuse for budget in BUDGETS} == {1}


def test_naive_cuts_break_tool_pairs_and_are_caught(
    rows: Mapping[tuple[str, str], SummaryRow],
) -> None:
    assert all(rows[name, "15%"].invalid_requests > 0 for name in NAIVE)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("name", BLOCK_AWARE)
def test_block_aware_strategies_send_valid_requests_within_the_budget(
    rows: Mapping[tuple[str, str], SummaryRow], name: str, budget: str
) -> None:
    row = rows[name, budget]
    assert (row.errors, row.invalid_requests, row.over_budget_requests) == (0, 0, 0)
    assert row.compactions > 0


def test_no_scenario_is_too_tight_for_the_smallest_budget(run: Run) -> None:
    apart = {cell.key.scenario for cell in run.cells if cell.apart}
    assert apart == set()


@pytest.mark.parametrize("budget", BUDGETS[:2])
def test_every_scenario_makes_the_block_aware_strategies_compact(run: Run, budget: str) -> None:
    idle = [
        (cell.key.scenario, cell.key.strategy)
        for cell in run.cells
        if cell.key.budget == budget
        and cell.key.strategy in BLOCK_AWARE
        and all(request.action == "none" for request in cell.requests)
    ]
    assert idle == []


def test_strategies_differ_in_what_survives(rows: Mapping[tuple[str, str], SummaryRow]) -> None:
    shares = {rows[name, "15%"].survival for name in (*NAIVE, *BLOCK_AWARE)}
    assert len(shares) == len((*NAIVE, *BLOCK_AWARE))
