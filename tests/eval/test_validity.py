"""Every rule of every API profile: the least that breaks it, and the least that keeps it."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.checking import Checker, Found
from compaction_eval.eval.shape import shape_of
from compaction_eval.eval.validity import PROFILES, Profile
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation, View

USER: Any = {"role": "user", "content": "hello"}
SYSTEM: Any = {"role": "system", "content": "You help."}
SAID: Any = {"role": "assistant", "content": "hi"}


def call(id: Any = "a", **changed: Any) -> dict[str, Any]:
    function = {"name": "run", "arguments": "{}", **changed.pop("function", {})}
    return {"id": id, "type": "function", "function": function, **changed}


def calls(*ids: str) -> Any:
    return {"role": "assistant", "content": None, "tool_calls": [call(id) for id in ids]}


def calling(*made: Any) -> Any:
    return {"role": "assistant", "content": None, "tool_calls": list(made)}


def tool(id: str, content: Any = "out") -> Any:
    return {"role": "tool", "tool_call_id": id, "content": content}


def user(content: Any) -> Any:
    return {"role": "user", "content": content}


def assistant(content: Any, **more: Any) -> Any:
    return {"role": "assistant", "content": content, **more}


def check_messages(messages: Iterable[Message], profile: Profile) -> list[Found]:
    """All faults and warnings, found the plain way; those of the end are at the length."""
    state = profile.start
    found: list[Found] = []
    length = 0
    for length, message in enumerate(messages, 1):
        state, faults = profile.step(state, shape_of(message))
        found.extend((length - 1, fault) for fault in faults)
    found.extend((length, fault) for fault in profile.finish(state))
    return found


def faults(profile: str, messages: list[Any]) -> list[tuple[int, str]]:
    """Places and rules of what is refused."""
    found = check_messages(messages, PROFILES[profile])
    return [(place, fault.rule) for place, fault in found if not fault.warning]


def warnings(profile: str, messages: list[Any]) -> list[tuple[int, str]]:
    found = check_messages(messages, PROFILES[profile])
    return [(place, fault.rule) for place, fault in found if fault.warning]


TEXT = {"type": "text", "text": "hello"}
IMAGE = {"type": "image_url", "image_url": {"url": "https://plans.test/a.png"}}
BLANK = {"type": "text", "text": ""}
CUSTOM = {"id": "a", "type": "custom", "custom": {"name": "sql", "input": "select 1;"}}

BROKEN = [
    ("openai", [], [(0, "1")], "no message at all"),
    ("openai", [{"role": "human", "content": "x"}], [(0, "2")], "an unknown role"),
    ("openai", [{"content": "x"}], [(0, "2")], "no role"),
    ("openai", [assistant(None)], [(0, "3")], "neither content nor calls"),
    ("openai", [calling(call(id=None)), tool("")], [(0, "4"), (1, "5")], "a call without an id"),
    ("openai", [calling(call(type="tool")), tool("a")], [(0, "4")], "another type of call"),
    ("openai", [calling(call(function={"name": ""})), tool("a")], [(0, "4")], "no name"),
    ("openai", [calling({"id": "a", "type": "function"}), tool("a")], [(0, "4")], "no function"),
    ("openai", [calling("run")], [(0, "4")], "a call that is no object"),
    ("openai", [calling(call(type="custom")), tool("a")], [(0, "4")], "no custom call"),
    (
        "openai",
        [calling({"id": "a", "type": "custom", "custom": {"name": "sql"}}), tool("a")],
        [(0, "4")],
        "a custom call without its input",
    ),
    ("openai", [assistant("x", tool_calls=call())], [(0, "4")], "calls that are no list"),
    ("openai", [assistant("x", tool_calls={})], [(0, "4")], "not even an empty one"),
    (
        "openai",
        [calling(call(function={"arguments": {"x": 1}})), tool("a")],
        [(0, "4")],
        "arguments that aren't a string",
    ),
    ("openai", [calls("a"), tool("")], [(1, "5"), (1, "6"), (2, "7")], "an answer without id"),
    ("openai", [calls("a"), tool("a", None)], [(1, "5")], "an answer without content"),
    ("openai", [calls("a"), tool("a", [TEXT, IMAGE])], [(1, "5")], "an answer with an image"),
    ("openai", [calls("a"), tool("a", ["out"])], [(1, "5")], "an answer with a part that is none"),
    ("openai", [calls("a"), tool("a", [{"text": "x"}])], [(1, "5")], "a part of no type"),
    ("openai", [calls("a"), tool("a", [{"type": "text"}])], [(1, "5")], "a text part without text"),
    ("openai", [calls("a"), tool("a", {"ok": True})], [(1, "5")], "an answer that is an object"),
    ("openai", [USER, tool("a")], [(1, "6")], "an answer to no call"),
    ("openai", [tool("a"), USER], [(0, "6")], "the same at the front, as a cut leaves it"),
    ("openai", [calls("a"), USER, tool("a")], [(1, "7"), (2, "6")], "words in between"),
    ("openai", [calls("a"), tool("a"), SAID, tool("a")], [(3, "6")], "a call further up"),
    ("openai", [calls("a"), tool("a"), tool("a")], [(2, "6")], "a second answer to one call"),
    ("openai", [calls("a", "b"), tool("a"), USER], [(2, "7")], "one of two calls unanswered"),
    ("openai", [calls("a", "b"), tool("a"), calls("c"), tool("c")], [(2, "7")], "before a call"),
    ("openai", [calls("a")], [(1, "7")], "unanswered at the end"),
    ("openai", [assistant("x", tool_calls=[])], [(0, "8")], "an empty list of calls"),
    ("openai", [calls("a", "a"), tool("a")], [(0, "8")], "one id twice in a message"),
    ("anthropic", [SYSTEM], [(1, "1")], "nothing but the system prompt"),
    ("anthropic", [USER, {"role": "function", "content": "x"}], [(1, "1")], "another role"),
    ("anthropic", [USER, calls("a"), SAID], [(2, "4")], "a tool use that isn't answered next"),
    ("anthropic", [USER, calls("a"), USER, SAID], [(3, "4")], "nor after the user's words"),
    ("anthropic", [USER, calls("a"), USER], [(3, "4")], "nor at the end"),
    ("anthropic", [USER, calls("a", "b"), tool("a"), SAID], [(3, "4")], "one of two"),
    ("anthropic", [USER, calls("a"), USER, tool("a")], [(3, "5")], "words before the result"),
    ("anthropic", [USER, calls("a", "b"), tool("a"), USER, tool("b")], [(4, "5")], "between two"),
    ("anthropic", [USER, tool("a")], [(1, "6")], "a result without its use"),
    ("anthropic", [USER, calls("a"), tool("a"), tool("a")], [(3, "6")], "two results of one use"),
    ("anthropic", [user("")], [(0, "7")], "an empty message"),
    ("anthropic", [user(" \n")], [(0, "7")], "white space is as good as nothing"),
    ("anthropic", [user([TEXT, BLANK])], [(0, "7")], "an empty text block"),
    ("anthropic", [USER, assistant([TEXT, BLANK]), USER], [(1, "7")], "the assistant's too"),
    ("anthropic", [USER, assistant(""), USER], [(2, "7")], "an empty message that isn't the last"),
    ("anthropic", [USER, assistant("so: ")], [(2, "7")], "a last text that ends in white space"),
    ("anthropic", [USER, assistant([{"type": "text", "text": "x\n"}])], [(2, "7")], "as a block"),
    ("anthropic-strict", [SYSTEM, SAID, USER], [(1, "3")], "the assistant opens"),
    ("anthropic-strict", [calls("a"), tool("a")], [(0, "3")], "with a tool use, after a cut"),
    ("anthropic-strict", [USER, tool("a")], [(1, "6")], "all else is as in the other"),
    ("gemini", [SYSTEM], [(1, "1")], "nothing but the system instruction"),
    ("gemini", [SAID, USER], [(0, "1")], "the model opens"),
    ("gemini", [USER, SAID], [(2, "1")], "the model has the last word"),
    ("gemini", [USER, {"role": "function", "content": "x"}, USER], [(1, "1")], "another role"),
    ("gemini", [calls("a"), tool("a")], [(0, "1"), (0, "2")], "a function call opens"),
    ("gemini", [USER, SAID, calls("a"), tool("a")], [(2, "2")], "a call after a model turn"),
    ("gemini", [USER, calls("a"), USER], [(2, "3")], "fewer responses than calls"),
    ("gemini", [USER, calls("a", "b"), tool("a")], [(3, "3")], "fewer at the end"),
    ("gemini", [USER, calls("a"), tool("a"), tool("a")], [(3, "3")], "more responses than calls"),
    ("gemini", [tool("a"), USER], [(0, "3")], "a response to nothing"),
    ("strict-template", [], [(0, "1")], "no message at all"),
    ("strict-template", [SYSTEM, SYSTEM, USER], [(1, "1")], "a second system message"),
    ("strict-template", [USER, SYSTEM], [(1, "1")], "one that isn't first"),
    ("strict-template", [SAID, USER], [(0, "2")], "the assistant opens"),
    ("strict-template", [USER, USER], [(1, "2")], "two user messages"),
    ("strict-template", [USER, SAID, SAID], [(2, "2")], "two assistant messages"),
    ("strict-template", [SYSTEM, calls("a"), tool("a"), SAID], [(3, "2")], "calls are no turn"),
    ("strict-template", [USER, SAID, calls("a"), tool("a"), USER], [(4, "3")], "user after tool"),
    ("strict-template", [USER, assistant("")], [(1, "4")], "an assistant that says nothing"),
    ("strict-template", [USER, assistant(None)], [(1, "4")], "nor calls"),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "messages", "expected", "reason"), BROKEN)
def test_a_broken_rule_is_found_at_its_message(
    profile: str, messages: list[Any], expected: list[tuple[int, str]], reason: str
) -> None:
    assert faults(profile, messages) == expected, reason


KEPT = [
    ("openai", [USER], "one message"),
    ("openai", [{"role": "developer", "content": "x"}, USER], "a developer message"),
    ("openai", [{"role": "function", "name": "f", "content": "x"}], "a legacy function's answer"),
    ("openai", [assistant(None, function_call={"name": "f", "arguments": "{}"})], "a legacy call"),
    ("openai", [assistant("")], "empty content is content"),
    ("openai", [assistant("x", tool_calls=None)], "null is no list of calls"),
    ("openai", [calls("a", "b"), tool("b"), tool("a")], "answers in any order"),
    ("openai", [calls("a"), tool("a", [TEXT])], "content parts as an answer"),
    ("openai", [calling(CUSTOM), tool("a")], "a custom tool's input is plain text"),
    ("openai", [user([TEXT, IMAGE])], "an image that isn't a tool's"),
    ("openai", [{**USER, "tool_calls": [call()]}, USER], "calls are the assistant's alone"),
    ("openai", [{**USER, "tool_calls": {}}], "of others they aren't even read"),
    ("openai", [calls("a"), tool("a"), calls("a"), tool("a")], "an id used again"),
    ("openai", [SYSTEM, USER, USER, SAID, SAID, SYSTEM], "roles in a row, two system messages"),
    ("anthropic", [SYSTEM, USER, SYSTEM], "system stands outside"),
    ("anthropic", [USER, calls("a", "b"), tool("b"), tool("a"), USER], "all results, then words"),
    ("anthropic", [USER, calls("a"), tool("a", "")], "an empty result"),
    ("anthropic", [USER, assistant("", tool_calls=[call()]), tool("a")], "tool use without words"),
    ("anthropic", [USER, assistant("")], "a last assistant message may be empty"),
    ("anthropic", [USER, assistant("so: "), USER], "white space before the end"),
    ("anthropic-strict", [SYSTEM, USER, USER, SAID], "the user opens"),
    ("gemini", [SYSTEM, USER, calls("a", "b"), tool("a"), tool("b")], "ends on a response"),
    ("gemini", [USER, calls("a"), tool("a"), calls("b"), tool("b"), SAID, USER], "a loop"),
    ("gemini", [USER, USER], "two user turns"),
    ("strict-template", [SYSTEM, USER, SAID, USER], "turn by turn"),
    ("strict-template", [USER], "no system message"),
    ("strict-template", [USER, calls("a"), tool("a"), SAID, USER], "a tool loop within a turn"),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "messages", "reason"), KEPT)
def test_what_the_rules_allow_is_no_fault(profile: str, messages: list[Any], reason: str) -> None:
    assert faults(profile, messages) == [], reason


@pytest.mark.parametrize(
    ("profile", "messages", "expected", "reason"),
    [
        (
            "openai",
            [calling(call(function={"arguments": "{not json"})), tool("a")],
            [(0, "4")],
            "the API takes any string",
        ),
        (
            "openai",
            [calling(call(function={"arguments": "[" * 99_999})), tool("a")],
            [(0, "4")],
            "what nests too deep to be read isn't JSON, and no reason to stop",
        ),
        ("anthropic", [USER, USER], [(1, "2")], "consecutive turns are merged"),
        ("anthropic", [USER, SAID, SAID, USER], [(2, "2")], "of either role"),
        ("anthropic", [USER, calls("a"), tool("a"), USER], [(3, "2")], "results are a user turn"),
        ("anthropic", [SAID, USER], [(0, "3")], "an error only in the strict variant"),
        ("anthropic", [USER, SAID], [(2, "8")], "a prefill, which some models refuse"),
    ],
)  # fmt: skip
def test_what_is_not_refused_everywhere_is_a_warning(
    profile: str, messages: list[Any], expected: list[tuple[int, str]], reason: str
) -> None:
    assert warnings(profile, messages) == expected, reason
    assert faults(profile, messages) == []


def test_every_rule_that_a_chat_message_can_break_has_a_case() -> None:
    """Rules 9 of Chat Completions (a freedom) and 8 to 10 of Messages aren't about errors here."""
    rules = {(profile, rule) for profile, _, found, _ in BROKEN for _, rule in found}
    assert rules == {
        *(("openai", str(rule)) for rule in range(1, 9)),
        *(("anthropic", rule) for rule in "14567"),
        *(("anthropic-strict", rule) for rule in "36"),
        *(("gemini", rule) for rule in "123"),
        *(("strict-template", rule) for rule in "1234"),
    }


