"""The edge suite as it is judged: what a conversation is about applies in it, and what holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.runner import run_matrix
from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.properties import PROPERTIES
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.specs import parse_spec

FILES = scenario_files(library_folder().resolve() / "edge")
# One that summarises seldom, and one that does so all the time.
STRATEGIES = ("window-summary", "token-summary")
BLOCK_AWARE = ("rolling-summary", "threshold-gate", "window-summary")
PLAIN = "block-truncation"
MENDED = "block-truncation(request=keep,oversized=reduce)"
SLOW = {"thousand-tiny-messages", "unbroken-hundred-thousand-tokens"}
"""Judged by `stress`, and left out here."""
FAMILIES = ("validity", "order", "idempotence", "trigger", "budget")
FAILURES = ("fallback-told", "no-junk")
"""Of the family about summaries, what is about summarisers that fail."""


def judged(scenario: Scenario, strategy: str) -> CellRecord:
    stress = scenario.stress
    assert stress is not None
    budget, summarizer = Budget.parse(stress.budget), parse_spec(stress.summarizer)
    matrix = Matrix((scenario,), (parse_spec(strategy),), (budget,), (summarizer,))
    return run_matrix(matrix, jobs=1, executor="inline").cells[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_property_that_a_conversation_is_about_is_judged_in_it(path: Path) -> None:
    for scenario in load_file(path):
        assert scenario.stress is not None
        left = set(scenario.stress.holds)
        for strategy in STRATEGIES:
            if left:
                cell = judged(scenario, strategy)
                assert cell.error is None
                left -= set(cell.properties)
        assert left == set()


def broken(strategy: str) -> Iterator[tuple[str, str]]:
    """What a strategy breaks of what block-aware ones must hold, where the input is valid."""
    for path in FILES:
        for scenario in load_file(path) if path.stem not in SLOW else ():
            assert scenario.stress is not None
            for name, reason in judged(scenario, strategy).properties.items():
                must = PROPERTIES[name].family in FAMILIES or name in FAILURES
                if reason and must and scenario.stress.valid:
                    yield scenario.id, name


@pytest.mark.parametrize("strategy", [*BLOCK_AWARE, MENDED])
def test_block_aware_strategies_hold_all_that_is_no_loss_of_facts(strategy: str) -> None:
    assert list(broken(strategy)) == []


def test_the_plain_block_window_keeps_a_newest_message_that_is_too_large_and_no_more() -> None:
    assert {name for _, name in broken(PLAIN)} == {"oversized-reduced"}
