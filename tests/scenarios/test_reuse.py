"""Which values of a recorded call count as known from before, and from where."""

import json
from typing import Any

import pytest

from compaction_eval.scenarios.reuse import reuse_probes
from compaction_eval.strategies.messages import Message


def system(text: str) -> Message:
    return {"role": "system", "content": text}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def agent(text: str) -> Message:
    return {"role": "assistant", "content": text}


def call(arguments: object, tool: str = "look_up", call_id: str = "call_1") -> Any:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    calls = [{"id": call_id, "type": "function", "function": {"name": tool, "arguments": text}}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(text: str, call_id: str = "call_1") -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def values(said: str, arguments: object) -> list[str]:
    """The values probed when `said` was said some messages before a call with these arguments."""
    messages = [user(said), agent("Let me look."), user("Go on."), call(arguments)]
    return [probe.value for probe in reuse_probes(messages, ())]


@pytest.mark.parametrize(
    ("said", "arguments", "expected"),
    [
        ("Order K7Q2.", {"order": "K7Q2"}, ["K7Q2"]),
        ("Order k7q2.", {"order": "K7Q2"}, ["K7Q2"]),
        ("Room 401.", {"room": 401}, ["401"]),
        ("Room 41.", {"room": 41}, []),  # two digits stand everywhere
        ("Seat A7.", {"seat": "A7"}, []),  # under four characters
        ("See Lima.", {"city": "Lima"}, []),  # nothing distinctive in it
        ("See a/b.", {"path": "a/b"}, []),
        ("See a/bc.", {"path": "a/bc"}, ["a/bc"]),
        ("It is true, 1true.", {"flag": True}, []),
        ("Costs 1625.0 now.", {"sum": 1625}, []),  # not as it is written there
        ("Costs 1625. Fine.", {"sum": 1625}, ["1625"]),
        ("Costs 1625.5 now.", {"sum": 1625}, []),
        ("In src/app.py.", {"deep": [{"path": "src/app.py"}]}, ["src/app.py"]),
        ("Run src/app.py", {"cmd": "python (src/app.py)!"}, ["src/app.py"]),
        ("Tell ana@acme.test", "no JSON: ana@acme.test", ["ana@acme.test"]),
        ("Costs １２３", {"sum": "123"}, ["123"]),
        ("Order K7Q2.", {"a": "K7Q2", "b": "k7q2"}, ["K7Q2"]),  # once per request and value
        ("Order K7Q2.", {"K7Q2": "none"}, []),  # a key is no value
        ("Nothing of it.", {"order": "K7Q2"}, []),
    ],
)
def test_a_distinctive_value_that_was_said_before_is_probed(
    said: str, arguments: object, expected: list[str]
) -> None:
    assert values(said, arguments) == expected


def test_an_argument_of_more_than_60_characters_is_taken_as_words() -> None:
    sixty = "/" + "a" * 59
    assert values(f"{sixty} {sixty}b", {"path": sixty}) == [sixty]
    longer = f"({sixty})"
    assert values(sixty, {"path": longer}) == [sixty]


def test_the_source_is_the_newest_earlier_message_of_any_role() -> None:
    messages = [user("K7Q2"), agent("K7Q2, right."), user("Yes."), call({"order": "K7Q2"})]
    (probe,) = reuse_probes(messages, ())
    assert (probe.request, probe.source, probe.tool) == (3, 1, "look_up")
    assert not probe.own


def test_a_value_that_only_the_agent_said_is_its_own() -> None:
    messages = [user("Book."), agent("Say K7Q2?"), user("Yes."), call({"order": "K7Q2"})]
    assert [probe.own for probe in reuse_probes(messages, ())] == [True]
    later = [*messages, result("K7Q2 booked"), user("Thanks."), call({"order": "K7Q2"})]
    assert [probe.own for probe in reuse_probes(later, ())] == [True, False]


AFTER = [agent("Well."), user("Go on."), call({"order": "K7Q2"})]


@pytest.mark.parametrize(
    ("before", "tools", "free"),
    [
        ([user("K7Q2"), *AFTER], [], False),
        ([system("Test orders such as K7Q2."), user("Hello."), *AFTER], [], True),
        ([user("K7Q2"), *AFTER], [{"name": "look_up", "enum": ["K7Q2"]}], True),
        ([user("K7Q2"), *AFTER], [{"name": "look_up", "note": "of\nK7Q2"}], True),
        ([user("K7Q2"), call({"order": "K7Q2"})], [], True),
        ([user("K7Q2"), user("Go on."), call({"order": "K7Q2"})], [], False),
        ([agent("K7Q2"), call({"x": 1}), result("1"), call({"order": "K7Q2"})], [], False),
    ],
)
def test_a_value_that_no_strategy_can_lose_is_free(
    before: list[Message], tools: list[dict[str, Any]], free: bool
) -> None:
    assert [probe.free for probe in reuse_probes(before, tools)][-1] is free


def test_the_newest_block_reaches_back_to_the_call_it_answers() -> None:
    messages = [user("K7Q2"), call({"order": "K7Q2"}), result("found"), call({"again": "K7Q2"})]
    assert [probe.free for probe in reuse_probes(messages, ())] == [True, True]


def test_a_late_answer_is_not_yet_part_of_the_newest_block() -> None:
    two: Any = call({"x": 1})
    two["tool_calls"].append({**two["tool_calls"][0], "id": "call_2"})
    late = [
        user("K7Q2"),
        two,
        result("1"),
        call({"a": "K7Q2"}, call_id="c"),
        result("K7Q2", "call_2"),
    ]
    assert [probe.free for probe in reuse_probes(late, ())] == [False]


def test_a_system_message_that_comes_later_frees_nothing_before_it() -> None:
    messages = [user("K7Q2"), *AFTER, result("ok"), system("K7Q2"), user("And?"), *AFTER]
    assert [probe.free for probe in reuse_probes(messages, ())] == [False, True]


def test_ids_tell_request_and_number() -> None:
    messages = [user("K7Q2 and M9X4"), *AFTER[:2], call({"a": "K7Q2", "b": "M9X4"})]
    assert [probe.id for probe in reuse_probes(messages, ())] == ["reuse-3-1", "reuse-3-2"]
