"""One question: what is sent, and what each way in which a request can end makes of it."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.eval.recall.conftest import Scripted, talk

from compaction_eval.eval.models.base import Outcome, Reply
from compaction_eval.eval.recall.asking import ANSWER_TOKENS, KEPT, Ask, answered
from compaction_eval.eval.recall.expected import expected_of
from compaction_eval.eval.recall.sending import chat_tools
from compaction_eval.eval.recall.unanswered import is_unanswered
from compaction_eval.eval.records import AnswerRecord, ProbeRecord, Verdict
from compaction_eval.eval.validity import PROFILES

SCENARIO = talk()
EXPECTED = expected_of(SCENARIO, SCENARIO.probes[0], 7)
MESSAGES = (*SCENARIO.messages, {"role": "user", "content": "Which port?"})


def asked(*replies: Reply, language: str = "en") -> tuple[AnswerRecord, Scripted]:
    rest = list(replies)
    model = Scripted(lambda _: rest.pop(0))
    ask = Ask(MESSAGES, EXPECTED, language, chat_tools(SCENARIO), repeat=3, whereabouts="here")  # type: ignore[arg-type]  # plain dicts of the right shape
    return answered(model, ask)[0], model


def test_the_view_is_sent_as_it_is_with_the_scenarios_tools() -> None:
    record, model = asked(Reply("answered", "9443", tokens_in=70, tokens_out=2))
    (request,) = model.asked
    assert request.messages == MESSAGES
    assert (request.purpose, request.repeat, request.whereabouts) == ("answer", 3, "here")
    assert (request.temperature, request.max_tokens) == (0.0, ANSWER_TOKENS)
    assert request.tools[0]["function"]["name"] == "look"
    assert (record.verdict, record.tokens_in, record.tokens_out) == ("correct", 70, 2)


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ({"name": "a"}, "a"),
        ({"name": "a", "description": "d", "parameters": {"type": "object"}}, "a"),
        ({"type": "function", "function": {"name": "a"}}, "a"),
        ({"name": "a", "input_schema": {"type": "object"}}, "a"),
    ],
)
def test_tools_are_offered_in_the_apis_shape_however_they_are_written(
    tool: dict[str, object], name: str
) -> None:
    from dataclasses import replace

    (offered,) = chat_tools(replace(SCENARIO, tools=(tool,)))
    assert offered["type"] == "function"
    assert offered["function"]["name"] == name
    assert offered["function"]["parameters"]["type"] == "object"


def test_calls_in_place_of_an_answer_are_answered_once_that_there_are_no_tools() -> None:
    calls = (("look", '{"at": "1"}'), ("look", "{}"))
    record, model = asked(
        Reply("tool-calls", "", calls, tokens_in=70, tokens_out=9),
        Reply("answered", "9443", tokens_in=90, tokens_out=2),
    )
    assert (record.verdict, record.calls) == ("correct", 2)
    assert (record.tokens_in, record.tokens_out) == (160, 11)
    first, second = model.asked
    added = second.messages[len(MESSAGES) :]
    assert [one["role"] for one in added] == ["assistant", "tool", "tool"]
    assert "No tools are available now" in str(added[1].get("content"))
    assert second.tools == first.tools
    assert len({str(one.get("tool_call_id")) for one in added[1:]}) == 2


@pytest.mark.parametrize("language", ["en", "zh", "ja", "de", "fr"])
def test_what_is_sent_after_calls_obeys_the_apis_rules(language: str) -> None:
    from compaction_eval.eval.checking import Checker, loose_shapes
    from compaction_eval.eval.shape import shape_of
    from compaction_eval.strategies.tokens import TokenCounter
    from compaction_eval.strategies.view import Conversation

    _, model = asked(
        Reply("tool-calls", "", (("look", "{}"),)), Reply("answered", "9443"), language=language
    )
    messages = [dict(one) for one in model.asked[1].messages]
    conversation = Conversation(messages, TokenCounter())  # type: ignore[arg-type]  # plain dicts of the right shape
    shapes = [shape_of(one) for one in conversation.messages]
    checker = Checker(conversation, PROFILES["openai"], shapes)
    view = conversation.view(0, len(messages))
    assert [f for f in checker.check(view, loose_shapes(view)) if not f[1].warning] == []


def test_calls_again_are_no_answer() -> None:
    record, model = asked(*[Reply("tool-calls", "", (("look", "{}"),))] * 2)
    assert (record.verdict, record.outcome, len(model.asked)) == ("missing", "tool-calls", 2)


@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_every_outcome_is_a_verdict_and_a_fault_is_no_zero(outcome: Outcome) -> None:
    record, _ = asked(*[Reply(outcome, reason="it broke")] * 2)
    due: dict[Outcome, Verdict] = {"answered": "missing", "tool-calls": "missing"}
    assert record.verdict == due.get(outcome, "error")
    assert record.outcome == outcome
    assert record.reason == ("it broke" if record.verdict == "error" else "")
    probe = ProbeRecord("p", "recall", "end", 7, "correct", answer=record)
    passing = {"malformed", "rate-limited", "server-error", "timeout", "connection"}
    assert is_unanswered(probe) == (outcome in passing)


def test_a_view_beyond_the_models_window_has_a_reason_of_its_own() -> None:
    record, _ = asked(Reply("context-length"))
    assert record.reason == "the view is longer than the model's window"


def test_a_cut_answer_is_graded_unless_it_had_not_begun() -> None:
    assert asked(Reply("cut", "It is 9443, since"))[0].verdict == "correct"
    assert asked(Reply("cut", "Well, let me begin with"))[0].verdict == "wrong"
    record, _ = asked(Reply("cut", "<think>Well, 9443 was"))
    assert record.verdict == "error"
    assert "no answer within" in record.reason


def test_of_a_long_answer_the_beginning_is_kept_and_all_of_it_graded() -> None:
    record, _ = asked(Reply("answered", "blah " * 2_000 + "9443"))
    assert record.verdict == "correct"
    assert len(record.text) == KEPT
