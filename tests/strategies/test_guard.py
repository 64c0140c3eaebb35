"""What strategies from outside may do, and how what they may not do is told."""

import asyncio
import copy
import functools
import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import (
    AnswerKey,
    Compaction,
    Context,
    Strategy,
    SummaryRequest,
)
from compaction_eval.strategies.errors import StrategyError
from compaction_eval.strategies.factories import (
    guarded_strategy_factory,
    guarded_summarizer_factory,
)
from compaction_eval.strategies.guard import Limits
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.rolling_summary import RollingSummary
from compaction_eval.strategies.specs import Spec
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summary import summary_message
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation, View


def unresolved(*_: object) -> None:
    """No parameter here points at anything."""


def guarded(target: object, seconds: float | None = None) -> Strategy:
    limits = Limits(__file__, seconds)
    return guarded_strategy_factory(target, Spec("mine"), "strategy 'mine'", limits, unresolved)()


def places(view: Sequence[Message], talk: list[Message]) -> list[int | None]:
    """For each message of a view the place of that very object in the talk; None for a new one."""
    known = {id(message): place for place, message in enumerate(talk)}
    return [known.get(id(message)) for message in view]


class CallableObject:
    def __call__(self, messages: Any, budget: int) -> Any:
        return messages[-2:]


class AsyncCallable:
    async def __call__(self, messages: Any, budget: int) -> Any:
        return messages[-2:]


class Method:
    def compact(self, messages: Any, context: Context) -> Any:
        return messages[-2:]


class AsyncMethod:
    async def compact(self, messages: Any, context: Context) -> Any:
        return Compaction(messages[-2:], "truncate")


async def waiting(messages: Any, budget: int) -> Any:
    await asyncio.sleep(0)
    return messages[-2:]


def last(messages: Any, budget: int, *, keep: int) -> Any:
    return messages[-keep:]


@pytest.mark.parametrize(
    "target",
    [
        lambda messages, budget: messages[-2:],
        lambda messages, budget: tuple(messages[-2:]),
        lambda messages, budget: (m for m in messages[-2:]),
        lambda *given: given[0][-2:],
        lambda messages, *rest: messages[-2:],
        functools.partial(last, keep=2),
        waiting,
        CallableObject,
        CallableObject(),
        AsyncCallable,
        Method,
        Method(),
        AsyncMethod,
    ],
)
def test_any_callable_is_a_strategy(target: object, talk: list[Message], context: Context) -> None:
    compaction = guarded(target).compact(talk, context)
    assert places(compaction.view, talk) == [6, 7]
    assert places(compaction.dropped, talk) == [0, 1, 2, 3, 4, 5]
    assert (compaction.action, compaction.mutated_input) == ("truncate", False)


def test_a_view_is_accepted_back(talk: list[Message], context: Context) -> None:
    def as_view(messages: Any, budget: int) -> View:
        return Conversation(messages, TokenCounter()).view(6, 8)

    assert places(guarded(as_view).compact(talk, context).view, talk) == [6, 7]


def test_a_view_is_accepted_in(talk: list[Message], context: Context) -> None:
    view = Conversation(talk, context.counter).view(0, 8)
    same = guarded(lambda messages, budget: messages).compact(view, context)
    assert same.view is view
    assert same.action == "none"


def third(messages: Any, budget: int, count: Any) -> Any:
    return messages[-1:] if count(messages) > budget else messages


def third_or_none(messages: Any, budget: int, count: Any = None) -> Any:
    return third(messages, budget, count)


def own_third(messages: Any, budget: int, keep: int = 1) -> Any:
    return messages[-keep:]


@pytest.mark.parametrize("function", [third, third_or_none, own_third])
def test_count_is_given_to_a_third_parameter_that_has_no_value_of_its_own(
    function: Callable[..., Any], talk: list[Message], context: Context
) -> None:
    compaction = guarded(function).compact(talk, replace(context, budget=20))
    assert places(compaction.view, talk) == [7]


def test_the_loop_of_a_notebook_is_no_obstacle(talk: list[Message], context: Context) -> None:
    async def notebook() -> Compaction:
        return guarded(waiting).compact(talk, context)

    assert places(asyncio.run(notebook()).view, talk) == [6, 7]


