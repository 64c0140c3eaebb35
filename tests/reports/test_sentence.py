"""The finding in a sentence."""

from __future__ import annotations

from collections.abc import Callable

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.findings import findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.sentence import sentence

Row = Callable[..., SummaryRow]


def names(rows: tuple[SummaryRow, ...]) -> list[str]:
    return [row.strategy for row in rows]


def test_the_frontier_holds_what_nothing_beats_cheapest_first(row: Row) -> None:
    (finding,) = findings(
        [
            row("dear", survival=0.9, retained_tokens=900.0),
            row("beaten", survival=0.5, retained_tokens=500.0),
            row("cheap", survival=0.6, retained_tokens=400.0),
            row("twin", survival=0.6, retained_tokens=400.0),
        ],
        Marks(),
    )
    assert names(finding.frontier) == ["cheap", "twin", "dear"]


def test_references_and_cheats_are_no_contenders(row: Row) -> None:
    (finding,) = findings(
        [
            row("none", survival=1.0),
            row("empty", survival=0.0, retained_tokens=1.0),
            row("evidence-only", survival=1.0, retained_tokens=100.0, sees_answer_key=True),
            row("rolling-summary", survival=1.0, sees_answer_key=True),
            row("block-truncation", survival=0.2),
        ],
        Marks(),
    )
    assert names(finding.frontier) == ["block-truncation"]


def test_a_row_with_errors_is_not_compared_and_is_named(row: Row) -> None:
    rows = [row("a", survival=0.2), row("broken", survival=1.0, errors=3)]
    assert names(findings(rows, Marks())[0].frontier) == ["a"]
    assert "Not compared: broken (3 cells failed)." in sentence(rows, Marks())


def test_budgets_are_compared_each_by_itself(rows: list[SummaryRow]) -> None:
    text = sentence(rows, Marks())
    assert "rolling-summary (70.0% for 1,300 tokens at 15%, 90.0% for 1,300 tokens at 30%)" in text
    assert "also on that frontier: block-truncation." in text


def test_what_keeps_nothing_is_on_no_frontier(row: Row) -> None:
    rows = [row("a", survival=0.0, retained_tokens=1.0), row("b", survival=0.2)]
    assert names(findings(rows, Marks())[0].frontier) == ["b"]


def test_recency_alone_is_nothing_to_compare(row: Row) -> None:
    assert sentence([row("token-window"), row("none")], Marks()).startswith("Nothing to compare")


def test_what_keeps_more_by_not_keeping_the_budget_is_no_choice_but_is_named(row: Row) -> None:
    rows = [row("a", survival=0.9, over_budget_requests=3, requests=9), row("b", survival=0.5)]
    assert names(findings(rows, Marks())[0].frontier) == ["b"]
    assert "not as a choice: a (3 over budget of 9 requests)." in sentence(rows, Marks())


def test_what_plain_recency_beats_is_named_with_its_budgets(rows: list[SummaryRow]) -> None:
    text = sentence(rows, Marks())
    worse = text[text.index("Worse than plain recency (token-window)") :].split(". ")[0]
    assert "count-slice(keep=10)" in worse
    assert "block-truncation (15% for fewer tokens, 30% for fewer tokens)" in worse


def test_a_strategy_that_the_api_would_refuse_is_no_choice_but_is_named(row: Row) -> None:
    rows = [
        row("naive", survival=0.9, retained_tokens=100.0, invalid_requests=7, requests=50),
        row("sound", survival=0.5, retained_tokens=200.0),
    ]
    assert names(findings(rows, Marks())[0].frontier) == ["sound"]
    assert "naive (7 refused by the API of 50 requests)." in sentence(rows, Marks())


