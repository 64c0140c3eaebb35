"""Block truncation with one rolling summary: its rules, its worked run, faults it hasn't got."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Compaction, Context, Strategy, SummaryRequest
from compaction_eval.strategies.loading import load_strategy, load_summarizer
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.rolling_summary import RollingSummary
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summary import (
    is_summary,
    marker,
    summary_length,
    summary_message,
    summary_text,
)
from compaction_eval.strategies.tokens import TokenCounter

NAIVE = load_strategy(
    parse_spec("./naive_rolling_summary.py:NaiveRollingSummary"), Path(__file__).parent
)
FIRST = "Mei asked for the report; it is due on Friday."
SECOND = "Mei's report is done; the port is 8443."


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
    """A scripted summariser that notes what it was shown; it raises prepared exceptions."""

    answers: list[str | Exception]
    requests: list[SummaryRequest] = field(default_factory=list)
    name: str = "shown"

    def summarize(self, request: SummaryRequest) -> str:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def context(budget: int, *answers: str | Exception, counter: TokenCounter | None = None) -> Context:
    return Context(budget, counter or TokenCounter(), Shown(list(answers)) if answers else None)


def shown(run: Context) -> list[SummaryRequest]:
    return cast("Shown", run.summarizer).requests


def chat(rounds: int, words: int = 20) -> list[Message]:
    """A system prompt and rounds of question and answer."""
    messages = [say("system", "You help.")]
    for number in range(rounds):
        messages.append(say("user", f"Question {number}: " + "why " * words))
        messages.append(say("assistant", f"Answer {number}: " + "so " * words))
    return messages


def compact(strategy: Strategy, messages: list[Message], run: Context) -> Compaction:
    result = strategy.compact(messages, run)
    assert run.count(result.view) <= run.budget
    return result


def test_no_summary_is_made_while_nothing_is_dropped() -> None:
    run = context(1000, FIRST)
    assert RollingSummary().compact(chat(4), run).action == "none"
    assert shown(run) == []


def test_the_summary_is_one_marked_user_message_behind_the_system_prompt() -> None:
    result = compact(RollingSummary(), [*chat(8), say("user", "Go on.")], context(350, FIRST))
    assert role(result.view[0]) == "system"
    assert role(result.view[1]) == "user"
    assert content_text(result.view[1]) == f"{marker('en')}\n{FIRST}"
    assert sum(map(is_summary, result.view)) == 1
    assert (result.action, result.summary) == ("summarize", FIRST)


def test_the_old_summary_and_the_newly_dropped_make_the_new_one() -> None:
    run = context(350, FIRST, SECOND)
    view = compact(RollingSummary(), [*chat(8), say("user", "Go on.")], run).view
    result = compact(RollingSummary(), [*view, *chat(4)[1:]], run)
    assert [summary_text(m) for m in result.view if is_summary(m)] == [SECOND]
    assert shown(run)[0].previous is None
    assert shown(run)[1].previous == FIRST
    told = [content_text(m) for m in shown(run)[1].messages]
    assert told == [content_text(m) for m in result.dropped], "and nothing that it told before"


def test_the_summary_stays_short_however_many_rounds_pass() -> None:
    run = Context(400, TokenCounter(), Extractive(), "zh")
    view: list[Message] = []
    made = 0
    for number in range(40):
        view += [
            say("user", f"请在第{number}天预订北京的酒店，预算{number + 300}元，联系人李雷。" * 2),
            say("assistant", f"好的，订单号是 BJ-{number}42，地址在朝阳区建国路{number}号。" * 2),
        ]
        result = compact(RollingSummary(), [*view, say("user", "继续")], run)
        view = list(result.view)[:-1]
        if result.summary is not None:
            made += 1
            assert summary_length(result.summary) <= 300
    assert made > 10


def test_worked_run_two_blocks_go_and_5890_tokens_are_left() -> None:
    """8,342 tokens against a window of 8,192; the summary has about 100 characters."""
    text = (
        "用户要把结算服务迁到新机房，窗口是周五二十二点到二十四点，其间不得停止支付；"
        "已查明旧库有三张表，其中一张没有主键；回滚脚本放在运维仓库里，由李雷保管；"
        "还没决定的是演练的日期，以及谁来通知商户。"
    )
    messages = [
        say("user", "first"),
        *looked_up(1, "answer"),
        say("user", "now"),
        say("assistant", "then"),
        say("user", "rest"),
    ]
    sizes = {"first": 146, "Step 1.": 0, "look": 0, "{}": 0, "answer": 2389}
    counter = TokenCounter(
        known=sizes | {"now": 1000, "then": 2000, "rest": 2780} | {f"{marker('zh')}\n{text}": 91}
    )
    run = Context(8192, counter, Shown([text]), "zh")
    assert run.count(messages) == 8342
    result = RollingSummary().compact(messages, run)
    assert result.blocks_dropped == 2
    assert result.summary == text
    assert run.count(result.view) == 5890


def test_the_costs_of_a_summary_are_about_a_thousand_tokens_in_and_two_hundred_out() -> None:
    """And what they stand for is 2,000 tokens and more: long outputs are shown in part."""
    counter = TokenCounter()
    messages = [say("user", "Find out why the nightly import of the price list fails.")]
    for number in range(8):
        row = f"row {number}: 2024-05-0{number + 1} price 17.90 ok; "
        messages += looked_up(number, row * 30)
    messages += [say("user", "So, what was it?")]
    run = Context(1000, counter, Shown(["The import fails on rows of Sundays. " * 22]))
    result = RollingSummary().compact(messages, run)
    assert counter.messages(result.dropped) > 2000
    assert 700 <= counter.request(prompt(shown(run)[0])) <= 1800
    assert result.summary is not None
    assert 150 <= counter.text(result.summary) <= 250


def test_the_summariser_is_shown_words_not_structure() -> None:
    long = "x" * 150 + " " + "y" * 400
    feedback = say("user", "[Judge feedback] Try again, you forgot the port.")
    messages = [
        say("user", "Why does it fail?"),
        *looked_up(1, long, f'{{"path": "{long}"}}'),
        feedback,
        say("user", "Thanks. " + "And now? " * 90),
    ]
    run = context(290, FIRST)
    compact(RollingSummary(), messages, run)
    told = [(m["role"], content_text(m)) for m in shown(run)[0].messages]
    assert [speaker for speaker, _ in told] == ["user", "assistant", "tool"]
    words, call = told[1][1].split("\n")
    assert words == "Step 1."
    assert call.startswith("tool look(path=xxx")
    assert "y" * 20 in call
    assert len(call) < 220
    assert "y" * 100 in told[2][1]
    assert len(told[2][1]) <= 310
    assert "c1" not in str(told), "ids are dropped"


@pytest.mark.parametrize(
    "wanted",
    [
        "the user's goals and requirements",
        "settled facts and answers",
        "what tool calls showed",
        "constraints: environment, paths, preferences",
        "open tasks",
        "Leave out greetings, intermediate reasoning, failed or repeated attempts and long",
    ],
)
def test_the_prompt_says_what_goes_in_and_what_stays_out(wanted: str) -> None:
    run = context(350, FIRST)
    compact(RollingSummary(), [*chat(8), say("user", "Go on.")], run)
    assert wanted in content_text(prompt(shown(run)[0])[0])


@pytest.mark.parametrize(
    "answer",
    [
        ValueError("no luck"),
        TimeoutError(),
        "",
        "   \n ",
        "Too short.",
        "I'm sorry, but I can't help with summarising this conversation.",
        "word of the summary " * 600,
    ],
    ids=["raises", "times out", "empty", "blank", "ten characters", "refuses", "inflated"],
)
def test_a_failing_summariser_keeps_the_old_summary_and_the_window_slides(
    answer: str | Exception,
) -> None:
    run = context(350, FIRST, answer)
    view = compact(RollingSummary(), [*chat(8), say("user", "Go on.")], run).view
    result = compact(RollingSummary(), [*view, *chat(4)[1:]], run)
    assert [summary_text(m) for m in result.view if is_summary(m)] == [FIRST]
    assert (result.action, result.summary) == ("truncate", None)
    assert result.fallback
    assert len(result.dropped) > 0


def test_without_a_summariser_it_is_a_plain_sliding_window() -> None:
    result = compact(RollingSummary(), [*chat(8), say("user", "Go on.")], context(350))
    assert not any(map(is_summary, result.view))
    assert (result.action, result.fallback) == ("truncate", None)


def test_nothing_of_substance_makes_no_call() -> None:
    feedback = "[Judge feedback] " + "Do it again, better this time. " * 20
    messages = [say("user", feedback), say("assistant", ""), say("user", "Go on. " * 60)]
    run = context(250, FIRST)
    result = compact(RollingSummary(), messages, run)
    assert len(result.dropped) == 2
    assert (shown(run), result.fallback) == ([], None)


def test_the_summary_counts_against_the_budget() -> None:
    counter = TokenCounter()
    messages = [*chat(8), say("user", "Go on.")]
    for budget in range(120, 420, 7):
        run = Context(budget, counter, Shown(["The answer to most of it was so. " * 27]))
        compact(RollingSummary(), messages, run)


# Three faults of a first version, each shown on it and absent here.


def test_a_longer_new_summary_does_not_put_the_view_over_budget_again() -> None:
    longer = "Mei asked for the report; it is due on Friday at nine in room 12. " * 8
    messages = [summary_message(FIRST), *chat(8)[1:], say("user", "Go on.")]
    naive = context(350, longer)
    assert naive.count(NAIVE().compact(messages, naive).view) > 350
    compact(RollingSummary(), messages, context(350, longer))


@pytest.mark.parametrize(
    "words",
    [
        '["8443", "9443"] are both taken.',
        "[the ticket](https://acme.test/7) says 8443",
        "[WARN] 8443 is taken",
    ],
    ids=["a JSON list", "a Markdown link", "a log line"],
)
def test_a_user_message_that_opens_with_a_bracket_reaches_the_summary(words: str) -> None:
    messages = [say("user", words), *chat(8)[2:], say("user", "Go on.")]
    naive, ours = context(350, FIRST), context(350, FIRST)
    NAIVE().compact(messages, naive)
    compact(RollingSummary(), messages, ours)
    assert not any("8443" in content_text(m) for m in shown(naive)[0].messages)
    assert any("8443" in content_text(m) for m in shown(ours)[0].messages)


def test_a_question_is_not_dropped_while_the_tool_block_that_answers_it_stays() -> None:
    messages = [say("user", "Which port is free?")]
    for number in range(6):
        messages += looked_up(number, f"port {8440 + number} is taken, " * 8)
    naive, ours = context(300, FIRST), context(300, FIRST)
    opening = next(m for m in NAIVE().compact(messages, naive).view if not is_summary(m))
    assert role(opening) == "assistant"
    result = compact(RollingSummary(), messages, ours)
    assert not is_summary(result.view[1])
    assert result.view[1] is messages[0]


@pytest.mark.parametrize(
    ("place", "choice", "at", "speaker"),
    [
        ("front", "user", 1, "user"),
        ("front", "system", 1, "system"),
        ("front", "auto", 1, "user"),
        ("end", "assistant", -1, "assistant"),
        ("end", "auto", -1, "assistant"),
    ],
)
def test_role_and_place_of_the_summary_are_parameters(
    place: Any, choice: Any, at: int, speaker: str
) -> None:
    strategy = RollingSummary(summary_role=choice, summary_place=place)
    run = context(350, FIRST, SECOND)
    view = compact(strategy, [*chat(8), say("user", "Go on.")], run).view
    assert is_summary(view[at])
    assert role(view[at]) == speaker
    # A summary under the system role is still a summary: found again and replaced.
    result = compact(strategy, [*view, *chat(4)[1:]], run)
    assert [summary_text(m) for m in result.view if is_summary(m)] == [SECOND]


def test_a_user_who_quotes_the_marker_is_not_taken_for_a_summary() -> None:
    quoting = say("user", f"{marker('en')}\nI copied this from another chat.")
    run = context(350, FIRST)
    result = compact(RollingSummary(), [quoting, *chat(8)[1:], say("user", "Go on.")], run)
    assert quoting in result.dropped
    assert shown(run)[0].previous is None


def test_an_oversized_old_summary_is_shortened_where_nothing_else_can_go() -> None:
    old = "Mei asked for the report. It is due on Friday. " * 12
    messages = [say("system", "You help."), summary_message(old), say("user", "word " * 100)]
    result = compact(RollingSummary(), messages, context(180, FIRST))
    kept = summary_text(result.view[1])
    assert old.startswith(kept)
    assert 0 < len(kept) < len(old)


@pytest.mark.parametrize("fault", ["raises", "empty", "short", "inflated", "refusal", "chat"])
def test_the_shipped_faulty_summariser_never_stops_a_run(fault: str) -> None:
    factory = load_summarizer(parse_spec(f"faulty(fault={fault})"), Path())
    assert factory is not None
    run = Context(350, TokenCounter(), factory())
    result = compact(RollingSummary(), [*chat(8), say("user", "Go on.")], run)
    assert result.fallback
    assert not any(map(is_summary, result.view))


def test_a_summary_never_makes_a_view_larger_where_nothing_fits_anyway() -> None:
    """Beside a system prompt over the budget no room bounds a summary, only what it replaces."""
    system = say("system", "manual " * 200)
    messages = [system, say("user", "Move the database."), *looked_up(1, "x"), *looked_up(2, "y")]
    run = context(150, FIRST)
    before = run.count(messages)
    compaction = RollingSummary().compact(messages, run)
    assert run.count(compaction.view) < before
    assert compaction.summary is None
    assert compaction.fallback is not None
