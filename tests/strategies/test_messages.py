"""What a message says, for well-formed messages and for the odd shapes that real files hold."""

from typing import Any

import pytest

from compaction_eval.strategies.messages import (
    answered_id,
    argument_leaves,
    call_arguments,
    call_ids,
    call_name,
    content_text,
    is_system,
    reading_text,
    role,
    scalar_text,
    tool_calls,
    used_ids,
)


def call(arguments: Any, name: str = "write_file", id: str = "c1") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: Any, content: Any = None) -> Any:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


CUSTOM = {"id": "c9", "type": "custom", "custom": {"name": "run_sql", "input": "select 1;"}}


@pytest.mark.parametrize(
    ("message", "expected", "reason"),
    [
        ({"role": "user", "content": "Port 8443."}, "Port 8443.", "content is its own text"),
        ({"role": "user", "content": None}, "", "null content says nothing"),
        ({"role": "user"}, "", "nor does none"),
        (
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"text": 'say "b"'}]},
            'a\nsay "b"',
            "parts are read scalar by scalar, as they were meant and not as JSON escapes them",
        ),
        (
            calling(call('{"path": "a/b", "n": [75, true], "who": "Mei \\"M\\" \\u5317"}')),
            'write_file\na/b\n75\ntrue\nMei "M" 北',
            "arguments are read decoded, keys are no part of them",
        ),
        (
            calling(call("{}"), call('{"x": 1}', name="run"), content="Look:"),
            "Look:\nwrite_file\nrun\n1",
            "content first, then call by call",
        ),
        (calling(call("{not json")), "write_file\n{not json", "what isn't JSON is one text"),
        (calling(call({"path": "a"})), "write_file\na", "arguments as a mapping"),
        (calling(CUSTOM), "run_sql\nselect 1;", "the plain text of a custom tool"),
        (calling(call(None)), "write_file", "no arguments"),
        (calling(call("null")), "write_file", "null is no value"),
        (calling(call("[" * 100_000)), "write_file\n" + "[" * 100_000, "nor what nests too deep"),
    ],
)
def test_a_message_is_read_in_order(message: Any, expected: str, reason: str) -> None:
    assert reading_text(message) == expected, reason


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("x", "x"),
        (None, ""),
        ([{"type": "text", "text": "你"}], '[{"type": "text", "text": "你"}]'),
    ],
)
def test_content_that_is_no_text_is_its_json(content: Any, expected: str) -> None:
    assert content_text({"role": "user", "content": content}) == expected


@pytest.mark.parametrize(
    ("message", "ids", "used"),
    [
        (calling(call("{}"), call("{}", id="c2")), ["c1", "c2"], ["c1", "c2"]),
        (calling({"type": "function"}), [""], [""]),
        (calling("ls", None, call("{}")), ["c1"], ["c1"]),
        ({"role": "assistant", "content": "x", "tool_calls": None}, [], []),
        ({"role": "assistant", "content": "x", "tool_calls": "ls"}, [], []),
        ({"role": "tool", "tool_call_id": "c1", "content": "x"}, [], ["c1"]),
        ({"role": "tool", "content": "x"}, [], [""]),
        ({"role": "user", "content": "x", "tool_call_id": "c1"}, [], []),
        ({"role": "user", "content": "x", "tool_calls": [call("{}")]}, [], []),
        ({"role": "tool", "tool_call_id": "c1", "tool_calls": [call("{}", id="c2")]}, [], ["c1"]),
        ({"content": "x", "tool_calls": [call("{}")]}, [], []),
    ],
)
def test_calls_and_answers_are_known_by_their_ids(
    message: Any, ids: list[str], used: list[str]
) -> None:
    assert call_ids(message) == ids
    assert used_ids(message) == used


@pytest.mark.parametrize("odd", [{}, {"function": None}, {"function": "f"}, {"function": {}}])
def test_a_call_without_a_function_has_neither_name_nor_arguments(odd: dict[str, Any]) -> None:
    assert (call_name(odd), call_arguments(odd), argument_leaves(odd)) == ("", "", [])


def test_the_role_of_a_message_may_be_missing() -> None:
    nothing: Any = {}
    assert (role(nothing), tool_calls(nothing), answered_id(nothing)) == ("", [], "")


@pytest.mark.parametrize(
    ("name", "expected"), [("system", True), ("developer", True), ("user", False), ("tool", False)]
)
def test_developer_is_the_newer_name_of_system(name: Any, expected: bool) -> None:
    assert is_system({"role": name, "content": "x"}) is expected


@pytest.mark.parametrize(
    ("scalar", "text"), [("a", "a"), (75, "75"), (75.5, "75.5"), (True, "true"), (False, "false")]
)
def test_a_scalar_is_written_as_in_json(scalar: object, text: str) -> None:
    assert scalar_text(scalar) == text


def test_the_name_of_a_content_parts_type_is_no_word_of_the_message() -> None:
    parts = [
        {"type": "text", "text": "See the plan."},
        {"type": "image_url", "image_url": {"url": "https://plans.test/a.png"}},
    ]
    message = {"role": "user", "content": parts}
    assert reading_text(message) == "See the plan.\nhttps://plans.test/a.png"


def test_content_of_any_depth_is_read_and_counted() -> None:
    deep: Any = "the gate is K4"
    for _ in range(20_000):
        deep = {"inner": [deep]}
    message: Any = {"role": "tool", "content": [{"type": "text", "text": deep}]}
    assert reading_text(message) == "the gate is K4"
    assert content_text(message).count('{"inner": [') == 20_000