def test_what_recency_beats_is_not_called_as_good_and_neither_is_recency(row: Row) -> None:
    rows = [
        row("sound", survival=0.6, retained_tokens=900.0),
        row("cheap", survival=0.2, retained_tokens=10.0, invalid_requests=5),
        row("better", survival=0.7, retained_tokens=800.0, over_budget_requests=2),
        row("token-window", survival=0.5, retained_tokens=100.0, invalid_requests=7),
    ]
    text = sentence(rows, Marks())
    assert "not as a choice: better (2 over budget of 900 requests). Worse than" in text
    assert "Worse than plain recency (token-window) at the same budget: cheap." in text


def test_where_no_strategy_is_sound_it_is_said_plainly(row: Row) -> None:
    rows = [
        row("a", survival=0.9, over_budget_requests=3, requests=9),
        row("b", survival=0.2, invalid_requests=2, requests=9),
        row("token-window", survival=0.5, invalid_requests=1),
    ]
    text = sentence(rows, Marks())
    assert text.startswith(
        "No strategy here both keeps its budget and sends valid requests: a (3 over budget of 9"
        " requests) and b (2 refused by the API of 9 requests). Worse than plain recency"
    )
    assert "As good by the figures" not in text
    text = sentence([*rows, row("a", "50%", survival=0.4)], Marks())
    assert "At 30%, no strategy both keeps its budget and sends valid requests: a (" in text


def test_a_strategy_that_keeps_nothing_is_said_to_do_so(row: Row) -> None:
    """It has a figure, and there is something to compare: it is the worst there can be."""
    rows = [row("./mine.py:f", survival=0.0, scenarios=14), row("token-window", survival=0.0)]
    assert sentence(rows, Marks()) == "Keeps nothing of what was asked for: ./mine.py:f."
    assert sentence(rows[:1], Marks()) == "Keeps nothing of what was asked for: ./mine.py:f."
    better = [rows[0], row("token-window", survival=0.1)]
    assert "Worse than plain recency (token-window) at the same budget: ./mine.py:f." in sentence(
        better, Marks()
    )
    assert "Keeps nothing" not in sentence(better, Marks())


def test_what_sees_the_answer_key_has_figures_and_is_not_compared(row: Row) -> None:
    rows = [row("rolling-summary", sees_answer_key=True), row("token-window")]
    assert sentence(rows, Marks()) == (
        "Nothing to compare: no strategy but the controls and what sees the answer key has a"
        " figure."
    )


def test_a_strategy_without_any_figure_is_not_compared(row: Row, failed: SummaryRow) -> None:
    assert sentence([failed, row("token-window")], Marks()) == (
        "Nothing to compare: no strategy but the controls has a figure."
        " Not compared: failed (3 cells failed)."
    )


def test_faults_of_the_recorded_conversation_are_held_against_nobody(row: Row) -> None:
    rows = [
        row("none", survival=1.0, invalid_requests=4),
        row("sound", survival=0.5, invalid_requests=4),
        row("naive", survival=0.9, invalid_requests=9),
    ]
    (finding,) = findings(rows, Marks())
    assert names(finding.frontier) == ["sound"]
    assert names(finding.unsound) == ["naive"]


def test_reuse_takes_the_place_of_survival_where_nothing_was_written(row: Row) -> None:
    rows = [
        row("a", survival=None, reuse=0.8, retained_tokens=10.0),
        row("b", survival=None, reuse=0.5, retained_tokens=20.0),
    ]
    text = sentence(rows, Marks())
    assert "Most reuse for the tokens retained" in text
    assert names(findings(rows, Marks())[0].frontier) == ["a"]


def test_few_scenarios_are_said_to_be_few(row: Row) -> None:
    assert "With 1 scenario, small differences" in sentence([row("a", scenarios=1)], Marks())
    assert "may well be chance" not in sentence([row("a", scenarios=14)], Marks())


def test_nothing_measured_is_said_as_such(row: Row) -> None:
    assert sentence([], Marks()) == "Nothing was measured."
    assert sentence([row("none")], Marks()).startswith("Nothing to compare")
