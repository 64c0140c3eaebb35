"""What speaks against choosing a row."""

from __future__ import annotations

from collections.abc import Callable

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import groups
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.usability import usability

Row = Callable[..., SummaryRow]


def test_each_wrong_is_told_with_how_often(row: Row) -> None:
    use = usability([], Marks())
    assert use.why_not(row("a")) == ""
    assert use.why_not(row("a", invalid_requests=7, requests=1_200)) == (
        "of 1,200 requests 7 refused by the API"
    )
    both = row("a", invalid_requests=7, over_budget_requests=3, requests=90, errors=2, cells=28)
    assert use.why_not(both) == (
        "of 90 requests 7 refused by the API and 3 over budget; 2 of 28 cells failed"
    )


def test_what_cannot_be_chosen_is_told_and_not_called_broken(row: Row) -> None:
    use = usability([], Marks())
    assert use.why_not(row("token-window", invalid_requests=3)) == "a control, for comparison"
    assert use.why_not(row("a", sees_answer_key=True)) == "sees the answer key"
    assert not use.is_broken(row("token-window", invalid_requests=3))
    assert not use.is_broken(row("a", sees_answer_key=True, over_budget_requests=1))
    assert use.is_broken(row("a", over_budget_requests=1))


def test_what_the_recording_itself_breaks_is_held_against_nobody(row: Row) -> None:
    rows = [row("none", invalid_requests=4), row("none", "50%", invalid_requests=9)]
    use = usability(rows, Marks())
    assert use.is_usable(row("a", invalid_requests=4))
    assert not use.is_usable(row("a", invalid_requests=5))
    assert use.is_usable(row("a", "50%", invalid_requests=9))


def test_usable_rows_stand_first_then_the_others_then_controls(row: Row) -> None:
    rows = [
        row("none", survival=1.0),
        row("token-window", survival=0.3),
        row("over", survival=0.9, over_budget_requests=1),
        row("keyed", survival=0.95, sees_answer_key=True),
        row("low", survival=0.1),
        row("high", survival=0.4),
    ]
    (group,) = groups(rows, Marks())
    assert [one.strategy for one in group.rows] == [
        *("high", "low"),
        *("keyed", "over"),
        *("none", "token-window"),
    ]
