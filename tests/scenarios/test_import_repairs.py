"""What becomes of each odd message: kept, mended or skipped, and always accounted for."""

from typing import Any

import pytest

from compaction_eval.scenarios.importers.repairs import clean
from compaction_eval.strategies.blocks import blocks
from compaction_eval.strategies.tokens import TokenCounter

USER = {"role": "user", "content": "Look."}


def call(call_id: object = "call_a", name: str = "look", **more: Any) -> dict[str, Any]:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": "{}"},
        **more,
    }


def asks(*calls: object, content: object = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(call_id: object = "call_a", content: object = "ok", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def without(message: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != key}


DEEP: list[Any] = []
for _ in range(200):
    DEEP = [DEEP]


def test_good_messages_stay_as_they_are_with_keys_that_nobody_knows() -> None:
    good = [
        {"role": "developer", "content": [{"type": "text", "text": "Help."}], "mood": {"x": [1]}},
        {"role": "user", "content": " ", "name": "Ada"},
        asks(call(), call("call_b", index=1), content="Let me look."),
        asks({"id": "call_c", "type": "custom", "custom": {"name": "patch", "input": "- a\n+ b"}}),
        result("call_c"),
        result("call_b"),
        result(content=""),
        {"role": "assistant", "content": None, "refusal": "No."},
    ]
    cleaned = clean(good)
    assert (cleaned.messages, cleaned.skipped, cleaned.repaired) == (good, [], [])


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("text", "not an object"),
        (None, "not an object"),
        ({"content": "Hi."}, "no role"),
        ({"role": ["user"], "content": "Hi."}, "no role"),
        ({"role": "human", "content": "Hi."}, "unknown role 'human'"),
        ({"role": "h" * 99, "content": "Hi."}, f"unknown role '{'h' * 20}'"),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "name": "look", "input": {}}]},
            "content block 'tool_use' of another API",
        ),
        ({"role": "user", "content": ""}, "empty"),
        ({"role": "user", "content": None}, "empty"),
        ({"role": "system"}, "empty"),
        ({"role": "assistant", "content": []}, "empty"),
        ({"role": "user", "content": DEEP}, "nested deeper than 100 levels"),
        (result("call_unknown"), "tool result without its call"),
        (without(result(), "tool_call_id"), "tool result without its call"),
    ],
)
def test_what_is_no_message_is_skipped_with_its_reason(entry: object, reason: str) -> None:
    cleaned = clean([USER, entry])
    assert (cleaned.messages, cleaned.skipped, cleaned.repaired) == ([USER], [reason], [])


@pytest.mark.parametrize(
    ("entry", "mended", "reason"),
    [
        (asks(call(type=None)), asks(call()), "type of a call added"),
        (without(asks(call()), "content"), asks(call()), "content null added beside calls"),
        (
            asks({"id": "call_a", "type": "function", "name": "look", "arguments": "{}"}),
            asks(call()),
            "name and arguments of a call put under 'function'",
        ),
        (
            asks(call(function={"name": "look", "arguments": {"path": "ü", "n": [1, True]}})),
            asks(call(function={"name": "look", "arguments": '{"path": "ü", "n": [1, true]}'})),
            "arguments of a call made text",
        ),
        (
            asks(call(function={"name": "look"})),
            asks(call(function={"name": "look", "arguments": ""})),
            "arguments of a call made text",
        ),
        (asks(call(), "x"), asks(call()), "call without a name removed"),
        (asks(call(), call("b", "")), asks(call()), "call without a name removed"),
        (asks(call(7)), asks(call("7")), "id made text"),
        (asks(call(name="天气")), asks(call(name="u5929u6c14")), "tool name made ASCII"),
        (
            {"role": "assistant", "content": "Hi.", "tool_calls": None},
            {"role": "assistant", "content": "Hi."},
            "tool_calls without a call removed",
        ),
        (
            {"role": "user", "content": {"text": "Hi."}},
            {"role": "user", "content": '{"text": "Hi."}'},
            "content made text",
        ),
    ],
)
def test_what_needs_no_guess_is_mended_and_counts_the_same(
    entry: dict[str, Any], mended: dict[str, Any], reason: str
) -> None:
    cleaned = clean([entry])
    assert (cleaned.messages, cleaned.skipped, cleaned.repaired) == ([mended], [], [reason])


def test_making_arguments_text_costs_no_token() -> None:
    entry: Any = asks(call(function={"name": "look", "arguments": {"path": "ü", "n": [1, True]}}))
    assert TokenCounter().messages(clean([entry]).messages) == TokenCounter().messages([entry])


@pytest.mark.parametrize("arguments", ["{broken", "", "not JSON", '{"a":1,  "a":2}', "\x00\ud800"])
def test_arguments_that_are_text_stand_as_they_are(arguments: str) -> None:
    entry = asks(call(function={"name": "look", "arguments": arguments}))
    cleaned = clean([entry])
    assert (cleaned.messages, cleaned.repaired) == ([entry], [])


def test_the_original_is_not_changed() -> None:
    entry = asks(call(None, function={"name": "look", "arguments": {}}))
    clean([entry, without(result(), "tool_call_id")])
    assert entry == asks(call(None, function={"name": "look", "arguments": {}}))


def answers(*entries: object) -> list[str]:
    """For each result that is kept, in order, the tool of the call that it answers."""
    messages: Any = clean(entries).messages
    tools = []
    for block in blocks(messages):
        names = {c["id"]: c["function"]["name"] for c in messages[block[0]].get("tool_calls", ())}
        tools += [(at, names[messages[at]["tool_call_id"]]) for at in block[1:]]
    return [tool for _, tool in sorted(tools)]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([asks(call(None)), result(None)], ["look"]),
        ([asks(call(None)), result("x")], ["look"]),
        ([asks(call("x")), result(None)], ["look"]),
        ([asks(call(None), call(None, "find")), result(None), result(None)], ["look", "find"]),
        (
            [asks(call(None), call(None, "find")), result(None, name="find"), result(None)],
            ["find", "look"],
        ),
        ([asks(call(None), call("b", "find")), result("b"), result(None)], ["find", "look"]),
        ([asks(call(None), call(None, "find")), result("p"), result("q")], ["look", "find"]),
        ([asks(call(3)), result(3)], ["look"]),
        ([asks(call("3")), result(3)], ["look"]),
        # One id used again and again: the nearest earlier call is meant.
        ([asks(call()), result(), asks(call(name="find")), result()], ["look", "find"]),
    ],
)
def test_results_answer_the_calls_before_them(entries: list[Any], expected: list[str]) -> None:
    assert answers(USER, *entries) == expected
    assert clean(entries).skipped == []


def test_new_ids_never_meet_an_id_that_is_there() -> None:
    cleaned: Any = clean([asks(call("call_1")), result("call_1"), asks(call(None)), result(None)])
    ids = [c["id"] for message in cleaned.messages for c in message.get("tool_calls", ())]
    assert ids == ["call_1", "call_2"]


def test_a_conversation_that_starts_inside_a_tool_block_loses_only_the_results() -> None:
    cleaned = clean([result("call_x"), result("call_y"), USER, asks(call()), result()])
    assert cleaned.messages == [USER, asks(call()), result()]
    assert cleaned.skipped == ["tool result without its call"] * 2
