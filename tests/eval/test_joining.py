"""Runs put together: what is taken once, what is told apart, and what can't be joined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.evidence import expected_keys
from compaction_eval.eval.joining import joined
from compaction_eval.eval.manifest import key_seers, run_id
from compaction_eval.eval.records import (
    AnswerRecord,
    CellKey,
    CellRecord,
    ProbeRecord,
    RequestRecord,
)
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec

KEPT, LOST = "correct", "missing"


def entry(spec: str, digest: str = "", *, sees: bool = False) -> dict[str, Any]:
    files = [{"name": "mine.py", "digest": digest}] if digest else []
    return {
        "label": parse_spec(spec).label,
        "spec": spec,
        "sees_answer_key": sees,
        "files": files,
    }


def run(
    strategies: dict[str, str],
    *,
    scenarios: tuple[str, ...] = ("s",),
    budgets: tuple[str, ...] = ("30%",),
    digest: str = "",
    summarizer: dict[str, Any] | None = None,
    answers: str | None = None,
    **more: Any,
) -> Run:
    """A run in which each strategy, given by its spec, has that verdict on each scenario."""
    summarizer = summarizer or entry("extractive")
    answer = None if answers is None else AnswerRecord("correct", text=answers)
    manifest = {
        "schema": "compaction-eval/run/1",
        "version": "1",
        "matcher": 1,
        "encoding": "o200k_base",
        "profile": "openai",
        "repeats": 1,
        "budgets": list(budgets),
        "strategies": [entry(spec, digest if "mine" in spec else "") for spec in strategies],
        "summarizers": [summarizer],
        "scenarios": [
            {"id": one, "variant": "", "lang": "en", "tags": [], "digest": f"d{one}"}
            for one in scenarios
        ],
        "places": {one: {"file": f"{one}.yaml", "family": "f", "probes": {}} for one in scenarios},
        **({} if answers is None else {"model": "m", "asking": 1, "grader": 1}),
        **more,
    }
    cells = tuple(
        CellRecord(
            CellKey(one, "", parse_spec(spec).label, budget, summarizer["label"]),
            100,
            300,
            requests=(RequestRecord(1, "p", 50, 90, ((0, 1),)),),
            probes=(ProbeRecord("p", "recall", "end", 1, verdict, answer=answer),),  # type: ignore[arg-type]  # a verdict
        )
        for one in scenarios
        for spec, verdict in strategies.items()
        for budget in budgets
    )
    return Run(manifest, cells)


def survival(found: Run) -> dict[str, float | None]:
    return {f"{row.strategy} {row.budget}": row.survival for row in summary_rows(found)}


def test_one_run_is_left_as_it_is() -> None:
    one = run({"none": KEPT})
    assert joined({"a": one}) is one


def test_other_strategies_stand_beside_each_other_and_controls_once() -> None:
    found = joined({"a": run({"x": KEPT, "none": KEPT}), "b": run({"y": LOST, "none": KEPT})})
    assert survival(found) == {"x 30%": 1.0, "none 30%": 1.0, "y 30%": 0.0}
    assert len(found.cells) == 3
    assert expected_keys(found.manifest) == {cell.key for cell in found.cells}


def test_its_id_names_all_runs_in_their_order() -> None:
    one, other = run({"x": KEPT}), run({"y": KEPT})
    ids = [run_id(one.manifest), run_id(other.manifest)]
    assert run_id(joined({"a": one, "b": other}).manifest) == " + ".join(ids)
    assert run_id(joined({"b": other, "a": one}).manifest) == " + ".join(ids[::-1])


def test_what_measured_otherwise_is_told_apart_side_by_side_and_read_as_before() -> None:
    before = run({"./mine.py:f": LOST, "none": KEPT}, digest="1")
    after = run({"./mine.py:f": KEPT, "none": KEPT}, digest="2")
    found = joined({"before": before, "after": after})
    assert survival(found) == {
        "./mine.py:f [before] 30%": 0.0,
        "./mine.py:f [after] 30%": 1.0,
        "none 30%": 1.0,
    }
    labels = [one["label"] for one in found.manifest["strategies"]]
    assert labels == ["./mine.py:f [before]", "./mine.py:f [after]", "none"]
    specs = [parse_spec(one["spec"]) for one in found.manifest["strategies"]]
    assert [spec.label for spec in specs] == labels
    assert specs[0].use == "./mine.py:f"


@pytest.mark.parametrize("names", [("old", "new"), ("new", "old")])
def test_a_run_of_a_version_that_recorded_less_shares_rows_with_one_of_this(
    names: tuple[str, str],
) -> None:
    old, new = run({"x": KEPT, "none": KEPT}), run({"none": KEPT, "y": LOST})
    sized = tuple(
        replace(cell, message_tokens=(50, 40), message_blocks=(1, 1), facts_left=((0, "f", True),))
        for cell in new.cells
    )
    runs = {"old": old, "new": replace(new, cells=sized)}
    found = joined({name: runs[name] for name in names})
    assert survival(found) == {"x 30%": 1.0, "none 30%": 1.0, "y 30%": 0.0}
    assert all(cell.message_tokens for cell in found.cells if cell.key.strategy != "x")
    apart = replace(new, cells=tuple(replace(one, never_fired=True) for one in sized))
    assert "none [old] 30%" in survival(joined({"old": old, "new": apart}))


def test_a_changed_file_is_no_difference_where_all_that_both_measured_is_the_same() -> None:
    before = run({"./mine.py:f": KEPT}, digest="1")
    after = run({"./mine.py:f": KEPT}, digest="2", budgets=("30%", "50%"))
    found = joined({"before": before, "after": after})
    assert survival(found) == {"./mine.py:f 30%": 1.0, "./mine.py:f 50%": 1.0}


@pytest.mark.parametrize(
    "other",
    [{"digest": "2"}, {"digest": "1", "version": "2"}],
    ids=["another file", "another version"],
)
def test_without_a_cell_in_common_all_that_cells_rest_on_decides(other: dict[str, Any]) -> None:
    before = run({"./mine.py:f": KEPT}, digest="1")
    same = run({"./mine.py:f": KEPT}, digest="1", budgets=("50%",))
    assert len(survival(joined({"a": before, "b": same}))) == 2
    assert "./mine.py:f [b] 50%" not in survival(joined({"a": before, "b": same}))
    changed = run({"./mine.py:f": KEPT}, budgets=("50%",), **other)
    assert "./mine.py:f [b] 50%" in survival(joined({"a": before, "b": changed}))


def test_of_three_runs_the_two_that_agree_share_a_row() -> None:
    runs = {
        name: run({"x": verdict}) for name, verdict in zip("abc", (KEPT, LOST, KEPT), strict=True)
    }
    assert survival(joined(runs)) == {"x [a] 30%": 1.0, "x [b] 30%": 0.0}


def test_parameters_under_one_name_are_told_apart_though_they_measure_the_same() -> None:
    one, other = run({"x(keep=1, name=n)": KEPT}), run({"x(keep=2, name=n)": KEPT})
    assert list(survival(joined({"a": one, "b": other}))) == ["n [a] 30%", "n [b] 30%"]


def test_a_label_that_is_taken_already_is_given_to_nobody_else() -> None:
    one = run({"x": KEPT, "y(name=x [a])": KEPT})
    found = joined({"a": one, "b": run({"x": LOST, "y(name=x [a])": KEPT})})
    assert survival(found) == {"x [a]' 30%": 1.0, "x [b] 30%": 0.0, "x [a] 30%": 1.0}


def test_another_summarizer_of_the_same_name_is_told_apart_and_the_strategy_is_not() -> None:
    one = run({"x": KEPT}, summarizer=entry("./mine.py:s", "1"))
    other = run({"x": LOST}, summarizer=entry("./mine.py:s", "2"))
    found = joined({"a": one, "b": other})
    assert {(row.strategy, row.summarizer, row.survival) for row in summary_rows(found)} == {
        ("x", "./mine.py:s [a]", 1.0),
        ("x", "./mine.py:s [b]", 0.0),
    }


def test_who_sees_the_answer_key_still_does_under_another_name() -> None:
    one, other = run({"x": KEPT}), run({"x": LOST})
    for each in (one, other):
        each.manifest["strategies"][0]["sees_answer_key"] = True
    found = joined({"a": one, "b": other})
    assert key_seers(found.manifest, "strategies") == {"x [a]", "x [b]"}
    assert all(row.sees_answer_key for row in summary_rows(found))


def test_answers_of_two_models_are_in_rows_of_their_own() -> None:
    one = run({"x": KEPT}, answers="yes")
    other = run({"x": KEPT}, answers="no", model="n")
    found = joined({"a": one, "b": other})
    assert {row.strategy for row in summary_rows(found)} == {"x [a]", "x [b]"}
    assert found.manifest["model"] == "m + n"


def test_a_run_without_answers_lends_its_row_to_one_that_has_all_of_its_cells() -> None:
    bare = run({"x": KEPT}, scenarios=("s",))
    asked = run({"x": KEPT}, scenarios=("s", "t"), answers="yes")
    for runs in ({"a": bare, "b": asked}, {"b": asked, "a": bare}):
        found = joined(runs)
        assert list(survival(found)) == ["x 30%"]
        assert all(probe.answer for cell in found.cells for probe in cell.probes)
    more = run({"x": KEPT}, scenarios=("s", "t"))
    fewer = run({"x": KEPT}, scenarios=("s",), answers="yes")
    assert list(survival(joined({"a": more, "b": fewer}))) == ["x [a] 30%", "x [b] 30%"]


def test_answers_that_were_graded_otherwise_are_refused() -> None:
    one, other = run({"x": KEPT}, answers="yes"), run({"x": KEPT}, answers="yes", grader=2)
    with pytest.raises(
        ConfigurationError, match=r"^can't be put together: grader: 1 in a, 2 in b$"
    ):
        joined({"a": one, "b": other})


def test_conversations_that_not_every_strategy_has_are_left_out_and_named() -> None:
    found = joined(
        {
            "a": run({"x": KEPT, "none": KEPT}, scenarios=("r", "s", "t")),
            "b": run({"y": KEPT, "none": KEPT}, scenarios=("s", "t", "u")),
            "c": run({"x": KEPT, "none": KEPT}, scenarios=("s", "t", "u")),
        }
    )
    assert {cell.key.scenario for cell in found.cells} == {"s", "t", "u"}
    assert found.manifest["left_out"] == {"a": ["r"]}
    assert [one["id"] for one in found.manifest["scenarios"]] == ["s", "t", "u"]
    assert expected_keys(found.manifest) == {cell.key for cell in found.cells}


def test_cells_come_in_the_order_of_a_matrix() -> None:
    runs = {
        "a": run({"x": KEPT}, scenarios=("s", "t")),
        "b": run({"y": LOST}, scenarios=("s", "t")),
    }
    keys = [(cell.key.scenario, cell.key.strategy) for cell in joined(runs).cells]
    assert keys == [("s", "x"), ("s", "y"), ("t", "x"), ("t", "y")]


def test_the_first_of_two_runs_that_differ_is_named_once() -> None:
    runs = {name: run({"x": KEPT}) for name in "abc"}
    runs["d"] = run({"x": KEPT}, profile="gemini")
    with pytest.raises(ConfigurationError) as refused:
        joined(runs)
    assert str(refused.value) == "can't be put together: profile: openai in a, gemini in d"


def test_other_probes_are_found_though_no_strategy_is_in_both() -> None:
    one, other = run({"x": KEPT}), run({"y": KEPT})
    (cell,) = other.cells
    renamed = replace(cell, probes=(replace(cell.probes[0], probe="q"),))
    with pytest.raises(ConfigurationError, match="not the same probes as in a: scenario s"):
        joined({"a": one, "b": replace(other, cells=(renamed,))})


def test_a_cell_in_error_is_no_measure_and_stays_an_error() -> None:
    one, other = run({"x": KEPT}), run({"x": KEPT})
    (cell,) = other.cells
    failed = CellRecord(cell.key, 100, 300, error="raised")
    found = joined({"a": one, "b": replace(other, cells=(failed,))})
    assert [row.errors for row in summary_rows(found)] == [0, 1]
    assert len(found.errors) == 1


def test_damaged_lines_of_all_runs_are_counted() -> None:
    one, other = run({"x": KEPT}), run({"y": KEPT})
    found = joined({"a": replace(one, damaged=1), "b": replace(other, damaged=2)})
    assert found.damaged == 3


def test_without_any_run_that_is_what_is_told() -> None:
    with pytest.raises(ConfigurationError, match="no run to put together: none was given"):
        joined({})
