"""The windows that know messages only, and the controls: none, empty, evidence-only."""

from typing import Any, cast

import pytest

from compaction_eval.strategies.base import AnswerKey, Context
from compaction_eval.strategies.count_slice import CountSlice
from compaction_eval.strategies.empty_history import EmptyHistory
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.evidence_only import EvidenceOnly
from compaction_eval.strategies.full_history import FullHistory
from compaction_eval.strategies.messages import Message, role
from compaction_eval.strategies.token_window import TokenWindow
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation, View


def say(role: str, content: Any, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


def sized(*sizes: int) -> tuple[list[Message], TokenCounter]:
    """Messages by turns of user and assistant that cost these tokens, and the counter for it."""
    messages = [say(("user", "assistant")[i % 2], f"text {i}") for i in range(len(sizes))]
    known = {f"text {i}": size - 4 for i, size in enumerate(sizes)}
    return messages, TokenCounter(known=known)


def test_count_slice_keeps_the_last_n_messages() -> None:
    messages, counter = sized(*[10] * 15)
    result = CountSlice().compact(messages, Context(1000, counter))
    assert result.view == messages[-10:]
    assert result.dropped == messages[:5]
    assert result.action == "truncate"


def test_count_slice_keeps_system_messages_and_does_not_count_them(talk: list[Message]) -> None:
    result = CountSlice(keep=2).compact(talk, Context(1000, TokenCounter()))
    assert result.view == [talk[0], *talk[-2:]]


def test_count_slice_with_system_drop_counts_and_cuts_system_messages(talk: list[Message]) -> None:
    result = CountSlice(keep=8, system="drop").compact(talk, Context(9, TokenCounter()))
    assert result.view == talk
    result = CountSlice(keep=7, system="drop").compact(talk, Context(9, TokenCounter()))
    assert result.view == talk[1:]


def test_count_slice_does_not_know_the_budget(talk: list[Message]) -> None:
    assert CountSlice(keep=7).compact(talk, Context(1, TokenCounter())).action == "none"


def test_count_slice_parts_a_call_from_its_answer_and_with_pairs_keep_does_not(
    talk: list[Message],
) -> None:
    context = Context(1000, TokenCounter())
    assert role(CountSlice(keep=5).compact(talk, context).view[1]) == "tool"
    kept = CountSlice(keep=5, pairs="keep").compact(talk, context).view
    assert kept == [talk[0], *talk[4:]], "the cut moves on to the block's end"


def test_pairs_keep_leaves_the_newest_block_whole_even_beyond_n(talk: list[Message]) -> None:
    context = Context(1000, TokenCounter())
    kept = CountSlice(keep=1, pairs="keep").compact(talk[:4], context).view
    assert kept == [talk[0], talk[2], talk[3]]


@pytest.mark.parametrize(
    ("budget", "kept"),
    [
        (93, 6),  # 90 and the request's 3: exactly at the budget fits
        (92, 5),
        (83, 5),
        (82, 4),
        (48, 2),
        (47, 1),
        (1, 1),  # the newest stays even where it doesn't fit
    ],
)
def test_token_window_keeps_the_newest_messages_that_fit(budget: int, kept: int) -> None:
    messages, counter = sized(10, 15, 12, 8, 20, 25)
    result = TokenWindow().compact(messages, Context(budget, counter))
    assert result.view == messages[-kept:]
    assert list(result.dropped) == messages[:-kept]


def test_token_window_stops_at_the_first_that_does_not_fit() -> None:
    messages, counter = sized(5, 100, 10, 10)
    result = TokenWindow().compact(messages, Context(30, counter))
    assert result.view == messages[2:], "the old small one would fit, but the walk has ended"


def test_token_window_counts_the_system_message_and_keeps_it() -> None:
    messages, counter = sized(30, 10, 10, 10)
    messages[0] = say("system", "text 0")
    result = TokenWindow().compact(messages, Context(53, counter))
    assert result.view == [messages[0], *messages[2:]]
    result = TokenWindow(system="drop").compact(messages, Context(53, counter))
    assert result.view == messages[1:]


def test_none_sends_the_full_history_over_budget_too(talk: list[Message]) -> None:
    result = FullHistory().compact(talk, Context(1, TokenCounter()))
    assert (result.view, result.action) == (talk, "none")


def test_empty_keeps_the_newest_user_message_alone(talk: list[Message]) -> None:
    result = EmptyHistory().compact(talk[:7], Context(1000, TokenCounter()))
    assert result.view == [talk[5]]
    assert list(result.dropped) == [*talk[:5], talk[6]]


def test_empty_is_never_empty_without_a_user() -> None:
    messages = [say("system", "You help."), say("assistant", "Hello.")]
    assert EmptyHistory().compact(messages, Context(9, TokenCounter())).view == messages[1:]


@pytest.mark.parametrize("measured", [False, True], ids=["list", "view"])
def test_evidence_only_keeps_whole_blocks_system_and_the_newest_user_message(
    talk: list[Message], measured: bool
) -> None:
    counter = TokenCounter()
    key = AnswerKey(evidence=(talk[3],))
    given = Conversation(talk, counter).view(0, 8) if measured else talk
    result = EvidenceOnly().compact(given, Context(9, counter, answer_key=key))
    assert list(result.view) == [talk[0], talk[2], talk[3], talk[7]]
    assert isinstance(result.view, View) == measured


@pytest.mark.parametrize("measured", [False, True], ids=["list", "view"])
def test_evidence_only_keeps_an_answer_that_comes_after_its_call_was_chosen(
    measured: bool,
) -> None:
    def calling(name: str) -> Message:
        call = {"id": name, "type": "function", "function": {"name": "ls", "arguments": "{}"}}
        return cast("Message", {"role": "assistant", "content": None, "tool_calls": [call]})

    ask, first, second = say("user", "Look."), calling("a"), calling("b")
    answers = [say("tool", f"of {name}", tool_call_id=name) for name in "ab"]
    messages = [ask, first, second, *answers]
    counter = TokenCounter()
    context = Context(9, counter, answer_key=AnswerKey(evidence=(first,)))
    conversation = Conversation(messages, counter)
    strategy = EvidenceOnly()
    view: Any = conversation.view(0, 2) if measured else messages[:2]
    view = strategy.compact(view, context).view
    view = view + (conversation.view(2, 5) if measured else messages[2:])
    assert list(strategy.compact(view, context).view) == [ask, first, answers[0]]


@pytest.mark.parametrize("measured", [False, True], ids=["list", "view"])
def test_evidence_only_looks_at_what_it_is_given_and_at_nothing_before(
    talk: list[Message], measured: bool
) -> None:
    counter = TokenCounter()
    strategy = EvidenceOnly()
    whole: Any = Conversation(talk, counter).view(0, 8) if measured else talk
    strategy.compact(whole, Context(9, counter, answer_key=AnswerKey(evidence=(talk[3],))))
    other = Context(9, counter, answer_key=AnswerKey(evidence=(talk[1],)))
    assert list(strategy.compact(whole, other).view) == [talk[0], talk[1], talk[7]]


def test_evidence_only_keeps_evidence_beside_messages_that_are_not_the_conversations(
    talk: list[Message],
) -> None:
    counter = TokenCounter()
    conversation = Conversation(talk, counter)
    extra, ask = say("assistant", "made up"), say("user", "and now?")
    view = View(conversation, (range(3), extra, range(3, 8), ask))
    key = AnswerKey(evidence=(talk[3], talk[5]))
    result = EvidenceOnly().compact(view, Context(9, counter, answer_key=key))
    assert list(result.view) == [talk[0], talk[2], talk[3], talk[5], ask]
    assert list(result.dropped) == [talk[1], extra, talk[4], talk[6], talk[7]]


def test_evidence_is_known_by_identity_not_by_equal_words(talk: list[Message]) -> None:
    assert talk[5] == talk[7]
    key = AnswerKey(evidence=(talk[5],))
    messages = [*talk, say("user", "and now?")]
    result = EvidenceOnly().compact(messages, Context(9, TokenCounter(), answer_key=key))
    assert [id(m) for m in result.view] == [id(m) for m in (talk[0], talk[5], messages[-1])]


def test_evidence_only_says_that_it_reads_the_answer_key() -> None:
    assert EvidenceOnly().sees_answer_key


def test_a_view_keeps_being_shared_and_not_copied() -> None:
    messages, counter = sized(*[10] * 3000)
    view = Conversation(messages, counter).view(0, 3000)
    cut = TokenWindow().compact(view, Context(20_003, counter)).view
    assert isinstance(cut, View)
    assert cut.parts == (range(1000, 3000),)


def test_a_slice_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="keep must be 1 or more, not 0"):
        CountSlice(keep=0)
