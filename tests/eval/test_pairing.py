"""What may be compared, and which verdicts changed for the worse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.evidence import ScenarioEvidence, Totals
from compaction_eval.eval.pairing import flips, pair


def changes(by_hand: Any, before: str, after: str, kind: str = "recall") -> list[str]:
    old, new = by_hand({"a": before}, kinds=(kind,)), by_hand({"a": after}, kinds=(kind,))
    return [flip.change for flip in flips(pair(old, new).pairs)]


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("+", "-", ["lost"]),
        ("+", "s", ["stale"]),
        ("+", "m", ["stale"]),
        ("+", "w", ["wrong"]),
        ("+", "a", ["lost"]),
        ("+", "n", ["lost"]),
        ("n", "w", ["wrong"]),
        ("n", "s", ["stale"]),
        ("-", "+", ["regained"]),
        ("s", "+", ["regained"]),
        ("+", "+", []),
        ("-", "s", ["stale"]),
        ("m", "s", ["stale"]),
        ("a", "w", ["wrong"]),
        ("-", "m", []),
        ("s", "-", []),
        ("+", "e", []),
        ("e", "-", []),
    ],
)
def test_a_correct_verdict_that_becomes_anything_else_is_worse(
    by_hand: Any, before: str, after: str, change: list[str]
) -> None:
    assert changes(by_hand, before, after) == change


def test_an_old_value_where_there_was_no_answer_is_told_and_no_loss(by_hand: Any) -> None:
    found = flips(pair(by_hand({"a": "+--"}), by_hand({"a": "ssw"})).pairs)
    assert [(flip.change, flip.worse) for flip in found] == [
        ("stale", True),
        ("stale", False),
        ("wrong", False),
    ]


def test_to_abstain_is_right_only_where_nothing_was_said(by_hand: Any) -> None:
    assert changes(by_hand, "a", "w", "abstention") == ["wrong"]
    assert changes(by_hand, "w", "a", "abstention") == ["regained"]
    assert changes(by_hand, "-", "a", "recall") == []


def test_the_same_can_be_compared(by_hand: Any) -> None:
    assert obstacles(by_hand({"a": "+"}), by_hand({"a": "-"})) == []


def test_every_difference_that_forbids_it_is_named(by_hand: Any) -> None:
    before = by_hand({"a": "+", "b": "+"}, name="old.jsonl")
    after = replace(
        by_hand({"a": "+", "b": "+"}, name="runs/new"),
        circumstances={"encoding": "cl100k_base", "matcher": 1, "model": "x"},
        scenarios=(ScenarioEvidence("a", "", "other"), ScenarioEvidence("b", "", "digest of b")),
    )
    assert obstacles(before, after) == [
        "encoding: o200k_base in old.jsonl, cl100k_base in runs/new",
        "model: none in old.jsonl, x in runs/new",
        "changed since old.jsonl: scenario a",
    ]


def test_nothing_in_common_cant_be_compared(by_hand: Any) -> None:
    """Both sides are named: the reviewer sees what was renamed, and what to write against it."""
    old = by_hand({"a": "+"}, name="old.jsonl", strategies=("./compaction.py:compact",))
    assert obstacles(old, by_hand({"b": "+"}, name="runs/new")) == [
        "old.jsonl and runs/new have no scenario in common: a in old.jsonl, b in runs/new"
    ]
    moved = by_hand({"a": "+"}, name="runs/new", strategies=("./src/compaction.py:compact",))
    (reason,) = obstacles(old, moved)
    row = f" at {old.cells[0].key.budget} with {old.cells[0].key.summarizer}"
    assert reason == (
        "old.jsonl and runs/new have no strategy, budget and summarizer in common: "
        f"./compaction.py:compact{row} in old.jsonl, ./src/compaction.py:compact{row} in runs/new"
        " (a strategy that has a `name` keeps it when its file moves)"
    )
    (elsewhere,) = obstacles(by_hand({"a": "+"}, strategies=("other",)), by_hand({"a": "+"}))
    assert "name" not in elsewhere
    other = tuple(replace(one, key=replace(one.key, budget="7%")) for one in old.cells)
    (elsewhere,) = obstacles(old, replace(old, cells=other))
    assert "at 7%" in elsewhere
    assert "name" not in elsewhere


def test_the_same_scenario_asked_other_probes_cant_be_compared(by_hand: Any) -> None:
    """Else a probe that fell away would be a loss that nobody sees."""
    (reason,) = obstacles(by_hand({"a": "++"}), by_hand({"a": "+"}))
    assert reason == "not the same probes as in run: scenario a"


def test_a_yardstick_that_moved_is_no_regression_and_no_pass(by_hand: Any) -> None:
    """Budget and full history are no strategy's doing: another version of this program counted."""
    whole = by_hand({"a": "+", "b": "+"}, totals=Totals(requests=2, full_tokens=900))
    old = replace(
        whole, name="old", cells=tuple(replace(one, budget_tokens=300) for one in whole.cells)
    )
    assert list(obstacles(old, whole)) == []  # a baseline that doesn't tell the budget's size
    first, second = old.cells

    def moved(**more: Any) -> list[str]:
        return list(
            obstacles(old, replace(old, name="new", cells=(first, replace(second, **more))))
        )

    assert moved() == []
    assert moved(budget_tokens=301) == [
        "tokens of the budget 30%: 300 in old, 301 in new, first in scenario b"
    ]
    assert moved(apart=True) == [
        "counts in the headline: yes in old, no in new, first in scenario b"
    ]
    counted, infeasible = moved(
        totals=Totals(requests=2, full_tokens=901, infeasible_requests=1, sent_tokens=5)
    )
    assert counted == "tokens of the full history: 900 in old, 901 in new, first in scenario b"
    assert infeasible.startswith("requests that no strategy can fit: 0 in old, 1 in new")


def test_what_only_one_side_has_is_told_apart(by_hand: Any) -> None:
    found = pair(
        by_hand({"a": "+", "b": "+"}, strategies=("mine", "old")),
        by_hand({"a": "+", "c": "-"}, strategies=("mine", "new")),
    )
    assert [(one.after.key.scenario, one.after.key.strategy) for one in found.pairs] == [
        ("a", "mine")
    ]
    assert (found.new_scenarios, found.removed_scenarios) == (("c",), ("b",))
    assert found.new_rows == ("new at 30% with none",)
    assert found.removed_rows == ("old at 30% with none",)
