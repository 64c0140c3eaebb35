"""Cells of the strategy `recorded`: views, forks between compactions, and what isn't known."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.own_tool import OwnTool, own_tool
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.runner import Executor, run_matrix
from compaction_eval.eval.summary import summary_rows
from compaction_eval.scenarios.records import Place, Probe, RecordedCompaction, Scenario
from compaction_eval.scenarios.reuse import reuse_probes
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.tokens import TokenCounter


def call(value: str) -> dict[str, Any]:
    function = {"name": "open", "arguments": f'{{"gate": "{value}"}}'}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": value, "type": "function", "function": function}],
    }


def result(value: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": value, "content": text}


MESSAGES: Any = (
    {"role": "system", "content": "You keep the gates."},  # 0
    {"role": "user", "content": "Gates K-47, L-58, M-69 and N-71 stick."},  # 1
    {"role": "assistant", "content": "I'll look."},  # 2
    {"role": "user", "content": "Start with the first; the pin is P-12."},  # 3
    call("K-47"),  # 4
    result("K-47", "open"),  # 5
    {"role": "user", "content": "And the others?"},  # 6
    {"role": "assistant", "content": "One by one."},  # 7
    {"role": "user", "content": "By all means: M-69 first."},  # 8
    {"role": "assistant", "content": "All right."},  # 9
    {"role": "user", "content": "Go on."},  # 10
    call("M-69"),  # 11: said again in 8
    result("M-69", "open"),  # 12
    call("L-58"),  # 13: in neither summary
    result("L-58", "open"),  # 14
    call("N-71"),  # 15: in the second summary
    result("N-71", "open"),  # 16
)
BUDGET = 60
RECORDED = (
    RecordedCompaction(4, 3, "Gates stick; K-47 is the first."),
    RecordedCompaction(7, 7, "K-47 is open, N-71 comes last."),
)
WHERE = Probe(
    "first",
    "recall",
    "Which is the first gate?",
    (("before", 3), ("between", 6), ("after", 8), ("end", 17)),
    accept=("P-12",),
    evidence=3,
    place=Place("s.yaml"),
)
SCENARIO = Scenario(
    "gates", "", "en", MESSAGES, reuse=reuse_probes(MESSAGES), recorded=RECORDED, digest="d"
)


def measured(
    *scenarios: Scenario, strategy: str = "recorded", executor: Executor = "inline"
) -> Any:
    matrix = Matrix(
        scenarios,
        (parse_spec(strategy),),
        (Budget.parse(str(BUDGET)),),
        (parse_spec("extractive"),),
        directory=Path(),
    )
    return run_matrix(matrix, executor=executor)


def only(*scenarios: Scenario) -> CellRecord:
    (cell,) = measured(*scenarios).cells
    assert isinstance(cell, CellRecord)
    return cell


def words(cell: CellRecord, view: Any) -> list[Any]:
    return [cell.synthetic[part]["content"] if isinstance(part, str) else part for part in view]


def test_each_request_is_sent_what_the_tool_would_have_sent() -> None:
    cell = only(SCENARIO)
    views = {request.at: words(cell, request.view) for request in cell.requests}
    first, second = RECORDED[0].summary, RECORDED[1].summary
    assert views == {
        2: [(0, 2)],
        4: [(0, 1), first, (3, 4)],
        7: [(0, 1), second],
        9: [(0, 1), second, (7, 9)],
        11: [(0, 1), second, (7, 11)],
        13: [(0, 1), second, (7, 13)],
        15: [(0, 1), second, (7, 15)],
    }


def test_a_question_between_two_compactions_is_asked_of_the_view_of_that_time() -> None:
    cell = only(replace(SCENARIO, probes=(replace(WHERE, at=WHERE.at[1:]),)))
    asked = [one for one in cell.requests if one.probe is not None]
    first, second = RECORDED[0].summary, RECORDED[1].summary
    assert [words(cell, one.view)[:-1] for one in asked] == [
        [(0, 1), first, (3, 6)],
        [(0, 1), second, (7, 8)],
        [(0, 1), second, (7, 17)],
    ]
    verdicts = [one.verdict for one in cell.probes if one.kind == "recall"]
    assert verdicts == ["correct", "missing", "missing"]


def test_a_question_at_a_compaction_is_asked_after_it_and_leaves_no_trace() -> None:
    probe = replace(WHERE, at=(("there", 4),))
    cell = only(replace(SCENARIO, probes=(probe,)))
    asked, main = (one for one in cell.requests if one.at == 4)
    assert (asked.probe, main.probe) == ("first", None)
    assert [one.action for one in (asked, main)] == ["summarize", "summarize"]
    assert words(cell, main.view) == [(0, 1), RECORDED[0].summary, (3, 4)]


def test_the_summaries_are_counted_and_what_their_making_took_is_not_made_up() -> None:
    (row,) = summary_rows(measured(SCENARIO))
    counter = TokenCounter()
    assert row.summary_tokens_out == sum(counter.text(one.summary) for one in RECORDED)
    assert (row.compactions, row.summary_calls) == (2, 0)
    assert (row.summary_tokens_in, row.saved_net) == (None, None)
    assert row.saved_gross is not None


def test_it_keeps_no_budget_and_that_is_counted() -> None:
    (cell,) = measured(SCENARIO).cells
    over = [one.at for one in cell.requests if one.tokens > BUDGET]
    assert [one.at for one in cell.requests if one.over_budget] == over != []


def test_a_conversation_without_recording_is_in_no_figure() -> None:
    silent = replace(SCENARIO, id="silent", recorded=())
    run = measured(SCENARIO, silent)
    assert [cell.nothing_recorded for cell in run.cells] == [False, True]
    both, alone = summary_rows(run), summary_rows(measured(SCENARIO))
    assert both == alone


def test_without_any_recording_there_is_nothing_to_replay() -> None:
    with pytest.raises(ConfigurationError, match="no scenario here tells of that"):
        measured(replace(SCENARIO, recorded=()))


def test_workers_are_given_the_recording() -> None:
    assert measured(SCENARIO, executor="processes").cells == measured(SCENARIO).cells


@pytest.mark.parametrize("strategy", ["none", "token-window"])
def test_no_other_strategy_looks_at_it(strategy: str) -> None:
    with_it = measured(SCENARIO, strategy=strategy).cells
    without = measured(replace(SCENARIO, recorded=()), strategy=strategy).cells
    assert with_it == without


def fates(own: OwnTool) -> dict[str, str]:
    return {one.probe.value: one.fate for one in own.carried}


def test_a_value_is_kept_lost_or_found_again() -> None:
    own = own_tool(SCENARIO, only(SCENARIO))
    assert fates(own) == {
        "K-47": "kept",
        "M-69": "regained",
        "L-58": "lost",
        "N-71": "kept",
    }
    (again,) = own.of("regained")
    assert (again.said, again.again) == (1, 8)
    (lost,) = own.of("lost")
    assert (lost.said, lost.probe.request, lost.compaction) == (1, 13, 1)


def test_what_is_lost_is_what_the_replay_misses() -> None:
    cell = only(SCENARIO)
    missing = {one.probe for one in cell.probes if one.verdict == "missing" and not one.free}
    assert {one.probe.id for one in own_tool(SCENARIO, cell).of("lost")} == missing


def test_a_value_counts_once_for_each_compaction() -> None:
    again = (*MESSAGES, call("L-58"), result("L-58", "open"))
    scenario = replace(SCENARIO, messages=again, reuse=reuse_probes(again))
    uses = [one.probe.request for one in own_tool(scenario, only(scenario)).carried]
    assert uses == [4, 11, 13, 15]


def test_without_a_use_after_it_nothing_was_carried() -> None:
    scenario = replace(SCENARIO, recorded=(RecordedCompaction(17, 17, "All open."),))
    assert own_tool(scenario, only(scenario)).carried == ()
