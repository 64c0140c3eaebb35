"""`compare --ranking`: whether one run's order of strategies tells another's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]
MEASURE = ("run", "-q", "--scenario", "tiny.yaml", "--budget", "60%")


@pytest.fixture
def two_runs(call: Call) -> Call:
    """Run folders `one` and `two`, of the same strategies."""
    for out in ("one", "two"):
        specs = ("--strategy", "./mine.py:last_two", "--strategy", "count-slice(keep=4)")
        assert call(*MEASURE, *specs, "--strategy", "none", "--out", out).exit_code == 0
    return call


def test_two_runs_are_ranked_budget_by_budget(two_runs: Call, folder: Path) -> None:
    result = two_runs("compare", "one", "two", "--ranking", "-o", "rank.json", "-o", "rank.md")
    assert result.exit_code == 0, result.output
    assert "At 60%, survival with extractive for survival with extractive: tau" in result.stdout
    assert "over 3 strategies, 1 scenario; fewer than 6, so no interval." in result.stdout
    assert "Kendall's tau-b" in result.stdout
    (told,) = json.loads((folder / "rank.json").read_text("utf-8"))["predictions"]
    assert {one["strategy"] for one in told["order"]} == {
        "./mine.py:last_two",
        "count-slice(keep=4)",
        "token-window",
    }
    assert "| token-window |" in (folder / "rank.md").read_text("utf-8")


def test_one_run_that_asked_no_model_has_no_second_order(two_runs: Call) -> None:
    result = two_runs("compare", "one", "--ranking")
    assert result.exit_code == 2
    assert "no model was asked in it" in result.stderr


def test_what_isnt_ranked_goes_with_nothing_else(two_runs: Call) -> None:
    result = two_runs("compare", "one", "two", "--ranking", "--by", "kind")
    assert result.exit_code == 2
    assert "--ranking goes with --budget, -o and -q alone." in result.stderr


def test_an_unknown_budget_is_told(two_runs: Call) -> None:
    result = two_runs("compare", "one", "two", "--ranking", "--budget", "70%")
    assert result.exit_code == 2
    assert "there is no '70%'" in result.stderr