def test_an_empty_list_is_never_handed_over(context: Context) -> None:
    def boom(messages: Any, budget: int) -> Any:
        raise AssertionError

    assert guarded(boom).compact([], context).view == []


def test_an_empty_list_may_come_back(talk: list[Message], context: Context) -> None:
    compaction = guarded(lambda messages, budget: []).compact(talk, context)
    assert (list(compaction.view), len(compaction.dropped)) == ([], 8)


def boom(messages: Any, budget: int) -> Any:
    raise RuntimeError("no\nluck")


def leaves(messages: Any, budget: int) -> Any:
    raise SystemExit(3)


async def cancelled(messages: Any, budget: int) -> Any:
    raise asyncio.CancelledError


def late(messages: Any, budget: int) -> Any:
    yield messages[0]
    raise KeyError("port")


def line_of(function: Callable[..., Any], below: int) -> int:
    return function.__code__.co_firstlineno + below


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (boom, f"raised RuntimeError: no luck (test_guard.py:{line_of(boom, 1)})"),
        (leaves, f"raised SystemExit: 3 (test_guard.py:{line_of(leaves, 1)})"),
        (cancelled, f"raised CancelledError (test_guard.py:{line_of(cancelled, 1)})"),
        (late, f"raised KeyError: 'port' (test_guard.py:{line_of(late, 2)})"),
        (lambda m, b: None, "returned None instead of a list of messages"),
        (lambda m, b: "text", "returned a value of type str instead of a list of messages"),
        (lambda m, b: m[0], "returned a value of type dict instead of a list of messages"),
        (lambda m, b: 7, "returned a value of type int instead of a list of messages"),
        (lambda m, b: (m, 2),
         "returned a value of type list instead of a message (place 1)"),
        (lambda m, b: [*m, "x"],
         "returned a value of type str instead of a message (place 9)"),
        (lambda m, b: [{"role": "human", "content": "x"}],
         "returned a message with the unknown role 'human' (place 1)"),
        (lambda m, b: [{"role": ["user"], "content": "x"}],
         "returned a message with the unknown role ['user'] (place 1)"),
        (lambda m, b: [*m, {"content": "x"}], "returned a message without a role (place 9)"),
        (lambda m, b: [{"role": "assistant", "tool_calls": ["ls"]}],
         "returned a message whose tool_calls aren't a list of dicts (place 1)"),
        (lambda m, b: [{"role": "user", "content": "\ud800"}],
         "returned a message that isn't JSON (place 1): 'utf-8' codec can't encode character "
         "'\\ud800' in position 29: surrogates not allowed"),
        (lambda m, b: [{"role": "user", "content": b"x"}],
         "returned a message whose content is of type bytes (place 1)"),
    ],
)  # fmt: skip
def test_what_breaks_the_rules_is_an_error_with_its_reason(
    function: Callable[..., Any], reason: str, talk: list[Message], context: Context
) -> None:
    with pytest.raises(StrategyError) as error:
        guarded(function).compact(talk, context)
    assert str(error.value) == reason
    assert str(pickle.loads(pickle.dumps(error.value))) == reason


def test_an_interrupt_by_the_user_passes(talk: list[Message], context: Context) -> None:
    def interrupted(messages: Any, budget: int) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guarded(interrupted).compact(talk, context)


def change_content(messages: Any, budget: int) -> Any:
    messages[4]["content"] = "Two."
    return messages


def change_call(messages: Any, budget: int) -> Any:
    messages[2]["tool_calls"][0]["function"]["arguments"] = '{"path": "/"}'
    return messages


@pytest.mark.parametrize(("function", "at"), [(change_content, 4), (change_call, 2)])
def test_a_message_changed_in_place_is_told_and_what_came_back_counts(
    function: Callable[..., Any], at: int, talk: list[Message], context: Context
) -> None:
    before = [dict(message) for message in talk]
    compaction = guarded(function).compact(talk, context)
    assert compaction.mutated_input
    assert talk == before
    assert places(compaction.view, talk) == [None if place == at else place for place in range(8)]
    assert places(compaction.dropped, talk) == [at]


def test_a_list_changed_in_place_is_told(talk: list[Message], context: Context) -> None:
    def pops(messages: Any, budget: int) -> Any:
        del messages[:6]
        return messages

    compaction = guarded(pops).compact(talk, context)
    assert compaction.mutated_input
    assert places(compaction.view, talk) == [6, 7]


