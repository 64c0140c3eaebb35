"""Truncation as the backstop and a summary of what it cut: what ours gets right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Compaction, Context, Strategy, SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.rolling_summary import RollingSummary
from compaction_eval.strategies.summary import is_summary, summary_message, summary_text
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.window_summary import WindowSummary

FIRST = "Mei asked for the report; it is due on Friday."


def say(role: str, content: Any, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


def looked_up(number: int, output: str, arguments: str = "{}") -> list[Message]:
    """A tool block: one call and its answer."""
    call = {
        "id": f"c{number}",
        "type": "function",
        "function": {"name": "look", "arguments": arguments},
    }
    return [
        say("assistant", f"Step {number}.", tool_calls=[call]),
        say("tool", output, tool_call_id=f"c{number}"),
    ]


@dataclass
class Shown:
    """A summariser that always says the same and notes what it was shown."""

    answer: str = FIRST
    requests: list[SummaryRequest] = field(default_factory=list)
    name: str = "shown"

    def summarize(self, request: SummaryRequest) -> str:
        self.requests.append(request)
        return self.answer


def replay(strategy: Strategy, script: list[Message], run: Context) -> list[Compaction]:
    """One compaction before each assistant message, each on what the last one left."""
    results: list[Compaction] = []
    view: list[Message] = []
    for message in script:
        if role(message) == "assistant" and view:
            results.append(strategy.compact(view, run))
            view = list(results[-1].view)
        view.append(message)
    return results


def tool_loop(rounds: int) -> list[Message]:
    """A system prompt, a first request, a second one, and a long loop that works on it."""
    messages = [
        say("system", "You help."),
        say("user", "Move billing to the new host; never touch table AUDIT_77."),
        say("assistant", "What first?"),
        say("user", "Find a free port."),
    ]
    for number in range(rounds):
        messages += looked_up(number, f"port {8440 + number} is taken by service {number}. " * 5)
    return messages


def test_first_and_active_request_survive_a_long_tool_loop() -> None:
    script = tool_loop(60)
    run = Context(700, TokenCounter(), Shown())
    results = replay(WindowSummary(), script, run)
    assert sum(result.summary is not None for result in results) > 3
    for result in results[2:]:
        assert any(m is script[1] for m in result.view)
        assert any(m is script[3] for m in result.view)
        assert result.view[0] is script[0]
        assert run.count(result.view) <= 700


def test_it_cuts_seldom_and_deep_where_the_rolling_summary_cuts_often() -> None:
    script = tool_loop(200)
    seldom, often = Shown(), Shown()
    replay(WindowSummary(), script, Context(4000, TokenCounter(), seldom))
    replay(RollingSummary(), script, Context(4000, TokenCounter(), often))
    assert 0 < 2 * len(seldom.requests) < len(often.requests)


def test_a_cut_goes_to_the_target_share_of_the_budget() -> None:
    run = Context(3000, TokenCounter(), Shown())
    for target in (0.5, 0.8):
        result = WindowSummary(target=target).compact(tool_loop(60), run)
        assert 3000 * target * 0.7 < run.count(result.view) <= 3000 * target


def test_facts_in_arguments_and_in_the_middle_of_an_output_reach_the_summariser() -> None:
    head, tail = "header line, " * 60, "footer line, " * 60
    arguments = '{"path": "' + "deep/" * 100 + '", "owner": "Mei Lindqvist", "mode": "0755"}'
    script = [
        say("user", "Look around, please."),
        *looked_up(1, f"{head} listen: 8443 {tail}", arguments),
        say("user", "Thanks. And now? " * 30),
    ]
    summarizer = Shown()
    WindowSummary().compact(script, Context(400, TokenCounter(), summarizer))
    told = "\n".join(content_text(m) for m in summarizer.requests[0].messages)
    assert "listen: 8443" in told
    assert "owner=Mei Lindqvist" in told
    assert "mode=0755" in told


def test_of_a_very_long_output_beginning_middle_and_end_are_shown() -> None:
    output = "first " + "filler " * 2000 + "MIDDLE-7 " + "filler " * 2000 + "last-9"
    script = [say("user", "Go."), *looked_up(1, output), say("user", "And now? " * 50)]
    summarizer = Shown()
    WindowSummary().compact(script, Context(500, TokenCounter(), summarizer))
    told = content_text(summarizer.requests[0].messages[-1])
    assert told.startswith("first filler")
    assert "MIDDLE-7" in told
    assert told.endswith("last-9")
    assert len(told) < 6200


def test_the_previous_summary_is_merged_whole_and_never_cut_from_the_input() -> None:
    script = tool_loop(60)
    summarizer = Shown("The old host is db-7. " * 30)
    replay(WindowSummary(), script, Context(700, TokenCounter(), summarizer))
    first, *others = summarizer.requests
    assert first.previous is None
    assert {len(request.previous or "") for request in others} == {len(summarizer.answer.strip())}


def test_the_summary_stands_behind_the_first_request_as_the_assistants_words() -> None:
    """Between two user messages `auto` takes the assistant's role: roles go on alternating."""
    result = WindowSummary().compact(tool_loop(14), Context(700, TokenCounter(), Shown()))
    assert [role(m) for m in result.view][:4] == ["system", "user", "assistant", "user"]
    assert is_summary(result.view[2])


