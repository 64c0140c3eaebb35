"""What counts as the best at a budget: ties, unusable rows, recency, and bases that are small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from compaction_eval.eval.records import CellRecord, SummaryRow, Verdict
from compaction_eval.eval.row_shares import Base, RowShares
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.best_words import best_line, best_title
from compaction_eval.reports.findings import Finding, findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.sentence import finding_lines

MakeCell = Callable[..., CellRecord]
Measured = Callable[..., tuple[list[SummaryRow], RowShares]]


def names(rows: Sequence[SummaryRow]) -> list[str]:
    return [row.strategy for row in rows]


@pytest.fixture
def measured(told: MakeCell) -> Measured:
    """Rows of strategies by how many of some conversations, of one probe each, they keep."""

    def make(
        conversations: int, *, apart: int = 0, **kept: int
    ) -> tuple[list[SummaryRow], RowShares]:
        cells = []
        for strategy, number in kept.items():
            for at in range(conversations):
                verdict: Verdict = "correct" if at < number else "missing"
                cell = told(f"s{at}", verdict, strategy=strategy.replace("_", "-"))
                cells.append(replace(cell, apart=at >= conversations - apart))
        run = Run({"strategies": [], "summarizers": []}, tuple(cells))
        return summary_rows(run), RowShares(cells)

    return make


def found(rows: list[SummaryRow], shares: RowShares) -> Finding:
    (finding,) = findings(rows, Marks(), shares)
    return finding


def test_what_is_shown_to_keep_most_is_the_best_alone(measured: Measured) -> None:
    # b loses 7 conversations that a keeps: 1 of 128 patterns of signs, doubled for being two.
    rows, shares = measured(20, a=20, b=13, c=10)
    finding = found(rows, shares)
    assert names(finding.best) == ["a"]
    assert finding.leanest is None
    assert best_title(finding, rows) == (
        "At 30%, a keeps the largest share of the facts: 100% for 20 tokens"
    )


def test_what_is_not_shown_to_keep_less_ties_and_the_leanest_is_named(measured: Measured) -> None:
    # b loses 5 conversations, which shows nothing; c loses 10.
    rows, shares = measured(20, a=20, b=15, c=10)
    rows = [replace(row, saved_net=500_000) if row.strategy == "b" else row for row in rows]
    rows = [replace(row, full_tokens=1_000_000) for row in rows]
    finding = found(rows, shares)
    assert names(finding.best) == ["a", "b"]
    assert finding.leanest is not None
    assert finding.leanest.strategy == "b"
    assert best_line(finding, rows) == (
        "a (100%) and b (75.0%) keep the largest shares of the facts and can't be told apart;"
        " fewest tokens of these: b (50.0% of tokens saved net) [20 conversations]"
    )


def test_where_nothing_can_be_told_apart_nobody_keeps_most(measured: Measured) -> None:
    rows, shares = measured(7, a=7, b=4, c=3, d=2)
    finding = found(rows, shares)
    assert names(finding.best) == ["a", "b", "c", "d"]
    assert best_title(finding, rows) == (
        "At 30%, the usable strategies keep 28.6% to 100% of the facts and can't be told apart"
        " (7 conversations)"
    )
    line = best_line(finding, rows)
    assert line.startswith("the usable strategies keep 28.6% (d) to 100% (a) of the facts and")
    assert line.endswith("can't be told apart [7 conversations; too few to tell much apart]")


def test_below_six_conversations_nothing_is_said_of_recency(measured: Measured) -> None:
    rows, shares = measured(5, token_window=3, a=5, b=1)
    assert finding_lines(rows, Marks(), shares) == [
        "At 30%, the usable strategies keep 20.0% (b) to 100% (a) of the facts and can't be told"
        " apart [5 conversations; too few to tell anything apart]."
    ]


def test_a_part_of_the_conversations_is_called_one(measured: Measured) -> None:
    rows, shares = measured(31, apart=24, a=7, b=0)
    finding = found(rows, shares)
    assert finding.base == Base(31, 7, 24)
    assert best_title(finding, rows).endswith("(7 of 31 conversations)")
    assert best_line(finding, rows).endswith(
        "[7 of 31 conversations; 24 infeasible; too few to tell much apart]"
    )


def test_a_budget_at_which_nothing_fits_is_not_scored(measured: Measured) -> None:
    rows, shares = measured(31, apart=31, a=7, none=31)
    finding = found(rows, shares)
    assert not finding.scored
    assert best_line(finding, rows) == "not scored: all 31 conversations are infeasible there"
    assert finding_lines(rows, Marks(), shares) == [
        "Not scored: no conversation can be made to fit any of these budgets."
    ]


def test_what_is_not_usable_is_never_the_best_but_named_beside_it(measured: Measured) -> None:
    rows, shares = measured(20, a=12, b=20)
    rows = [
        replace(row, over_budget_requests=3, requests=40) if row.strategy == "b" else row
        for row in rows
    ]
    assert names(found(rows, shares).best) == ["a"]
    assert finding_lines(rows, Marks(), shares) == [
        "At 30%, a alone is usable, and keeps 60.0% of the facts for 20 tokens [20 conversations].",
        "Higher figures, but not usable: at 30% b (100%; of 40 requests 3 over budget).",
    ]


def test_where_something_higher_is_not_usable_the_best_is_one_of_the_usable(
    measured: Measured,
) -> None:
    rows, shares = measured(20, a=19, b=10, c=20)
    rows = [replace(row, invalid_requests=3) if row.strategy == "c" else row for row in rows]
    assert best_title(found(rows, shares), rows) == (
        "At 30%, of those usable, a keeps the largest share of the facts: 95.0% for 20 tokens"
    )


def test_worse_than_recency_is_said_only_where_it_is_shown(measured: Measured) -> None:
    # From the 12 conversations that recency keeps, a loses 1 and b 12; c keeps 8 more.
    rows, shares = measured(20, token_window=12, a=11, b=0, c=20)
    finding = found(rows, shares)
    assert names(finding.below_recency) == ["b"]
    assert names(finding.level_with_recency) == ["a"]
    lines = finding_lines(rows, Marks(), shares)
    assert "Worse than plain recency (token-window): b." in lines
    assert "Usable, but not shown to differ from plain recency (token-window): a." in lines


def test_of_several_that_keep_most_those_shown_to_beat_recency_are_named(
    measured: Measured,
) -> None:
    # a keeps 10 conversations that recency loses; b keeps 5 of these, which shows nothing.
    rows, shares = measured(20, token_window=10, a=20, b=15)
    rows = [replace(row, saved_net=None) for row in rows]
    finding = found(rows, shares)
    assert (names(finding.best), names(finding.above_recency)) == (["a", "b"], ["a"])
    assert "only a is shown to beat plain recency;" in best_line(finding, rows)
    level, shares = measured(20, token_window=10, a=13, b=12)
    told = best_line(found(level, shares), level)
    assert "; none of them is shown to beat plain recency" in told
    alone, shares = measured(20, token_window=10, a=13)
    assert "; it isn't shown to beat plain recency" in best_line(found(alone, shares), alone)


def test_where_all_that_keep_most_beat_recency_nothing_is_said_of_it(measured: Measured) -> None:
    rows, shares = measured(20, token_window=4, a=20, b=18)
    finding = found(rows, shares)
    assert len(finding.best) == 2
    assert "recency" not in best_line(finding, rows)


def test_what_is_saved_is_said_to_rest_on_infeasible_conversations_too(
    measured: Measured,
) -> None:
    rows, shares = measured(31, apart=11, a=20, b=16)
    rows = [replace(row, saved_net=1, full_tokens=4) for row in rows]
    assert "(25.0% of tokens saved net over all 31 conversations) [20 of 31" in best_line(
        found(rows, shares), rows
    )


def test_where_nothing_is_shown_to_be_worse_than_recency_that_is_said(measured: Measured) -> None:
    rows, shares = measured(20, token_window=12, a=11)
    lines = finding_lines(rows, Marks(), shares)
    assert "Nothing is shown to be worse than plain recency (token-window)." in lines


def test_the_best_by_another_measure_is_found_by_that_measure(told: MakeCell) -> None:
    """Each chart's title is about what the chart shows."""
    cells = []
    for at in range(20):
        for strategy, written, again in (("a", "correct", "missing"), ("b", "missing", "correct")):
            cell = told(f"s{at}", written, again, kinds=("recall", "reuse"), strategy=strategy)
            cells.append(cell)
    rows = summary_rows(Run({"strategies": [], "summarizers": []}, tuple(cells)))
    shares = RowShares(cells)
    by = {measure: findings(rows, Marks(), shares, measure)[0] for measure in ("survival", "reuse")}
    assert (names(by["survival"].best), names(by["reuse"].best)) == (["a"], ["b"])
    assert best_title(by["reuse"], rows) == (
        "At 30%, b keeps the largest share of the values used again: 100% for 20 tokens"
    )