@pytest.mark.parametrize(
    "rebuilt",
    [
        lambda m: dict(reversed(m.items())),
        lambda m: {**m, "tokens": 12, "kept": True},
        lambda m: {**m, "name": None},
        lambda m: pickle.loads(pickle.dumps(m)),
    ],
)
def test_key_order_extra_keys_and_nulls_are_no_change(
    rebuilt: Callable[[Any], Any], talk: list[Message], context: Context
) -> None:
    compaction = guarded(lambda m, b: [rebuilt(x) for x in m]).compact(talk, context)
    assert compaction == Compaction(talk)


def test_an_extra_key_set_in_place_is_no_change(talk: list[Message], context: Context) -> None:
    def annotates(messages: Any, budget: int) -> Any:
        for message in messages:
            message["tokens"] = 3
        return messages

    assert guarded(annotates).compact(talk, context) == Compaction(talk)


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ([0, 7], [0, 7]),  # the newest of two equal messages, though the older is free
        ([0, 1, 5, 6, 7], [0, 1, 5, 6, 7]),
        ([5, 7], [5, 7]),
        ([5, 6], [5, 6]),
        ([6, 5], [6, 7]),  # out of order: an equal one in order isn't there, so the latest is taken
    ],
)
def test_rebuilt_messages_that_say_the_same_are_told_apart_by_their_order(
    kept: list[int], expected: list[int], talk: list[Message], context: Context
) -> None:
    compaction = guarded(lambda m, b: [dict(m[at]) for at in kept]).compact(talk, context)
    assert places(compaction.view, talk) == expected


def test_each_original_is_claimed_once(talk: list[Message], context: Context) -> None:
    compaction = guarded(lambda m, b: [m[0], m[0], m[7], m[7]]).compact(talk, context)
    assert places(compaction.view, talk) == [0, None, 7, 5]


def test_one_new_message_is_a_summary(talk: list[Message], context: Context) -> None:
    note = {"role": "user", "content": "Two files were listed."}
    compaction = guarded(lambda m, b: [m[0], note, *m[5:]]).compact(talk, context)
    assert places(compaction.view, talk) == [0, None, 5, 6, 7]
    assert places(compaction.dropped, talk) == [1, 2, 3, 4]
    assert (compaction.action, compaction.summary) == ("summarize", "Two files were listed.")


def test_a_new_message_is_nobody_elses(talk: list[Message], context: Context) -> None:
    note = {"role": "user", "content": "Two files were listed."}
    view = guarded(lambda m, b: [note]).compact(talk, context).view
    note["content"] = "changed later"
    assert view[0].get("content") == "Two files were listed."


def test_a_marked_summary_from_outside_keeps_its_first_line(
    talk: list[Message], context: Context
) -> None:
    """It needs no opening line of ours: the name alone marks it."""
    note: Any = {"role": "user", "name": "compaction_summary", "content": "Two files.\nNo more."}
    compaction = guarded(lambda messages, budget: [note, messages[-1]]).compact(talk, context)
    assert compaction.summary == "Two files.\nNo more."


def test_several_new_messages_are_no_one_summary(talk: list[Message], context: Context) -> None:
    masked = guarded(lambda m, b: [{**x, "content": "-"} for x in m]).compact(talk, context)
    assert (masked.action, masked.summary, len(masked.dropped)) == ("summarize", None, 8)


def test_a_message_that_was_said_before_is_no_summary(
    talk: list[Message], context: Context
) -> None:
    twice = guarded(lambda m, b: [*m, dict(m[0])]).compact(talk, context)
    assert (twice.action, twice.summary, list(twice.dropped)) == ("truncate", None, [])
    whole = Conversation(talk, TokenCounter()).view(0, len(talk))
    back = guarded(lambda m, b: [dict(talk[1]), *m]).compact(whole[4:], context)
    assert (back.action, back.summary, list(back.view)) == ("truncate", None, [talk[1], *talk[4:]])
    note = {"role": "user", "content": "Two files were listed."}
    both = guarded(lambda m, b: [m[0], m[0], note, m[7]]).compact(whole, context)
    assert (both.action, both.summary) == ("summarize", "Two files were listed.")


