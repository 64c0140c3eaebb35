"""From what a view says to a verdict, and from verdicts to a share."""

from itertools import product

import pytest

from compaction_eval.eval.finding import Marks
from compaction_eval.eval.records import Verdict
from compaction_eval.eval.verdicts import (
    absent_verdict,
    parts_verdict,
    strict_share,
    value_verdict,
)


@pytest.mark.parametrize(
    ("marks", "verdict", "reason"),
    [
        (Marks(True, False, True), "correct", "the value is there"),
        (Marks(True, True, True), "correct", "the old one too, but the last word is right"),
        (Marks(True, True, False), "mixed", "the old one has the last word"),
        (Marks(False, True, False), "stale", "only the old one is there"),
        (Marks(), "missing", "neither is"),
    ],
)
def test_the_last_word_wins(marks: Marks, verdict: Verdict, reason: str) -> None:
    assert value_verdict(marks) == verdict, reason


@pytest.mark.parametrize(
    ("found", "expected"),
    [({0, 1, 2}, ("correct", 1.0)), ({1}, ("missing", 1 / 3)), (set(), ("missing", 0.0))],
)
def test_all_parts_are_wanted_and_their_share_is_told(
    found: set[int], expected: tuple[Verdict, float]
) -> None:
    assert parts_verdict(Marks(parts=frozenset(found)), 3) == expected


@pytest.mark.parametrize(
    ("says_old", "says_made_up", "says_retraction", "verdict"),
    [
        (False, False, False, "not-asked"),
        (False, False, True, "not-asked"),
        (True, False, True, "not-asked"),
        (True, False, False, "stale"),
        (False, True, False, "wrong"),
        (True, True, True, "wrong"),
        (True, True, False, "stale"),
    ],
)
def test_where_no_value_holds_a_view_can_only_go_wrong(
    says_old: bool, says_made_up: bool, says_retraction: bool, verdict: Verdict
) -> None:
    assert absent_verdict(Marks(says_made_up, says_old), says_retraction) == verdict


@pytest.mark.parametrize(
    ("verdicts", "share", "reason"),
    [
        ([], None, "nothing was asked: no share, and no zero"),
        (["not-asked", "error"], None, "neither is an answer"),
        (["correct", "not-asked", "error"], 1.0, "nor in a denominator"),
        (["correct", "mixed", "stale", "missing"], 0.25, "only what is quite right counts"),
        (["correct", "wrong", "abstained"], 1 / 3, "wrong and abstained are answers"),
    ],
)
def test_the_strict_share_counts_what_is_right_among_what_was_asked(
    verdicts: list[Verdict], share: float | None, reason: str
) -> None:
    assert strict_share(verdicts) == share, reason


def test_any_verdict_can_be_counted() -> None:
    asked: list[Verdict] = ["correct", "mixed", "stale", "missing"]
    assert [strict_share(asked, counted) for counted in asked] == [0.25] * 4
    for one, other in product(asked, repeat=2):
        assert strict_share([one], other) == float(one == other)
