"""Summarise or drop, and the newest blocks that stay."""

from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Context
from compaction_eval.strategies.gate import gate
from compaction_eval.strategies.messages import Message, role
from compaction_eval.strategies.summarizers.scripted import Scripted
from compaction_eval.strategies.summary import is_summary, summary_message, summary_text
from compaction_eval.strategies.threshold_gate import ThresholdGate
from compaction_eval.strategies.tokens import TokenCounter

FIRST = "Mei asked for the report; it is due on Friday."


def say(role: str, content: Any, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


def looked_up(number: int, output: str) -> list[Message]:
    """A tool block: one call and its answer."""
    call = {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    return [
        say("assistant", None, tool_calls=[call]),
        say("tool", output, tool_call_id=f"c{number}"),
    ]


def context(budget: int, *answers: str) -> Context:
    return Context(budget, TokenCounter(), Scripted(answers) if answers else None)


@pytest.mark.parametrize(
    ("tokens", "can_summarize", "action"),
    [
        (0, True, "none"),
        (0, False, "none"),
        (4, True, "drop"),
        (4, False, "drop"),
        (79, True, "drop"),
        (80, True, "summarize"),
        (80, False, "drop"),
        (114, True, "summarize"),
        (114, False, "drop"),
    ],
)
def test_a_dropped_stretch_is_summarised_only_where_that_pays(
    tokens: int, can_summarize: bool, action: str
) -> None:
    assert gate(tokens, can_summarize) == action


def test_the_worked_stretches_have_about_4_and_about_114_tokens() -> None:
    counter = TokenCounter()
    short = [say("user", "")]
    long = [say("user", f"Decision {n}: the release is on day {n}.") for n in range(7)]
    assert gate(counter.messages(short), True) == "drop"
    assert counter.messages(short) == 4
    assert 110 <= counter.messages(long) <= 118
    assert gate(counter.messages(long), True) == "summarize"


def rounds(number: int, words: int) -> list[Message]:
    """A system prompt, rounds of question and answer, and a last question."""
    messages = [say("system", "You help.")]
    for at in range(number):
        messages += [
            say("user", f"Question {at}. " + "why " * words),
            say("assistant", f"So {at}."),
        ]
    return [*messages, say("user", "And now?")]


def test_the_budget_must_be_strictly_exceeded() -> None:
    messages = rounds(6, 40)
    size = TokenCounter().request(messages)
    assert ThresholdGate().compact(messages, context(size, FIRST)).action == "none"
    assert ThresholdGate().compact(messages, context(size - 1, FIRST)).action == "summarize"


def test_the_newest_blocks_that_make_four_messages_stay() -> None:
    messages = [
        *rounds(6, 20)[:-1],
        *looked_up(1, "free"),
        *looked_up(2, "taken"),
        say("user", "?"),
    ]
    result = ThresholdGate(request="window").compact(messages, context(200, FIRST))
    # The fourth newest message is in the block before it, which stays whole.
    assert [role(m) for m in result.view] == [
        "system",
        "user",
        *("assistant", "tool", "assistant", "tool"),
        "user",
    ]
    assert is_summary(result.view[1])


def test_fewer_stay_where_they_do_not_fit_beside_the_summary() -> None:
    messages = rounds(6, 40)
    run = context(80, FIRST)
    result = ThresholdGate(request="window").compact(messages, run)
    assert run.count(result.view) <= 80
    assert any(map(is_summary, result.view))
    assert [m for m in result.view if not is_summary(m)] == [messages[0], *messages[-2:]]


def test_a_short_stretch_is_dropped_without_a_call_and_the_old_summary_stays() -> None:
    messages = [
        say("system", "You help."),
        summary_message("The port is 8443, and Mei owns the service."),
        say("user", "Hm."),
        *(say("user", f"{n} " + "word " * 20) for n in range(4)),
    ]
    run = context(135)
    with_summarizer = context(135, FIRST)
    for each in (run, with_summarizer):
        result = ThresholdGate().compact(messages, each)
        assert result.action == "drop"
        assert [summary_text(m) for m in result.view if is_summary(m)] == [
            "The port is 8443, and Mei owns the service."
        ]
    assert cast("Scripted", with_summarizer.summarizer).calls == 0


def test_a_long_stretch_is_dropped_where_there_is_no_summariser() -> None:
    result = ThresholdGate().compact(rounds(6, 20), context(150))
    assert (result.action, result.fallback, result.summary) == ("drop", None, None)


def test_a_summariser_that_fails_is_a_fallback() -> None:
    run = Context(150, TokenCounter(), Scripted(("no",)))
    result = ThresholdGate().compact(rounds(6, 20), run)
    assert result.action == "drop"
    assert result.fallback == "the summary has only 2 characters"


def test_the_request_that_a_tool_loop_works_on_stays_in_front() -> None:
    messages = [say("user", "Which port is free?")]
    for number in range(8):
        messages += looked_up(number, f"port {8440 + number} is taken, " * 4)
    result = ThresholdGate().compact(messages, context(300, FIRST))
    assert [m for m in result.view if not is_summary(m)] == [messages[0], *messages[-4:]]