def test_what_the_script_will_say_only_later_is_new(talk: list[Message], context: Context) -> None:
    begun = Conversation(talk, TokenCounter()).view(0, 4)
    early = guarded(lambda m, b: [m[0], dict(talk[6])]).compact(begun, context)
    assert early.action == "summarize"


def test_an_earlier_summary_is_not_counted_as_dropped(
    talk: list[Message], context: Context
) -> None:
    view = [summary_message("old"), *talk]
    compaction = guarded(lambda m, b: m[7:]).compact(view, context)
    assert places(compaction.dropped, talk) == list(range(6))


def test_a_class_may_tell_what_it_did(talk: list[Message], context: Context) -> None:
    class Telling:
        def compact(self, messages: Any, context: Context) -> Compaction:
            fallback = "the model was down"
            return Compaction(messages[6:], "drop", fallback=fallback, blocks_dropped=4)

    compaction = guarded(Telling).compact(talk, context)
    assert (compaction.action, compaction.fallback) == ("drop", "the model was down")
    assert (compaction.blocks_dropped, places(compaction.dropped, talk)) == (4, list(range(6)))


def test_what_a_class_claims_without_a_change_is_not_believed(
    talk: list[Message], context: Context
) -> None:
    class Boasting:
        def compact(self, messages: Any, context: Context) -> Compaction:
            return Compaction(messages, "summarize", summary="all is well")

    assert guarded(Boasting).compact(talk, context) == Compaction(talk)


def test_an_unknown_action_is_an_error(talk: list[Message], context: Context) -> None:
    class Odd:
        def compact(self, messages: Any, context: Context) -> Compaction:
            return Compaction(messages[1:], cast("Any", "shrink"))

    with pytest.raises(StrategyError, match="returned the unknown action 'shrink'; known are none"):
        guarded(Odd).compact(talk, context)


def reached(thing: object, depth: int = 4) -> Iterator[object]:
    """What can be reached from an object through its attributes, private ones and owners too."""
    yield thing
    if depth and not isinstance(thing, str | int | None):
        for name in {*dir(thing), "__self__", "__func__", "__wrapped__"}:
            if not name.startswith("__") or name in ("__self__", "__func__", "__wrapped__"):
                yield from reached(getattr(thing, name, None), depth - 1)


def test_nothing_secret_is_an_attribute_of_what_foreign_code_gets(
    talk: list[Message], context: Context
) -> None:
    """Neither the answer key, nor the summariser, nor the counter, which has every text."""
    key, summarizer = AnswerKey(), Extractive()
    found: list[object] = []

    class Curious:
        sees_answer_key = True

        def compact(self, messages: Any, context: Any) -> Any:
            found.extend(reached(context))
            return messages

    given = replace(context, answer_key=key, summarizer=summarizer)
    strategy = guarded(Curious)
    assert not getattr(strategy, "sees_answer_key", False)
    strategy.compact(talk, given)
    secrets = (given, key, summarizer, context.counter, context.counter.known)
    assert [one for one in secrets if any(one is thing for thing in found)] == []
    assert any(one is thing for one in secrets for thing in reached(given)), "the search works"


def test_what_the_documentation_promises_of_a_context_is_there(
    talk: list[Message], context: Context
) -> None:
    found: list[object] = []

    class Using:
        def compact(self, messages: Any, context: Any) -> Any:
            found.extend((context.budget, context.language, context.tools_tokens))
            found.extend((context.count(messages), context.can_summarize))
            found.append(context.summarize(messages, "before", limit=90, style="note"))
            return messages

    asked: list[SummaryRequest] = []

    class Noting:
        name = "noting"

        def summarize(self, request: SummaryRequest) -> str:
            asked.append(replace(request, messages=()))
            return "a note"

    given = replace(context, language="zh", tools_tokens=7, summarizer=Noting())
    guarded(Using).compact(talk, given)
    assert found == [60, "zh", 7, context.counter.request(talk), True, "a note"]
    assert asked == [SummaryRequest((), "before", 90, "zh", "note")]


def test_a_strategy_may_pass_its_context_on_to_a_built_in(
    talk: list[Message], context: Context
) -> None:
    class Wrapping:
        def compact(self, messages: Any, context: Any) -> Any:
            return RollingSummary().compact(messages, context)

    given = replace(context, budget=40)
    wrapped, bare = guarded(Wrapping).compact(talk, given), RollingSummary().compact(talk, given)
    assert (list(wrapped.view), wrapped.action) == (list(bare.view), bare.action)
    assert bare.action != "none"


