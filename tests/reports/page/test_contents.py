"""What the blocks of a small run hold, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.records import AnswerRecord, CellRecord, ProbeRecord
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.cell import cell_block
from compaction_eval.reports.page.choices import choices
from compaction_eval.reports.page.conversation import Told, conversation
from compaction_eval.reports.page.table import asked, losses, split_figures, table
from compaction_eval.scenarios.records import Place, Probe, ReuseProbe, Scenario, Statement
from compaction_eval.strategies.tokens import TokenCounter

CURRENT, STALE, LAST = 1, 2, 4


@pytest.fixture
def spoken(scenario: Scenario) -> Told:
    return conversation(scenario, TokenCounter())


def test_a_fact_has_a_version_for_each_statement_with_what_is_right_and_wrong_by_then(
    spoken: Told,
) -> None:
    port = next(fact for fact in spoken.block["facts"] if fact["name"] == "port")
    first, second = port["versions"]
    assert (first["message"], first["forms"], first["old"]) == (3, ["8443"], [])
    assert (second["message"], second["forms"], second["old"]) == (5, ["9443"], ["8443"])
    # The number is said by the tool and again by the agent; after the update both are wrong.
    assert spoken.block["searches"][first["search"]] == [(3, CURRENT | LAST), (4, CURRENT | LAST)]
    assert spoken.block["searches"][second["search"]] == [
        (3, STALE),
        (4, STALE),
        (5, CURRENT | LAST),
    ]


def test_an_answer_without_a_fact_is_followed_from_the_message_that_says_it(spoken: Told) -> None:
    host = next(fact for fact in spoken.block["facts"] if fact["kind"] == "answer")
    (version,) = host["versions"]
    assert (host["name"], version["message"], version["forms"]) == ("host", 3, ["api.test"])
    assert spoken.block["searches"][version["search"]] == [(3, CURRENT | LAST)]


def test_a_question_looks_for_what_its_fact_is_by_then(spoken: Told) -> None:
    asked = [one for one in spoken.block["questions"] if one["probe"] == "port"]
    assert [(one["place"], one["at"], one["forms"], one["old"]) for one in asked] == [
        ("moved", 7, ["9443"], ["8443"]),
        ("end", 9, ["9443"], ["8443"]),
    ]
    port = spoken.block["facts"][asked[0]["fact"]]
    assert asked[0]["search"] == port["versions"][1]["search"]


def test_an_answer_that_is_not_what_its_fact_says_is_followed_on_its_own(
    scenario: Scenario,
) -> None:
    why = Probe(
        "why",
        "decision",
        "Why the port?",
        (("moved", 7), ("end", 9)),
        fact="port",
        accept=("9443", "from now on"),
        match="all_of",
    )
    told = conversation(replace(scenario, probes=(*scenario.probes, why)), TokenCounter())
    (answer,) = [one for one in told.block["facts"] if one["name"] == "why"]
    (version,) = answer["versions"]
    assert answer["kind"] == "answer"
    assert (version["message"], version["parts"], version["old"]) == (5, 2, [])
    assert version["forms"] == ["9443", "from now on"]
    first, second = (8, 16)
    assert told.block["searches"][version["search"]] == [(5, first | second)]
    asked = [one["fact"] for one in told.block["questions"] if one["probe"] == "why"]
    assert asked == [told.block["facts"].index(answer)] * 2


def test_a_retracted_fact_says_which_words_take_it_back(scenario: Scenario) -> None:
    place = Place("x")
    back = Statement("port", 7, ("Sort the imports",), True, place)
    told = conversation(replace(scenario, statements=(*scenario.statements, back)), TokenCounter())
    port = next(fact for fact in told.block["facts"] if fact["name"] == "port")
    version = port["versions"][2]
    assert (version["message"], version["old"]) == (7, ["8443", "9443"])
    assert told.block["searches"][version["taken"]] == [(7, CURRENT | LAST)]


def test_a_value_that_was_used_again_is_followed_from_each_message_it_was_taken_from(
    scenario: Scenario,
) -> None:
    reuse = (
        ReuseProbe("r1", "8443", 6, 4, "read_file"),
        ReuseProbe("r2", "8443", 4, 3, "read_file"),
    )
    told = conversation(replace(scenario, reuse=reuse), TokenCounter())
    (value,) = [fact for fact in told.block["facts"] if fact["kind"] == "value"]
    assert [one["message"] for one in value["versions"]] == [3, 4]
    asked = [one for one in told.block["questions"] if one["kind"] == "reuse"]
    assert [one["fact"] for one in asked] == [told.block["facts"].index(value)] * 2


def test_messages_are_shown_with_their_calls_and_sizes(spoken: Told) -> None:
    call = spoken.block["messages"][2]
    assert call["role"] == "assistant"
    assert call["text"] == ""
    assert call["calls"] == [{"name": "read_file", "text": '{"path": "staging.yaml"}'}]
    # 4 tokens for the message and 2 for `Done.`
    assert spoken.block["messages"][6]["tokens"] == 6


def test_a_summary_is_told_from_a_question_and_says_what_it_says(
    spoken: Told, cell: CellRecord
) -> None:
    question = {"role": "user", "content": "Which host?"}
    block = cell_block(replace(cell, synthetic={**cell.synthetic, "s1": question}), spoken)
    assert {name: made["kind"] for name, made in block["made"].items()} == {
        "s0": "summary",
        "s1": "question",
    }
    port = next(fact for fact in spoken.block["facts"] if fact["name"] == "port")
    first, second = (version["search"] for version in port["versions"])
    assert dict(block["made"]["s0"]["says"]) == {first: CURRENT | LAST, second: STALE}
    assert "says" not in block["made"]["s1"]


def test_a_cut_message_is_known_as_the_one_it_stands_for(spoken: Told, masking: CellRecord) -> None:
    block = cell_block(masking, spoken)
    assert block["made"]["s0"]["kind"] == "reduced"
    assert block["made"]["s0"]["for"] == 3


def test_a_quiet_request_says_no_more_than_its_place_sizes_and_view(
    spoken: Told, cell: CellRecord
) -> None:
    quiet, *_, noisy = cell_block(cell, spoken)["requests"][0:5]
    assert quiet == {"at": 2, "tokens": 20, "full": 20, "view": [(0, 2)]}
    assert noisy["over"] is True
    assert noisy["remarks"] == [
        "refused by the API: openai.6 message 3: an orphan",
        "fallback: raised ValueError",
    ]


def test_what_a_model_answered_stands_beside_what_the_view_held(cell: CellRecord) -> None:
    answer = AnswerRecord("wrong", text="8080\u202e", reason="", judge="correct")
    probes = (replace(cell.probes[0], answer=answer), *cell.probes[1:])
    told = cell_block(replace(cell, probes=probes), None)["verdicts"]
    assert told[0]["answer"] == {
        "verdict": "wrong",
        "right": False,
        "text": "8080\\u202e",
        "judge": "correct",
    }
    assert not any("answer" in one for one in told[1:])


def test_without_its_conversation_a_cell_keeps_what_it_made(cell: CellRecord) -> None:
    block = cell_block(cell, None)
    assert block["made"]["s0"]["kind"] == "summary"
    assert len(block["requests"]) == len(cell.requests)


def test_only_what_counts_is_a_loss(cell: CellRecord) -> None:
    free = ProbeRecord("free", "reuse", "request", 6, "missing", free=True)
    assert losses(replace(cell, probes=(*cell.probes, free))) == [
        ("host", "artifact", "missing", 6, 9, 2, None)
    ]


def test_figures_by_tag_and_kind_are_means_over_scenarios(told_cells: Any, row: Any) -> None:
    rows = table([row("rolling-summary")], Marks()).rows
    (figures,) = split_figures(rows, told_cells, {"a": ["short"], "b": ["short", "tools"]})
    # a: recall 1 of 2, update 1 of 1; b: recall 0 of 1, update not asked. Last: verdicts, and lost.
    assert figures["short"]["recall"] == (0.25, 2, 3, 2)
    assert figures["tools"]["recall"] == (0.0, 1, 1, 1)
    assert figures[""]["update"] == (1.0, 1, 1, 0)
    assert figures["short"][""] == (pytest.approx((2 / 3 + 0) / 2, abs=1e-6), 2, 4, 2)
    assert "update" not in figures["tools"]


def test_figures_of_a_tag_are_those_of_a_run_of_its_scenarios(
    told_cells: list[CellRecord], material_of_cells: Any, scenario: Scenario
) -> None:
    tags = {"a": ["short"], "b": ["short", "tools"]}
    scenarios = [replace(scenario, id=name) for name in tags]
    every = table(material_of_cells(told_cells, scenarios).rows, Marks()).rows
    (figures,) = split_figures(every, told_cells, tags)
    for tag, wanted in (("short", ("a", "b")), ("tools", ("b",))):
        cells = [cell for cell in told_cells if cell.key.scenario in wanted]
        (row,) = material_of_cells(cells, scenarios).rows
        share, count, probes, _ = figures[tag][""]
        assert (share, count, probes) == (
            pytest.approx(row.survival, abs=1e-6),
            row.scenarios,
            row.probes,
        )


def test_a_row_that_is_no_choice_is_marked_though_it_keeps_most(row: Any) -> None:
    rows = [
        row("sound", survival=0.5),
        row("refused", survival=0.9, invalid_requests=3),
        row("over", survival=0.8, over_budget_requests=1),
        row("none", survival=1.0, over_budget_requests=9),
    ]
    made = table(rows, Marks())
    marked = {line.name: line.unsound for line in made.lines}
    assert marked == {"refused": True, "over": True, "sound": False, "none": False}
    assert made.has_unsound
    assert not table(rows[:1], Marks()).has_unsound


@pytest.fixture
def told_cells(told: Any) -> list[CellRecord]:
    kinds = ("recall", "recall", "update")
    return [
        told("a", "correct", "missing", "correct", kinds=kinds),
        told("b", "missing", "not-asked", kinds=("recall", "update")),
    ]


def test_what_was_lost_adds_up_over_kinds_and_over_conversations(told: Any, row: Any) -> None:
    kinds = ("constraint", "constraint", "recall", "abstention", "abstention", "reuse")
    cells = [
        told("a", "correct", "missing", "stale", "wrong", "not-asked", "missing", kinds=kinds),
        told(
            "b", "missing", "missing", "correct", "not-asked", "not-asked", "correct", kinds=kinds
        ),
    ]
    rows = table([row("rolling-summary")], Marks()).rows
    (figures,) = split_figures(rows, cells, {})
    told_of = {kind: figures[""][kind][2:] for kind in figures[""] if kind != ""}
    assert told_of == {
        "constraint": (4, 3),
        "recall": (2, 1),
        "abstention": (1, 1),
        "reuse": (2, 1),
    }
    assert [asked(cell) for cell in cells] == [
        {"abstention": 1, "constraint": 2, "recall": 1, "reuse": 1},
        {"constraint": 2, "recall": 1, "reuse": 1},
    ]
    assert [len(losses(cell)) for cell in cells] == [4, 2]
    assert sum(lost for _, lost in told_of.values()) == 6


def test_each_row_says_why_it_is_no_choice(row: Any) -> None:
    rows = [row("a"), row("b", survival=0.9, over_budget_requests=3, requests=40), row("none")]
    assert [(line.name, line.why_not) for line in table(rows, Marks()).lines] == [
        ("a", ""),
        ("b", "of 40 requests 3 over budget"),
        ("none", "a control, for comparison"),
    ]


def test_each_budget_has_its_choice_in_the_words_of_the_run(rows: Any) -> None:
    (at_15, told), (at_30, _) = choices(rows, Marks())
    assert (at_15, at_30) == ("15%", "30%")
    assert told == (
        "the usable strategies keep 40.0% (block-truncation) to 70.0% (rolling-summary) of the"
        " facts and can't be told apart; none of them is shown to beat plain recency; fewest tokens"
        " of these: rolling-summary (25.0% of tokens saved net) [14 conversations]"
    )


def test_only_signs_that_some_line_has_are_explained(cell: CellRecord) -> None:
    row = summary_rows(Run({}, (cell,)))[0]
    marks = Marks()
    own, control = replace(row, strategy="mine"), replace(row, strategy="none")
    keyed = replace(row, strategy="mine", sees_answer_key=True)
    assert table([own], marks).signs == ""
    assert table([own, control], marks).signs == "* a control: no choice."
    assert table([keyed], marks).signs == "† sees the answer key: no choice."
    both = table([keyed, control], marks).signs
    assert both == "* a control, † sees the answer key: neither is a choice."