SPOKEN = [USER, SYSTEM, SAID, user(""), assistant(""), assistant("x "), assistant(None)]
WORKED = [calls("a"), calls("b"), calls("a", "b"), tool("a"), tool("b"), tool("c")]
MESSAGE = st.sampled_from([*SPOKEN, *WORKED, {"role": "human", "content": "x"}])


def _cut(conversation: Conversation, length: int, data: st.DataObject) -> View:
    """A view of some stretches of a conversation, with loose messages between them."""
    view = conversation.view(0, 0)
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, length))
        view += conversation.view(start, data.draw(st.integers(start, length)))
        view += [dict(message) for message in data.draw(st.lists(MESSAGE, max_size=2))]
    return view


@given(st.lists(MESSAGE, max_size=16), st.data())
def test_checking_what_changed_finds_what_checking_everything_finds(
    drawn: list[Any], data: st.DataObject
) -> None:
    conversation = Conversation([dict(message) for message in drawn], TokenCounter())
    shapes = [shape_of(message) for message in conversation.messages]
    view = _cut(conversation, len(drawn), data)
    for profile in PROFILES.values():
        checker = Checker(conversation, profile, shapes)
        assert checker.check(view) == check_messages(list(view), profile)


@given(st.lists(MESSAGE, min_size=4, max_size=16), st.data())
def test_ways_that_are_kept_lead_to_the_same_findings(
    drawn: list[Any], data: st.DataObject
) -> None:
    conversation = Conversation([dict(message) for message in drawn], TokenCounter())
    shapes = [shape_of(message) for message in conversation.messages]
    checkers = [Checker(conversation, profile, shapes) for profile in PROFILES.values()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("compaction_eval.eval.checking.LONG_WAY", 1)
        patch.setattr("compaction_eval.eval.checking.TRACKS_KEPT", 2)
        for _ in range(4):
            view = _cut(conversation, len(drawn), data)
            for checker in checkers:
                assert checker.check(view) == check_messages(list(view), checker.profile)


def test_a_long_tool_loop_without_its_request_is_read_once() -> None:
    """A template that waits for the next user message never meets the script's own state there."""
    rounds = 400
    messages = [SYSTEM, USER] + [calls("a"), tool("a")] * rounds
    conversation = Conversation([dict(message) for message in messages], TokenCounter())
    strict = PROFILES["strict-template"]

    class Counted:
        steps = 0
        name, start, finish = strict.name, strict.start, strict.finish

        def step(self, state: Any, shape: Any) -> Any:
            Counted.steps += 1
            return strict.step(state, shape)

    checker = Checker(conversation, Counted(), [shape_of(one) for one in conversation.messages])
    Counted.steps = 0
    for at in range(200, 2 + 2 * rounds, 2):
        checker.check(conversation.view(0, 1) + conversation.view(at // 2 * 2 - 100, at))
    assert Counted.steps < 3 * len(messages)


def test_a_long_stretch_of_the_script_isnt_stepped_through() -> None:
    """A request costs what was cut, not what was kept."""
    messages = [SYSTEM, USER] + [calls("a"), tool("a"), SAID, USER] * 200
    conversation = Conversation([dict(message) for message in messages], TokenCounter())

    class Counted:
        steps = 0
        name, start = PROFILES["openai"].name, PROFILES["openai"].start

        def step(self, state: Any, shape: Any) -> Any:
            Counted.steps += 1
            return PROFILES["openai"].step(state, shape)

        def finish(self, state: Any) -> Any:
            return PROFILES["openai"].finish(state)

    checker = Checker(conversation, Counted(), [shape_of(one) for one in conversation.messages])
    Counted.steps = 0
    view = conversation.view(0, 1) + conversation.adopt([user("A summary.")])
    view += conversation.view(403, 802)
    assert [(place, fault.rule) for place, fault in checker.check(view)] == [(2, "6")]
    assert Counted.steps < 5
