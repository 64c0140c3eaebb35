"""The difficulty in words: only what the figures say, with what they rest on."""

from __future__ import annotations

from collections.abc import Callable

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.difficulty import splits
from compaction_eval.reports.difficulty_words import words
from compaction_eval.reports.dimensions import DIMENSIONS
from compaction_eval.reports.marks import Marks

Told = Callable[..., CellRecord]
IDS = [f"s{at}" for at in range(12)]
MANIFEST = {
    "places": {name: {"family": "hard" if at < 6 else "easy"} for at, name in enumerate(IDS)}
}


def said(by: str, *cells: CellRecord) -> str:
    run = Run(MANIFEST, cells)
    return words(splits(run, summary_rows(run), DIMENSIONS[by], Marks()))


def test_the_hardest_group_is_named_with_what_the_figures_rest_on(told: Told) -> None:
    kinds = ("recall", "decision")
    cells = [told(name, "correct", "missing", kinds=kinds) for name in IDS]
    assert said("kind", *cells) == (
        "By kind, budget 30%: lowest survival for decision probes, 0% against 50.0% overall"
        " (mean of 1 strategy; 12 scenarios, 12 probes; below their overall figure for 1 of 1);"
        " highest for recall probes, 100% (12 scenarios, 12 probes)."
    )


def test_the_mean_is_over_strategies_that_are_no_control(told: Told) -> None:
    kinds = ("recall", "decision")
    cells = [told(name, "correct", "missing", kinds=kinds) for name in IDS]
    cells += [told(name, "correct", "correct", kinds=kinds, strategy="other") for name in IDS]
    cells += [
        told(name, "missing", "missing", kinds=kinds, strategy="token-window") for name in IDS
    ]
    text = said("kind", *cells)
    assert "decision probes, 50.0% against 75.0% overall (mean of 2 strategies; " in text
    assert "below their overall figure for 1 of 2)" in text


def test_few_conversations_are_said_to_be_few(told: Told) -> None:
    cells = [told(name, "missing" if at < 6 else "correct") for at, name in enumerate(IDS)]
    text = said("family", *cells)
    assert "lowest survival for 'hard' scenarios, 0% against 50.0% overall" in text
    assert text.endswith("With so few conversations, that may be chance.")


def test_groups_that_hardly_differ_are_not_ranked(told: Told) -> None:
    cells = [
        told(name, *["correct"] * (99 if at < 6 else 100), "missing") for at, name in enumerate(IDS)
    ]
    assert said("family", *cells) == (
        "By family, budget 30%: the groups don't differ: all have 99.0% survival"
        " (mean of 1 strategy)."
    )


def test_a_group_with_too_few_scenarios_is_named_and_not_ranked(told: Told) -> None:
    cells = [
        told(name, "correct" if at % 2 else "missing", age=10 + 400 * (at % 2))
        for at, name in enumerate(IDS)
    ]
    text = said("age", *cells, told("old", "missing", age=9_000))
    assert "what is 0-249 tokens old, 0% against" in text
    assert "Not ranked, with fewer than 3 scenarios: 8,000-15,999." in text


def test_abstention_is_no_hardest_kind_since_it_is_asked_only_where_it_fails(told: Told) -> None:
    kinds = ("recall", "update", "abstention", "reuse")
    cells = [told(name, "correct", "missing", "wrong", "missing", kinds=kinds) for name in IDS]
    assert "lowest survival for update probes" in said("kind", *cells)


def test_other_budgets_are_told_beside_the_middle_one(told: Told) -> None:
    kinds = ("recall", "decision")
    cells = [
        told(n, "correct", "missing", kinds=kinds, budget=b) for b in ("15%", "30%") for n in IDS
    ]
    cells += [told(n, "missing", "correct", kinds=kinds, budget="50%") for n in IDS]
    text = said("kind", *cells)
    assert text.startswith("By kind, budget 30%: lowest survival for decision probes")
    assert "Lowest too at 15% (0%). Lowest for recall probes at 50% (0%)." in text


def test_single_probes_are_counted(told: Told) -> None:
    assert said("probe", told("a", "correct", "missing", "missing")) == (
        "By probe, budget 30%: of 3 probes, 2 survive with none of 1 strategy and 1 with all."
    )


def test_one_group_or_none_is_said_to_be_just_that(told: Told) -> None:
    assert said("kind", told("a", "correct")) == "By kind, budget 30%: one group only, recall."
    assert said("kind", told("a", "not-asked")) == "By kind, budget 30%: nothing to compare."
