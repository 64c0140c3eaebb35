"""The three that summarise all but their recent messages: worked examples, and the known traps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Context, SummaryRequest
from compaction_eval.strategies.count_summary import CountSummary
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.keep_recent_summary import KeepRecentSummary
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.rolling_summary import RollingSummary
from compaction_eval.strategies.summarizers.scripted import Scripted
from compaction_eval.strategies.summary import is_summary, marker, summary_text
from compaction_eval.strategies.token_summary import TokenSummary, newest_within
from compaction_eval.strategies.tokens import TokenCounter

NOTE = "Milestones 1 to 4 are signed off, the fifth is asked about; open: who tests it."


def say(role: str, content: Any, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


def context(budget: int, *answers: str, counter: TokenCounter | None = None) -> Context:
    summarizer = Scripted(answers) if answers else None
    return Context(budget, counter or TokenCounter(), summarizer)


@dataclass
class Shown:
    """A summariser that always says the same and notes what it was shown."""

    answer: str
    requests: list[SummaryRequest] = field(default_factory=list)
    name: str = "shown"

    def summarize(self, request: SummaryRequest) -> str:
        self.requests.append(request)
        return self.answer


@pytest.fixture
def milestones() -> list[Message]:
    """Six rounds about milestones 1 to 6, a system prompt before and a last question after them."""
    messages = [say("system", "You run the project plan and answer briefly.")]
    for number in range(1, 7):
        messages += [
            say("user", f"Is milestone {number} done, and who at the client signed it?"),
            say("assistant", f"Milestone {number} is done; Ms Okoro signed it on {number} May."),
        ]
    return [*messages, say("user", "Which milestone is the last to be tested?")]


@pytest.fixture
def designer() -> list[Message]:
    """Four exchanges in which a designer tells name, job, tastes and skills."""
    return [
        say("user", "Hi, I'm Lena Vogt, and I've just moved to Porto for a new job."),
        say("assistant", "Welcome to Porto, Lena! What kind of job did you move there for?"),
        say("user", "I'm a product designer; I work on ticket machines for the metro."),
        say("assistant", "Ticket machines are hard to get right. What do you like in a design?"),
        say("user", "Plain shapes and loud colours. I can't stand gradients or shadows."),
        say("assistant", "Noted: plain, loud, flat. Which tools do you draw and build with?"),
        say("user", "Figma every day, Blender on weekends, and some Python for plots."),
        say("assistant", "That's a good mix for machines with screens and housings."),
    ]


# keep-recent-summary


def test_worked_example_nine_of_fourteen_messages_become_one_note(
    milestones: list[Message],
) -> None:
    run = context(150, NOTE)
    assert len(milestones) == 14
    assert run.count(milestones) == 263
    result = KeepRecentSummary(keep_recent=4).compact(milestones, run)
    assert len(result.dropped) == 9
    assert result.dropped == milestones[1:10]
    assert [(role(m), is_summary(m)) for m in result.view] == [
        ("system", False),
        ("user", True),
        ("assistant", False),
        ("user", False),
        ("assistant", False),
        ("user", False),
    ]
    assert [result.view[0], *result.view[2:]] == [milestones[0], *milestones[10:]]
    assert content_text(result.view[1]) == f"{marker('en')}\n{NOTE}"
    assert run.count(result.view) == 124


def test_the_budget_must_be_strictly_exceeded(milestones: list[Message]) -> None:
    size = TokenCounter().request(milestones)
    assert KeepRecentSummary().compact(milestones, context(size, NOTE)).action == "none"
    assert KeepRecentSummary().compact(milestones, context(size - 1, NOTE)).action == "summarize"


def test_no_more_than_keep_recent_messages_are_left_as_they_are(milestones: list[Message]) -> None:
    messages = [milestones[0], *milestones[-4:]]
    result = KeepRecentSummary(keep_recent=4).compact(messages, context(10, NOTE))
    assert (result.view, result.dropped, result.action) == (messages, (), "none")


@pytest.mark.parametrize("answers", [(), ("no",)], ids=["no summariser", "a failing one"])
def test_without_a_summary_the_note_says_how_many_messages_were_left_out(
    milestones: list[Message], answers: tuple[str, ...]
) -> None:
    result = KeepRecentSummary().compact(milestones, context(150, *answers))
    assert summary_text(result.view[1]) == "Earlier messages left out: 9."
    assert (result.fallback is not None) == bool(answers)


def test_the_number_of_messages_left_out_adds_up(milestones: list[Message]) -> None:
    run = context(150)
    view = KeepRecentSummary().compact(milestones, run).view
    more = [say("assistant", "The sixth."), say("user", "word " * 40)]
    result = KeepRecentSummary().compact([*view, *more], run)
    assert summary_text(result.view[1]) == "Earlier messages left out: 11."


def test_a_summary_that_cannot_be_renewed_stays_with_the_number_of_messages_since(
    milestones: list[Message],
) -> None:
    run = Context(150, TokenCounter(), Scripted((NOTE,)))
    view = KeepRecentSummary().compact(milestones, run).view
    more = [say("assistant", "The sixth."), say("user", "word " * 40)]
    result = KeepRecentSummary().compact([*view, *more], run)
    assert summary_text(result.view[1]) == f"{NOTE}\nEarlier messages left out: 2."
    assert "LookupError" in str(result.fallback)


def test_the_note_prompt_is_a_system_message_and_the_dialogue_as_lines(
    milestones: list[Message],
) -> None:
    summarizer = Shown(NOTE)
    KeepRecentSummary().compact(milestones, Context(150, TokenCounter(), summarizer, "zh"))
    request = summarizer.requests[0]
    system, user = prompt(request)
    assert (role(system), role(user)) == ("system", "user")
    assert "120" in content_text(system), "at most 120 Chinese characters"
    for kept in ("决定", "数字", "问题", "不得添加"):
        assert kept in content_text(system), "decisions, key figures, open questions, nothing else"
    assert "user: Is milestone 1 done" in content_text(user)
    assert "assistant: Milestone 1 is done" in content_text(user)


# count-summary


def test_worked_example_a_chat_of_eight_messages_becomes_three(designer: list[Message]) -> None:
    told = "Lena Vogt, product designer in Porto, likes plain shapes, uses Figma."
    result = CountSummary().compact(designer, context(10_000, told))
    assert result.view[:2] == designer[-2:]
    assert len(result.view) == 3
    assert role(result.view[2]) == "assistant"
    assert summary_text(result.view[2]) == told
    assert result.dropped == designer[:6]


def test_six_messages_are_not_yet_too_many(designer: list[Message]) -> None:
    assert CountSummary().compact(designer[:6], context(1, NOTE)).action == "none"
    assert CountSummary().compact(designer[:7], context(1, NOTE)).action == "summarize"
    system = say("system", "You chat.")
    assert CountSummary().compact([system, *designer[:6]], context(1, NOTE)).action == "none"


def test_the_summary_counts_as_a_message_and_is_rewritten_not_kept(
    designer: list[Message],
) -> None:
    run = context(
        10_000, "Lena Vogt is a designer in Porto.", "Lena of Porto, a designer; likes tea."
    )
    view = list(CountSummary().compact(designer, run).view)
    view += [say("user", "I like tea very much, above all with milk. " * 3), *designer[1:3]]
    assert CountSummary().compact(view, run).action == "none", "six with the summary"
    view.append(designer[3])
    result = CountSummary().compact(view, run)
    assert [is_summary(m) for m in result.view] == [False, False, True]
    assert summary_text(result.view[-1]) == "Lena of Porto, a designer; likes tea."


# token-summary


def test_worked_walk_of_six_sizes_keeps_the_last_five_which_are_exactly_80() -> None:
    sizes = [10, 15, 12, 8, 20, 25]
    assert newest_within(reversed(sizes), 80) == 5
    assert newest_within(reversed(sizes), 79) == 4
    messages = [say("user", f"size {size}") for size in sizes]
    counter = TokenCounter(known={f"size {size}": size - 4 for size in sizes})
    summarizer = Shown("short words")
    result = TokenSummary(max_tokens=90).compact(messages, Context(1, counter, summarizer))
    assert list(result.dropped) == messages[:1]
    assert [content_text(m) for m in summarizer.requests[0].messages] == ["size 10"]
    assert [m for m in result.view if not is_summary(m)] == messages[1:]


@pytest.mark.parametrize(("size", "action"), [(199, "none"), (200, "truncate"), (201, "truncate")])
def test_it_triggers_at_or_above_200_tokens(size: int, action: str) -> None:
    counter = TokenCounter(known={"a": size - 100 - 11, "b": 100})
    messages = [say("user", "a"), say("user", "b")]
    run = context(10_000, counter=counter)
    assert run.count(messages) == size
    assert TokenSummary().compact(messages, run).action == action


def test_the_walk_stops_at_the_first_that_does_not_fit_and_keeps_the_newest_anyway() -> None:
    assert newest_within([25, 90, 1], 80) == 1
    assert newest_within([300, 1], 80) == 1
    assert newest_within([], 80) == 0


def test_shares_of_the_budget_are_taken_of_the_runs_budget() -> None:
    messages = [say("user", "a"), say("user", "b"), say("user", "c")]
    counter = TokenCounter(known={"a": 46, "b": 46, "c": 46})
    strategy = TokenSummary(max_tokens="60%", keep_recent_tokens="40%")
    assert strategy.compact(messages, context(257, counter=counter)).action == "none"
    result = strategy.compact(messages, context(256, counter=counter))
    assert result.view == messages[1:]


def test_system_messages_count_for_the_trigger_and_not_for_what_is_kept() -> None:
    messages = [say("system", "s"), say("user", "a"), say("user", "b")]
    counter = TokenCounter(known={"s": 296, "a": 36, "b": 36})
    result = TokenSummary().compact(messages, context(10_000, counter=counter))
    assert (result.view, result.action) == (messages, "none"), "80 are kept: nothing to drop"


@pytest.mark.parametrize("amount", ["many", "-5", "6.5%", ""])
def test_an_amount_that_is_neither_tokens_nor_a_share_is_refused(amount: str) -> None:
    with pytest.raises(ConfigurationError, match="neither a number of tokens nor a share"):
        TokenSummary(max_tokens=amount)


# What both do, and the traps on the way


BOTH = [CountSummary(), TokenSummary(max_tokens=120, keep_recent_tokens=40)]


@pytest.mark.parametrize("strategy", BOTH, ids=["count", "token"])
def test_the_view_shrinks_because_it_is_rebuilt_and_not_added_to(
    strategy: CountSummary | TokenSummary, designer: list[Message]
) -> None:
    run = context(10_000, "Lena Vogt, product designer in Porto, likes plain shapes.")
    result = strategy.compact(designer, run)
    assert len(result.view) < len(designer)
    assert run.count(result.view) < run.count(designer)
    assert len({id(m) for m in result.view}) == len(result.view), "nothing is there twice"


@pytest.mark.parametrize("strategy", BOTH, ids=["count", "token"])
@pytest.mark.parametrize(
    ("language", "user", "assistant"),
    [
        ("en", "User: ", "Assistant: "),
        ("zh", "用户：", "助手："),
        ("ja", "ユーザー：", "アシスタント："),
    ],
)
def test_the_users_words_are_rendered_under_the_users_own_name(
    strategy: CountSummary | TokenSummary,
    designer: list[Message],
    language: str,
    user: str,
    assistant: str,
) -> None:
    summarizer = Shown("Lena Vogt, product designer in Porto.")
    strategy.compact(designer, Context(10_000, TokenCounter(), summarizer, language))
    asked = prompt(summarizer.requests[0])
    assert [role(m) for m in asked] == ["system"]
    text = content_text(asked[0])
    assert f"{user}Hi, I'm Lena Vogt" in text
    assert f"{assistant}Welcome to Porto" in text
    assert f"{assistant}Hi, I'm Lena Vogt" not in text


def test_one_counter_serves_the_trigger_and_what_is_kept() -> None:
    """The sizes are far from any tokenizer's, so a second one would show in either figure."""
    messages = [say("user", "one"), say("user", "two"), say("user", "three")]
    counter = TokenCounter(known={"one": 116, "two": 36, "three": 36})
    result = TokenSummary().compact(messages, context(1, counter=counter))
    assert result.view == messages[1:]
    assert counter.texts_tokenised == 0
    wide = TokenCounter(known={"one": 116, "two": 37, "three": 36})
    assert TokenSummary().compact(messages, context(1, counter=wide)).view == messages[2:]


