"""The grader on hand-written answers, and on what no answer should be able to break it with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.eval.recall.answers import ANSWERS, EXPECTED, value
from tests.eval.recall.conftest import talk
from tests.eval.recall.held_out import FRESH, HELD_OUT, MENDED

from compaction_eval.eval.recall.expected import Expected, expected_of
from compaction_eval.eval.recall.grading import grade
from compaction_eval.eval.recall.wording import GRADED, spoken, tidy
from compaction_eval.eval.records import AnswerRecord, Verdict
from compaction_eval.scenarios.forms import Form
from compaction_eval.scenarios.records import Probe

MORE = (*HELD_OUT, *MENDED, *FRESH)


def is_right(name: str, verdict: Verdict) -> bool:
    return AnswerRecord(verdict, EXPECTED[name].unanswerable).right


@pytest.mark.parametrize(("name", "answer", "verdict"), ANSWERS)
def test_an_answer_gets_the_verdict_that_it_deserves(
    name: str, answer: str, verdict: Verdict
) -> None:
    assert grade(answer, EXPECTED[name]).verdict == verdict


def test_of_answers_written_later_at_least_19_in_20_get_their_verdict() -> None:
    wrong = [one for one in MORE if grade(one[1], EXPECTED[one[0]]).verdict != one[2]]
    assert len(MORE) > 200
    assert len(wrong) / len(MORE) <= 0.05, wrong


def test_of_answers_that_it_was_not_mended_on_none_is_taken_for_right_that_is_not() -> None:
    graded = [(name, grade(answer, EXPECTED[name]).verdict, due) for name, answer, due in FRESH]
    assert all(is_right(name, found) == is_right(name, due) for name, found, due in graded)


def test_the_calibration_covers_all_verdicts_and_four_languages() -> None:
    assert {verdict for _, _, verdict in ANSWERS} == {
        "correct", "mixed", "stale", "abstained", "wrong", "missing",
    }  # fmt: skip
    assert {name.rpartition("-")[2] for name, _, _ in ANSWERS} >= {"zh", "ja", "de"}


@given(st.text() | st.text("<>/think9443 84\\n`*[]{}\u200b\ud83d", max_size=200))
def test_any_text_gets_a_verdict(answer: str) -> None:
    for expected in EXPECTED.values():
        assert grade(answer, expected).verdict != "not-asked"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("<think>8443?</think> 9443", "9443"),
        ("<Thinking mode='long'>8443</Thinking>9443", "9443"),
        ("[THINK]8443[/THINK]9443", "9443"),
        ("◁think▷8443◁/think▷9443", "9443"),
        ("8443, I think</think>9443", "9443"),
        ("<think>8443 goes on and on", ""),
        ("<|channel|>analysis<|message|>8443<|end|><|channel|>final<|message|>9443", "9443"),
        ("<|channel|>analysis<|message|>8443 never ends", ""),
        ("<answer>9443</answer>", "9443"),
        ('<tool_call>{"name": "look"}</tool_call>', ""),
        ("I think 9443 < 10000 and > 80", "I think 9443 < 10000 and > 80"),
    ],
)
def test_reasoning_and_calls_in_words_are_no_part_of_an_answer(answer: str, words: str) -> None:
    assert spoken(answer) == words


def test_typography_makes_no_difference() -> None:
    assert tidy("RK\u20117\u00a0\u201cA\u201d \\_b\\_ ９４") == tidy('rk-7 "a" _b_ 94')


def test_an_essay_is_graded_in_time_and_to_a_length() -> None:
    assert grade("blah 8443 and 9443 " * 200_000, EXPECTED["port"]).verdict == "mixed"
    assert grade(" " * GRADED + "9443", EXPECTED["port"]).verdict == "missing"


def test_a_pattern_that_takes_too_long_on_an_answer_is_an_error_with_its_reason() -> None:
    slow = Expected("recall", "?", (Form("(a|aa)+#", "regex"),))
    found = grade("a" * 90, slow)
    assert found.verdict == "error"
    assert "takes longer than" in found.reason


def test_a_share_is_told_of_an_answer_in_parts() -> None:
    assert grade("app/settings.py", EXPECTED["files"]).share == 0.5
    assert grade("no idea", EXPECTED["files"]).share == 0.0
    assert grade("9443", value("9443")).share is None


def test_what_is_expected_follows_the_conversation_up_to_the_place() -> None:
    scenario = talk()
    port, driver, redis = scenario.probes
    early, end = (expected_of(scenario, port, at) for _, at in port.at)
    assert (early.current, early.stale) == ((Form("8443"),), ())
    assert (end.current, end.stale) == ((Form("9443"),), (Form("8443"),))
    assert not end.unanswerable
    gone = expected_of(scenario, driver, driver.at[0][1])
    assert (gone.retracted, gone.unanswerable, gone.stale) == (True, True, (Form("tom"),))
    assert gone.retraction == (Form("forget the lift"),)
    assert gone.accepted_words == ()
    nothing = expected_of(scenario, redis, 7)
    assert nothing.unanswerable
    assert not nothing.retracted
    assert nothing.rejected == (Form("6379"),)


@pytest.mark.parametrize(
    ("match", "accept", "answer", "verdict"),
    [
        ("exact", ("9443",), "9443.", "correct"),
        ("exact", ("9443",), "port 9443", "wrong"),
        ("number", ("9,443",), "9443.0", "correct"),
        ("regex", (r"94\d3",), "It is 9443", "correct"),
        ("set", ("9443", "8443"), "8443, then 9443", "correct"),
        ("all_of", ("9443", "moved"), "9443", "missing"),
        ("contains", ("9443",), "It was 8443", "stale"),
    ],
)
def test_each_way_to_match_is_one_for_answers(
    match: str, accept: tuple[str, ...], answer: str, verdict: Verdict
) -> None:
    probe = Probe("p", "recall", "?", (("end", 7),), fact="port", accept=accept, match=match)  # type: ignore[arg-type]  # parametrized texts, all of them kinds of matching
    assert grade(answer, expected_of(talk(), probe, 7)).verdict == verdict
