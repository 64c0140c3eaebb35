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
    # Without cells nothing is shown to differ.
    assert text.startswith(
        "At 15%, the usable strategies keep 40.0% (block-truncation) to 70.0% (rolling-summary) of"
        " the facts and can't be told apart"
    )
    assert "At 30%, the usable strategies keep 60.0%" in text


def test_what_keeps_nothing_is_on_no_frontier(row: Row) -> None:
    rows = [row("a", survival=0.0, retained_tokens=1.0), row("b", survival=0.2)]
    assert names(findings(rows, Marks())[0].frontier) == ["b"]


def test_recency_alone_is_nothing_to_compare(row: Row) -> None:
    assert sentence([row("token-window"), row("none")], Marks()).startswith("Nothing to compare")


def test_what_keeps_more_by_not_keeping_the_budget_is_no_choice_but_is_named(row: Row) -> None:
    rows = [row("a", survival=0.9, over_budget_requests=3, requests=9), row("b", survival=0.5)]
    assert names(findings(rows, Marks())[0].frontier) == ["b"]
    text = sentence(rows, Marks())
    assert "not usable: at 30% a (90.0%; of 9 requests 3 over budget)." in text


def test_a_strategy_that_the_api_would_refuse_is_no_choice_but_is_named(row: Row) -> None:
    rows = [
        row("naive", survival=0.9, retained_tokens=100.0, invalid_requests=7, requests=50),
        row("sound", survival=0.5, retained_tokens=200.0),
    ]
    assert names(findings(rows, Marks())[0].frontier) == ["sound"]
    assert "naive (90.0%; of 50 requests 7 refused by the API)." in sentence(rows, Marks())


def test_where_no_strategy_is_sound_it_is_said_plainly(row: Row) -> None:
    rows = [
        row("a", survival=0.9, over_budget_requests=3, requests=9),
        row("b", survival=0.2, invalid_requests=2, requests=9),
        row("token-window", survival=0.5, invalid_requests=1),
    ]
    text = sentence(rows, Marks())
    assert text.startswith(
        "At 30%, no strategy both keeps its budget and sends valid requests [14 conversations]."
        " Not usable: at 30% a (90.0%; of 9 requests 3 over budget) and 1 more."
    )
    assert "Higher figures" not in text


def test_a_strategy_that_keeps_nothing_is_said_to_do_so(row: Row) -> None:
    """It has a figure, and there is something to compare: it is the worst there can be."""
    rows = [row("./mine.py:f", survival=0.0, scenarios=14), row("token-window", survival=0.0)]
    nothing = "At 30%, nothing of what was asked for is kept by ./mine.py:f [14 conversations]."
    assert sentence(rows, Marks()) == nothing
    assert sentence(rows[:1], Marks()) == nothing
    both = [*rows, row("better", survival=0.5)]
    assert "Keeps nothing of what was asked for: ./mine.py:f." in sentence(both, Marks())


def test_what_sees_the_answer_key_has_figures_and_is_not_compared(row: Row) -> None:
    rows = [row("rolling-summary", sees_answer_key=True), row("token-window")]
    assert sentence(rows, Marks()) == (
        "Nothing to compare: no strategy but the controls and what sees the answer key has a"
        " figure."
    )


def test_without_controls_none_are_spoken_of(failed: SummaryRow) -> None:
    told = sentence([failed], Marks())
    assert told.startswith("Nothing to compare: no strategy has a figure. Not compared: failed ")


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
    assert "keep 50.0% (b) to 80.0% (a) of the values used again and" in text
    assert names(findings(rows, Marks())[0].frontier) == ["a"]


def test_few_scenarios_are_said_to_be_few(row: Row) -> None:
    few = sentence([row("a", scenarios=5)], Marks())
    assert few.endswith("[5 conversations; too few to tell anything apart].")
    some = sentence([row("a", scenarios=9)], Marks())
    assert some.endswith("[9 conversations; too few to tell much apart].")
    assert "too few" not in sentence([row("a", scenarios=14)], Marks())


def test_nothing_measured_is_said_as_such(row: Row) -> None:
    assert sentence([], Marks()) == "Nothing was measured."
    assert sentence([row("none")], Marks()).startswith("Nothing to compare")
