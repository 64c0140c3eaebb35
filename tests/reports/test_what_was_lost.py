"""What a reviewer reads of a loss: the question, and what was right by then."""

from __future__ import annotations

from pathlib import Path

import pytest

from compaction_eval.reports.what_was_lost import LONGEST, what_was_asked
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.records import Scenario

OWN = """\
id: own
title: A port that changes
lang: en
reuse: true
turns:
  - user: The port is 8443, and nobody may restart it on Fridays.
    facts: {port: "8443"}
  - assistant: Noted.
  - mark: early
  - user: It is 9443 from now on. The order is GX-4484.
    facts: {port: {value: "9443", also: ["94 43"]}}
  - assistant: Good.
  - user: Send it, please. Thank you in advance for that.
  - call: ship
    args: {order: GX-4484}
    result: Sent.
  - assistant: Sent.
probes:
  - {id: port, kind: update, ask: "Which port\\n  is it?", fact: port, at: [early, end]}
  - id: rule
    kind: constraint
    ask: Which limits are there?
    accept: [Fridays, restart]
    match: all_of
  - {id: never, kind: abstention, ask: Who owns it?, reject: [Mei]}
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    (tmp_path / "own.yaml").write_text(OWN, "utf-8")
    (own,) = load_file(tmp_path / "own.yaml")
    return own


def test_a_question_stands_with_what_was_right_by_then(scenario: Scenario) -> None:
    early, end = (place for _, place in scenario.probes[0].at)
    assert what_was_asked(scenario, "port", early) == "Which port is it? (8443)"
    assert what_was_asked(scenario, "port", end) == "Which port is it? (9443 or 94 43)"


def test_parts_and_silence_are_told_as_such(scenario: Scenario) -> None:
    end = len(scenario.messages)
    assert what_was_asked(scenario, "rule", end).endswith("(Fridays and restart)")
    assert what_was_asked(scenario, "never", end) == "Who owns it? (no value holds there)"


def test_of_a_value_that_was_used_again_it_is_told_by_what(scenario: Scenario) -> None:
    (reused,) = (one for one in scenario.reuse if one.value == "GX-4484")
    assert what_was_asked(scenario, reused.id, reused.request) == "GX-4484, used by ship"


def test_of_an_unknown_probe_nothing_is_told(scenario: Scenario) -> None:
    assert what_was_asked(scenario, "gone", 1) == ""


def test_long_questions_are_cut(tmp_path: Path) -> None:
    text = OWN.replace("Who owns it?", "Who owns " + "it " * 200 + "then?")
    (tmp_path / "own.yaml").write_text(text, "utf-8")
    (own,) = load_file(tmp_path / "own.yaml")
    assert len(what_was_asked(own, "never", 1)) < LONGEST + 40