@pytest.mark.parametrize("place", ["front", "end"])
@pytest.mark.parametrize("speaker", ["user", "assistant", "system"])
def test_role_and_place_of_the_summary_are_parameters_of_all(
    designer: list[Message], place: Any, speaker: Any
) -> None:
    for strategy in (
        CountSummary(summary_role=speaker, summary_place=place),
        TokenSummary(summary_role=speaker, summary_place=place),
        KeepRecentSummary(summary_role=speaker, summary_place=place),
        RollingSummary(summary_role=speaker, summary_place=place),
    ):
        run = context(100, "Lena Vogt, product designer in Porto.")
        view = strategy.compact([say("system", "You chat."), *designer, *designer], run).view
        at = 1 if place == "front" else len(view) - 1
        assert [is_summary(m) for m in view].index(True) == at
        assert role(view[at]) == speaker


def test_by_default_the_note_is_the_users_in_front_and_the_summary_the_assistants_at_the_end() -> (
    None
):
    assert (KeepRecentSummary().summary_role, KeepRecentSummary().summary_place) == (
        "user",
        "front",
    )
    assert (RollingSummary().summary_role, RollingSummary().summary_place) == ("user", "front")
    assert (CountSummary().summary_role, CountSummary().summary_place) == ("assistant", "end")
    assert (TokenSummary().summary_role, TokenSummary().summary_place) == ("assistant", "end")


def test_contents_that_are_no_strings_are_counted_on_their_json() -> None:
    parts = [{"type": "text", "text": "人均消费75元"}]
    counter = TokenCounter(known={'[{"type": "text", "text": "人均消费75元"}]': 193})
    messages = [say("user", parts), say("user", "")]
    assert TokenSummary().compact(messages, context(1, counter=counter)).action == "truncate"


@pytest.mark.parametrize("strategy", BOTH, ids=["count", "token"])
def test_a_failing_summariser_keeps_the_old_summary_or_none(
    strategy: CountSummary | TokenSummary, designer: list[Message]
) -> None:
    told = "Lena Vogt, product designer in Porto, likes plain shapes."
    run = context(10_000, told, "no", "no")
    view = strategy.compact(designer, run).view
    again = strategy.compact([*view, *designer], run)
    assert [summary_text(m) for m in again.view if is_summary(m)] == [told]
    assert again.fallback == "the summary has only 2 characters"
    bare = strategy.compact(designer, run)
    assert not any(map(is_summary, bare.view))
    assert bare.action == "truncate"
