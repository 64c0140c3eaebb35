"""Recorded edge cases: JSON Lines into scenarios in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.matrix import Budget
from compaction_eval.scenarios.cases import read_cases
from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError

ASKED = [{"role": "user", "content": "Which list is shorter?"}]
ANSWERED = [*ASKED, {"role": "assistant", "content": "The second."}]
CALLING = [
    *ASKED,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        ],
    },
]


def read(folder: Path, *lines: Any) -> list[Scenario]:
    file = folder / "cases.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("\n".join(texts), "utf-8")
    return read_cases(file, Budget.parse)


def test_a_case_is_a_scenario_that_is_judged_by_all_properties(tmp_path: Path) -> None:
    (case,) = read(tmp_path, {"id": "a", "messages": ANSWERED, "seen_in": "somewhere"}, "")
    assert case.key == "a"
    assert list(case.messages) == ANSWERED
    assert case.stress is not None
    assert (case.stress.budget, case.stress.holds, case.stress.valid) == ("30%", (), True)
    assert case.stress.summarizer == "extractive"


def test_budget_and_validity_are_taken_as_given(tmp_path: Path) -> None:
    cases = read(
        tmp_path,
        {"id": "a", "messages": ANSWERED, "budget": 200, "input_valid": False},
        {"id": "b", "messages": ANSWERED, "budget": "40%"},
    )
    told = [(case.stress.budget, case.stress.valid) for case in cases if case.stress]
    assert told == [("200", False), ("40%", True)]


@pytest.mark.parametrize(("messages", "added"), [(ANSWERED, False), (ASKED, True), (CALLING, True)])
def test_an_answer_is_added_where_the_last_message_isnt_one(
    tmp_path: Path, messages: list[Any], added: bool
) -> None:
    (case,) = read(tmp_path, {"id": "a", "messages": messages})
    closing = [{"role": "assistant", "content": "Done."}] if added else []
    assert list(case.messages) == [*messages, *closing]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "not JSON: Expecting property name"),
        ('{"id": "a", "id": "b"}', "the key 'id' is given 2 times in one object"),
        ("[]", "a case is an object with `id` and `messages`"),
        ({"messages": ASKED}, "a case has an `id`"),
        ({"id": "two words", "messages": ASKED}, "a case has an `id`"),
        ({"id": "a"}, "a case has `messages`"),
        ({"id": "a", "messages": []}, "a case has `messages`"),
        ({"id": "a", "messages": [{"role": "human"}]}, "message 0: unknown role 'human'"),
        ({"id": "a", "messages": ASKED, "budget": "lots"}, "budget 'lots' is neither"),
        ({"id": "a", "messages": ASKED, "budget": True}, "`budget` is a number of tokens"),
        ({"id": "a", "messages": ASKED, "budget": 1.5}, "`budget` is a number of tokens"),
        ({"id": "a", "messages": ASKED, "input_valid": "no"}, "`input_valid` is true or false"),
    ],
)
def test_a_line_that_is_no_case_is_told_with_its_place(
    tmp_path: Path, line: Any, fault: str
) -> None:
    with pytest.raises(FaultsError) as told:
        read(tmp_path, {"id": "ok", "messages": ASKED}, line)
    (only,) = told.value.faults
    assert (only.place.file, only.place.line) == (str(tmp_path / "cases.jsonl"), 2)
    assert only.message.startswith(fault)


def test_all_faults_of_a_file_are_told_together_but_not_without_end(tmp_path: Path) -> None:
    with pytest.raises(FaultsError) as told:
        read(tmp_path, *["nonsense"] * 30)
    assert len(told.value.faults) == 11
    assert told.value.faults[-1].message.endswith("(and 19 more lines)")


def test_a_file_that_isnt_there_or_holds_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such file"):
        read_cases(tmp_path / "none.jsonl", Budget.parse)
    with pytest.raises(FaultsError, match="holds no cases"):
        read(tmp_path, "")
