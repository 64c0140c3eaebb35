"""Budgets in words and tokens, and the cells of a matrix."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import CellKey
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import Spec


@pytest.mark.parametrize(
    ("text", "conversation", "tokens", "reason"),
    [
        ("2000", 50, 2000, "a number of tokens, whatever the conversation"),
        ("2_000", 50, 2000, "grouped for readers"),
        (" 30% ", 50, 15, "a share"),
        ("33%", 50, 16, "16.5, rounded down"),
        ("29%", 100, 29, "exactly 29: no float's 28.999…"),
        ("57%", 100, 57, "nor 56.99…"),
        ("2.5%", 100, 2, "a share may be a decimal"),
        ("100%", 50, 50, "the whole"),
        ("1%", 50, 0, "less than a token is none"),
    ],
)
def test_a_budget_is_tokens_or_a_share_rounded_down(
    text: str, conversation: int, tokens: int, reason: str
) -> None:
    assert Budget.parse(text).of(conversation) == tokens, reason


@given(st.integers(1, 100), st.integers(0, 10**6))
def test_shares_are_exact(percent: int, conversation: int) -> None:
    assert Budget.parse(f"{percent}%").of(conversation) == percent * conversation // 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither a number of tokens nor a percentage"),
        ("-5", "neither a number of tokens nor a percentage"),
        ("30 %", "neither a number of tokens nor a percentage"),
        ("2k", "neither a number of tokens nor a percentage"),
        ("_5", "neither a number of tokens nor a percentage"),
        ("5_", "neither a number of tokens nor a percentage"),
        ("2__000", "neither a number of tokens nor a percentage"),
        ("２０００", "neither a number of tokens nor a percentage"),
        ("0", "leaves no room"),
        ("0%", "above 0%"),
        ("101%", "at most 100%"),
        ("0.3", "did you mean 30%"),
        ("0.125", "did you mean 12.5%"),
        ("12.5", "did you mean 12.5%"),
    ],
)
def test_a_budget_that_means_nothing_is_refused_with_the_way_out(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Budget.parse(text)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2000", "2000"),
        (" 2_000 ", "2000"),
        ("2000.0", "2000"),
        ("02000", "2000"),
        ("30%", "30%"),
        ("30.0%", "30%"),
        ("030%", "30%"),
        ("2.50%", "2.5%"),
        ("00.5%", "0.5%"),
    ],
)
def test_a_budget_has_one_label_however_it_is_written(text: str, label: str) -> None:
    """Else it would be measured twice, as two budgets."""
    assert Budget.parse(text) == Budget.parse(label)
    assert Budget.parse(text).label == label


def matrix(**changed: object) -> Matrix:
    given = {
        "scenarios": (Scenario("a", "", "en", (), variant="noise=1"), Scenario("b", "", "en", ())),
        "strategies": (Spec("none"), Spec("count-slice", (("keep", "2"),), "last-two")),
        "budgets": (Budget.parse("30%"), Budget.parse("2000")),
        "summarizers": (Spec("none"),),
        "repeats": 2,
        "directory": Path(),
        **changed,
    }
    return Matrix(**given)  # type: ignore[arg-type]  # put together by name


def test_cells_come_scenario_by_scenario_with_the_labels_of_the_table() -> None:
    cells = list(matrix().cells())
    assert len(cells) == len(set(cells)) == 2 * 2 * 2 * 1 * 2
    assert cells[0] == CellKey("a", "noise=1", "none", "30%", "none", 0)
    assert cells[1] == CellKey("a", "noise=1", "none", "30%", "none", 1)
    assert cells[4] == CellKey("a", "noise=1", "last-two", "30%", "none", 0)
    assert [cell.scenario for cell in cells] == ["a"] * 8 + ["b"] * 8


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("scenarios", (Scenario("a", "", "en", ()),) * 2, "scenario 'a' is given 2 times"),
        ("strategies", (Spec("none"), Spec("empty", (), "none")), "strategy 'none' is given 2"),
        ("budgets", (Budget.parse("2000"), Budget.parse("2_000")), "budget '2000' is given 2"),
        ("summarizers", (Spec("none"),) * 3, "summarizer 'none' is given 3 times"),
    ],
)
def test_two_of_one_name_are_refused(field: str, values: object, message: str) -> None:
    """One would be shown with the other's figures."""
    with pytest.raises(ConfigurationError, match=message):
        matrix(**{field: values})


def test_variants_of_one_scenario_are_different_scenarios() -> None:
    variants = tuple(Scenario("a", "", "en", (), variant=f"noise={n}") for n in (0, 20))
    assert len(list(matrix(scenarios=variants).cells())) == 16
