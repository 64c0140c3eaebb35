"""Recall between `empty` and `none`: on the questions that all three answered, per scenario."""

from __future__ import annotations

import pytest

from compaction_eval.eval.recall.normalising import normalised_recall
from compaction_eval.eval.records import AnswerRecord, CellKey, CellRecord, ProbeRecord, Verdict


def cell(strategy: str, scenario: str, **verdicts: Verdict) -> CellRecord:
    """A cell whose probes were answered so."""
    return CellRecord(
        CellKey(scenario, "", strategy, "30%", "extractive"),
        300,
        1000,
        probes=tuple(
            ProbeRecord(name, "recall", "end", 9, "correct", answer=AnswerRecord(verdict))
            for name, verdict in verdicts.items()
        ),
    )


def test_it_is_the_place_between_the_bare_question_and_the_full_history() -> None:
    own = [cell("mine", "a", p="correct", q="wrong", r="correct", s="wrong")]
    empty = [cell("empty", "a", p="correct", q="wrong", r="wrong", s="wrong")]
    none = [cell("none", "a", p="correct", q="correct", r="correct", s="wrong")]
    assert normalised_recall(own, empty, none) == pytest.approx((0.5 - 0.25) / (0.75 - 0.25))
    assert normalised_recall(empty, empty, none) == 0
    assert normalised_recall(none, empty, none) == 1


def test_a_question_without_an_answer_under_one_of_them_counts_for_none() -> None:
    own = [cell("mine", "a", p="correct", q="wrong")]
    empty = [cell("empty", "a", p="wrong", q="wrong")]
    none = [cell("none", "a", p="correct", q="error")]
    assert normalised_recall(own, empty, none) == 1


def test_the_conversation_is_the_unit() -> None:
    own = [cell("mine", "a", p="correct", q="correct", r="correct"), cell("mine", "b", p="wrong")]
    empty = [cell("empty", "a", p="wrong", q="wrong", r="wrong"), cell("empty", "b", p="wrong")]
    none = [
        cell("none", "a", p="correct", q="correct", r="correct"),
        cell("none", "b", p="correct"),
    ]
    assert normalised_recall(own, empty, none) == 0.5


@pytest.mark.parametrize("ceiling", ["wrong", "error"])
def test_without_a_scale_there_is_no_figure(ceiling: Verdict) -> None:
    own = [cell("mine", "a", p="correct")]
    empty = [cell("empty", "a", p="wrong")]
    assert normalised_recall(own, empty, [cell("none", "a", p=ceiling)]) is None
    assert normalised_recall(own, empty, []) is None


def test_a_shorter_view_may_be_answered_better_than_the_full_history() -> None:
    own = [cell("mine", "a", p="correct", q="correct")]
    empty = [cell("empty", "a", p="wrong", q="wrong")]
    none = [cell("none", "a", p="correct", q="wrong")]
    assert normalised_recall(own, empty, none) == 2
