"""Matched strategies are compared at the same size, and beyond the other's sizes not at all."""

from __future__ import annotations

import pytest

from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome, Totals
from compaction_eval.eval.matching import Point, interpolated, matches
from compaction_eval.eval.records import CellKey

LINE = (Point(300, 0.8), Point(100, 0.2), Point(200, 0.4))


@pytest.mark.parametrize(
    ("tokens", "share"),
    [(100, 0.2), (150, 0.3), (250, 0.6), (300, 0.8), (99.9, None), (300.1, None)],
)
def test_a_share_is_read_off_the_line_and_never_beyond_it(
    tokens: float, share: float | None
) -> None:
    assert interpolated(LINE, tokens) == (None if share is None else pytest.approx(share))


def test_points_of_one_size_count_as_their_mean() -> None:
    assert interpolated((Point(100, 0.2), Point(100, 0.4)), 100) == pytest.approx(0.3)
    assert interpolated((), 100) is None


def cell(scenario: str, strategy: str, budget: str, tokens: int, correct: int) -> CellEvidence:
    outcomes = tuple(
        Outcome(f"p{at}", "end", "recall", "correct" if at < correct else "missing")
        for at in range(10)
    )
    key = CellKey(scenario, "", strategy, budget, "extractive")
    return CellEvidence(key, Totals(retained_tokens=10 * tokens, probed_requests=10), outcomes)


def evidence(scenarios: int) -> Evidence:
    cells = []
    for at in range(scenarios):
        cells += [
            cell(f"s{at}", "one", "30%", 150, 6),
            cell(f"s{at}", "one", "50%", 400, 9),
            cell(f"s{at}", "two", "30%", 100, 4),
            cell(f"s{at}", "two", "50%", 200, 5),
        ]
    return Evidence({}, (), (), (), tuple(cells))


def test_the_difference_is_at_the_first_ones_size() -> None:
    matched, beyond = matches(evidence(6), "one", "two")
    assert (matched.budget, matched.retained_tokens, matched.scenarios) == ("30%", 150, 6)
    assert matched.first_share == pytest.approx(0.6)
    assert matched.second_share == pytest.approx(0.45)
    assert matched.difference == pytest.approx(0.15)
    assert matched.interval is not None
    assert (beyond.budget, beyond.difference, beyond.larger, beyond.smaller) == ("50%", None, 6, 0)


def test_five_scenarios_have_a_difference_and_no_interval() -> None:
    (matched,) = matches(evidence(5), "one", "two", ["30%"])
    assert matched.difference == pytest.approx(0.15)
    assert matched.interval is None


def test_a_strategy_matches_itself_everywhere() -> None:
    assert [one.difference for one in matches(evidence(6), "two", "two")] == [0.0, 0.0]


def test_scenarios_beyond_the_other_ones_sizes_are_counted_and_left_out() -> None:
    cells = [*evidence(6).cells, cell("big", "one", "30%", 900, 9), cell("big", "two", "30%", 9, 0)]
    (matched,) = matches(Evidence({}, (), (), (), tuple(cells)), "one", "two", ["30%"])
    assert (matched.asked, matched.scenarios, matched.larger) == (7, 6, 1)
    assert matched.retained_tokens == 150