def test_a_first_request_too_long_to_stay_whole_is_reduced_and_summarised() -> None:
    script = tool_loop(14)
    script[1] = say("user", " ".join(f"rule{n}" for n in range(300)))
    summarizer = Shown()
    run = Context(900, TokenCounter(), summarizer)
    result = WindowSummary().compact(script, run)
    first = result.view[1]
    assert role(first) == "user"
    assert content_text(first).startswith("rule0 ")
    assert run.counter.message(first) <= 900 // 4
    assert "rule150" in content_text(summarizer.requests[0].messages[0])


def test_without_a_first_request_that_stays_the_summary_is_in_front() -> None:
    messages = [say("system", "You help."), say("user", "old " * 300), say("user", "new " * 90)]
    strategy = WindowSummary(request="window")
    result = strategy.compact(messages, Context(250, TokenCounter(), Shown()))
    assert [(role(m), is_summary(m)) for m in result.view] == [
        ("system", False),
        ("user", True),
        ("user", False),
    ]


@pytest.mark.parametrize("reduced", ["tool", "user", "parts"])
def test_a_newest_message_larger_than_the_budget_is_reduced_inside(reduced: str) -> None:
    words = " ".join(f"word{n}" for n in range(3000))
    content: Any = [{"type": "text", "text": words}] if reduced == "parts" else words
    newest = looked_up(1, words) if reduced == "tool" else [say("user", content)]
    script = [say("system", "You help."), say("user", "Find it."), *newest]
    run = Context(600, TokenCounter(), Shown())
    result = WindowSummary().compact(script, run)
    assert run.count(result.view) <= 600
    text = content_text(result.view[-1])
    assert "word0 " in text
    assert "word2999" in text
    assert any(m is script[1] for m in result.view) or reduced != "tool"
    again = WindowSummary().compact(result.view, run)
    assert (again.action, list(again.view)) == ("none", list(result.view))


@pytest.mark.parametrize(
    "answer", ["", "no", "I'm sorry, but I can't help with that.", "word " * 4000]
)
def test_what_is_no_summary_replaces_nothing(answer: str) -> None:
    script = [say("system", "You help."), summary_message("The port is 8443."), *tool_loop(14)[1:]]
    run = Context(700, TokenCounter(), Shown(answer))
    result = WindowSummary().compact(script, run)
    assert [summary_text(m) for m in result.view if is_summary(m)] == ["The port is 8443."]
    assert result.fallback
    assert run.count(result.view) <= 700


def test_a_summary_longer_than_its_limit_is_shortened_at_a_sentence() -> None:
    long = "The port of the billing service is 8443 and stays so. " * 25
    result = WindowSummary().compact(tool_loop(30), Context(1600, TokenCounter(), Shown(long)))
    assert result.summary is not None
    assert long.startswith(result.summary)
    assert result.summary.endswith("stays so.")
    assert len(result.summary) <= 900


@pytest.mark.parametrize("target", [0.0, -1.0, 1.1])
def test_a_target_that_is_no_share_of_the_budget_is_refused(target: float) -> None:
    with pytest.raises(ConfigurationError, match="target must be above 0 and at most 1"):
        WindowSummary(target=target)
