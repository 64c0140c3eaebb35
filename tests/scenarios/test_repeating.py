"""Which values a repeated call would have told the agent again."""

import json
from typing import Any

import pytest

from compaction_eval.scenarios.reuse import reuse_probes
from compaction_eval.scenarios.shell_reading import only_reads
from compaction_eval.strategies.messages import Message


def call(tool: str, arguments: object, id: str = "c") -> Any:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    calls = [{"id": id, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(text: str, id: str = "c") -> Message:
    return {"role": "tool", "tool_call_id": id, "content": text}


def talk(text: str) -> list[Message]:
    return [{"role": "assistant", "content": "Well."}, {"role": "user", "content": text}]


def recoverable(*before: Message, after: tuple[Message, ...] = ()) -> bool:
    """Whether the order K7Q2, used some messages later, could have been had again."""
    messages = [*before, *talk("Go on."), call("send", {"order": "K7Q2"}, "s"), *after]
    at = len(before) + 2
    (probe,) = (one for one in reuse_probes(messages) if one.request == at)
    return probe.recoverable


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("get_order", {"user": "ada"}, True),
        ("ReadFile", {"path": "log"}, True),
        ("mcp__mill__list_orders", {}, True),
        ("open", {"path": "log"}, True),
        ("book_order", {"user": "ada"}, False),
        ("get_or_create_order", {"user": "ada"}, False),
        ("open_ticket", {"user": "ada"}, False),
        ("ponder", {"user": "ada"}, False),  # who knows
        ("bash", {"command": "grep order log | head -3"}, True),
        ("bash", {"command": "make order"}, False),
        ("bash", {"cwd": "/srv"}, False),
        ("str_replace_editor", {"command": "view", "path": "log"}, True),
        ("str_replace_editor", {"command": "create", "path": "log"}, False),
    ],
)
def test_a_call_that_only_reads_can_be_made_again(
    tool: str, arguments: dict[str, str], expected: bool
) -> None:
    assert recoverable(call(tool, arguments), result("order K7Q2")) is expected


def test_what_a_person_said_cannot_be_had_again() -> None:
    assert not recoverable({"role": "user", "content": "K7Q2"})


def test_a_result_counts_although_the_agent_repeated_it_since() -> None:
    said: Message = {"role": "assistant", "content": "K7Q2, is it?"}
    assert recoverable(call("get_order", {}), result("K7Q2"), said)


def test_a_call_that_needs_the_value_does_not_tell_it() -> None:
    assert not recoverable(call("get_order", {"order": "K7Q2"}), result("K7Q2: 3 sacks"))


def test_an_unknown_call_can_be_repeated_where_the_agent_did() -> None:
    again = (result("sent", "s"), call("ponder", {"x": 1}, "d"), result("K7Q2", "d"))
    assert recoverable(call("ponder", {"x": 1}), result("K7Q2"), after=again)


def test_a_repeated_call_that_tells_something_else_by_then_does_not_help() -> None:
    again = (result("sent", "s"), call("get_order", {"x": 1}, "d"), result("none", "d"))
    assert not recoverable(call("get_order", {"x": 1}), result("K7Q2"), after=again)


def test_the_same_tool_with_other_arguments_is_no_repetition() -> None:
    other = (result("sent", "s"), call("get_order", {"x": 2}, "d"), result("none", "d"))
    assert recoverable(call("get_order", {"x": 1}), result("K7Q2"), after=other)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat a.txt", True),
        ("cd /srv && ls -la | wc -l", True),
        ("LANG=C grep -rn 'a > b' src 2>/dev/null", True),
        ("sed -n 1,20p a.txt", True),
        ("git log --oneline; git status", True),
        ("find . -name '*.py'", True),
        ("cat a.txt > b.txt", False),
        ("cat <<EOF", False),
        ("sed -i s/a/b/ a.txt", False),
        ("find . -delete", False),
        ("git commit -m x", False),
        ("ls; rm a.txt", False),
        ("ls $(rm a.txt)", False),
        ("make", False),
        ("sleep 9 &", False),
        ("", False),
    ],
)
def test_a_command_only_reads_where_each_of_its_parts_does(command: str, expected: bool) -> None:
    assert only_reads(command) is expected