def test_a_fallback_is_told_on_one_line_without_addresses(
    talk: list[Message], context: Context
) -> None:
    class Failing:
        def compact(self, messages: Any, context: Any) -> Any:
            return Compaction(messages[1:], fallback=f"no luck\nwith {object()}")

    assert guarded(Failing).compact(talk, context).fallback == "no luck with <object object>"


class Remembering:
    def __init__(self) -> None:
        self.calls = [0]
        self.client = threading.Lock()  # which can't be copied

    def compact(self, messages: Any, context: Context) -> Any:
        self.calls.append(len(self.calls))
        return messages[-len(self.calls) :]


class RememberingInSlots:
    __slots__ = ("calls", "client")
    __init__ = Remembering.__init__  # type: ignore[assignment]  # the same two attributes
    compact = Remembering.compact  # type: ignore[assignment]  # the same two attributes


class RememberingCallable:
    def __init__(self) -> None:
        self.calls = [0]

    def __call__(self, messages: Any, budget: int) -> Any:
        self.calls.append(len(self.calls))
        return messages[-len(self.calls) :]


@pytest.mark.parametrize("target", [Remembering, RememberingInSlots, RememberingCallable])
def test_a_fork_leaves_no_trace_in_what_a_strategy_remembers(
    target: object, talk: list[Message], context: Context
) -> None:
    strategy = guarded(target)
    strategy.compact(talk, context)
    fork = copy.deepcopy(strategy)
    assert [len(fork.compact(talk, context).view) for _ in range(3)] == [3, 4, 5]
    assert len(strategy.compact(talk, context).view) == 3


def test_a_fork_shares_what_cannot_be_copied(talk: list[Message], context: Context) -> None:
    class Client:
        def __init__(self) -> None:
            self.lock = threading.Lock()

        def compact(self, messages: Any, context: Context) -> Any:
            return messages if self.lock.locked() else messages[:1]

    instance = Client()
    fork = copy.deepcopy(guarded(instance))
    with instance.lock:
        assert len(fork.compact(talk, context).view) == 8


def test_a_fork_that_fails_is_an_error_with_its_reason() -> None:
    class Single:
        def __reduce__(self) -> str:
            raise TypeError("there is one of me")

        def compact(self, messages: Any, context: Context) -> Any:
            return messages

    with pytest.raises(StrategyError, match="raised TypeError: there is one of me"):
        copy.deepcopy(guarded(Single))


def summarizer(target: object) -> Any:
    limits = Limits(__file__)
    return guarded_summarizer_factory(
        target, Spec("mine"), "summarizer 'mine'", limits, unresolved
    )()


def test_a_function_is_a_summariser() -> None:
    request = SummaryRequest((cast("Message", {"role": "user", "content": "hello"}),))
    assert summarizer(lambda request: request.messages[0]["content"]).summarize(request) == "hello"


def test_a_fork_leaves_no_trace_in_what_a_summariser_remembers() -> None:
    class Counting:
        calls = 0

        def summarize(self, request: SummaryRequest) -> str:
            self.calls += 1
            return str(self.calls)

    original = summarizer(Counting)
    fork = copy.deepcopy(original)
    assert [fork.summarize(SummaryRequest(())) for _ in range(2)] == ["1", "2"]
    assert original.summarize(SummaryRequest(())) == "1"


def test_a_summariser_that_exits_or_gives_no_text_raises() -> None:
    with pytest.raises(StrategyError, match="raised SystemExit"):
        summarizer(lambda request: exit()).summarize(SummaryRequest(()))
    with pytest.raises(StrategyError, match="type NoneType instead of a text"):
        summarizer(lambda request: None).summarize(SummaryRequest(()))


def test_a_reason_names_the_users_line_and_not_the_librarys(
    tmp_path: Path, talk: list[Message], context: Context
) -> None:
    def counts_nonsense(messages: Any, budget: int, count: Any) -> Any:
        return count(["text"])

    with pytest.raises(StrategyError, match=r"\(test_guard\.py:\d+\)$"):
        guarded(counts_nonsense).compact(talk, context)
