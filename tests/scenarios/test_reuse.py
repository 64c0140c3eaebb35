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


def in_words(said: str, text: str) -> list[str]:
    """The values probed in the agent's words when `said` was said some messages before."""
    messages = [user(said), agent("Let me look."), user("Go on."), agent(text)]
    return [probe.value for probe in reuse_probes(messages, (), text=True)]


@pytest.mark.parametrize(
    ("said", "text", "expected"),
    [
        ("See lib/pump/valve.py.", "I mended `lib/pump/valve.py`.", ["lib/pump/valve.py"]),
        ("Order KX72Q9.", "Your order **KX72Q9** is on its way.", ["KX72Q9"]),
        ("It cost 1,372.50.", "You paid $1,372.50.", ["1,372.50"]),
        ("It cost 1,500.", "You paid 1,500.", []),  # round
        ("Since 1987.", "It runs since 1987.", []),  # a year
        ("See README.md and/or so.", "I read README.md and/or so.", []),
        ("At 100ms, v1.2.3.", "It takes 100ms in v1.2.3.", []),
        ("See pump.level.", "It reads pump.level.", []),
        ("Call drain_all_tanks now.", "I call drain_all_tanks().", ["drain_all_tanks"]),
        (
            "It says 'the third valve leaks again'.",
            'Log: "the third valve leaks again".',
            ["the third valve leaks again"],
        ),
        ("Reach ada@mill.test.", "I wrote to ada@mill.test.", ["ada@mill.test"]),
        ("电话 0571-8642-1733。", "电话是0571-8642-1733。", ["0571-8642-1733"]),
        ("Nothing.", "I mended lib/pump/valve.py.", []),
    ],
)
def test_the_agents_own_words_are_probed_for_what_no_one_writes_by_chance(
    said: str, text: str, expected: list[str]
) -> None:
    assert in_words(said, text) == expected


def test_words_are_probed_only_where_that_is_asked_for() -> None:
    messages = [user("Order KX72Q9."), agent("Well."), user("Yes."), agent("KX72Q9 it is.")]
    assert reuse_probes(messages) == ()
    (probe,) = reuse_probes(messages, text=True)
    assert (probe.id, probe.where, probe.tool) == ("reuse-text-3-1", "text", "")


def test_what_only_the_agent_said_is_not_probed_in_its_words() -> None:
    messages = [user("Book."), agent("Say KX72Q9?"), user("Yes."), agent("KX72Q9 it is.")]
    assert reuse_probes(messages, text=True) == ()


def test_a_value_that_a_call_uses_is_not_probed_in_the_words_beside_it() -> None:
    both = call({"path": "lib/pump/valve.py"})
    both["content"] = "I open valve.py, that is lib/pump/valve.py."
    messages = [user("See lib/pump/valve.py."), agent("Well."), user("Go on."), both]
    assert [probe.where for probe in reuse_probes(messages, text=True)] == ["call"]


def test_who_sees_the_end_of_a_path_knows_it_for_the_words_but_not_for_a_call() -> None:
    before = [user("See lib/pump/valve.py."), agent("Well."), user("In valve.py, please.")]
    (words,) = reuse_probes([*before, agent("I mend lib/pump/valve.py.")], text=True)
    (called,) = reuse_probes([*before, call({"path": "lib/pump/valve.py"})])
    assert (words.free, called.free) == (True, False)


def test_the_name_of_a_tool_is_no_value() -> None:
    messages = [
        user("Use drain_all_tanks."),
        call({"x": 1}, "drain_all_tanks"),
        result("ok"),
        user("And?"),
        agent("I use drain_all_tanks."),
    ]
    assert reuse_probes(messages, text=True) == ()


@pytest.mark.parametrize(
    ("tool", "arguments", "where"),
    [
        ("write_file", {"path": "a.txt", "content": "see /srv/mill/log now"}, "file"),
        ("Edit", {"file_path": "a.txt", "new_string": "see /srv/mill/log now"}, "file"),
        ("apply_patch", {"input": "+ see /srv/mill/log now"}, "file"),
        ("write_file", {"path": "/srv/mill/log"}, "call"),
        ("create_ticket", {"text": "see /srv/mill/log now"}, "call"),
        ("bash", {"command": "cat /srv/mill/log"}, "call"),
    ],
)
def test_a_probe_says_where_its_value_was_used(
    tool: str, arguments: dict[str, Any], where: str
) -> None:
    messages = [user("It is /srv/mill/log."), agent("Well."), user("Go."), call(arguments, tool)]
    assert [probe.where for probe in reuse_probes(messages)] == [where]


@pytest.mark.parametrize(
    ("arguments", "chance"),
    [
        ({"path": "a/bc"}, False),  # a whole argument is meant
        ({"path": "README.md"}, True),
        ({"limit": 2000}, True),
        ({"amount": 1372}, False),
        ({"text": "pad by 0.75rem here"}, True),
        ({"text": "pad drain_all_tanks here"}, False),
    ],
)
def test_a_value_that_may_be_there_by_chance_is_marked(
    arguments: dict[str, Any], chance: bool
) -> None:
    said = "a/bc README.md 2000 1372 0.75rem drain_all_tanks"
    messages = [user(said), agent("Well."), user("Go."), call(arguments)]
    assert [probe.chance for probe in reuse_probes(messages)] == [chance]


def test_what_only_the_agent_said_may_be_known_without_any_message() -> None:
    messages = [user("Book."), agent("Say KX72Q9?"), user("Yes."), call({"order": "KX72Q9"})]
    (probe,) = reuse_probes(messages)
    assert (probe.own, probe.chance) == (True, True)


def test_ids_tell_request_and_number() -> None:
    messages = [user("K7Q2 and M9X4"), *AFTER[:2], call({"a": "K7Q2", "b": "M9X4"})]
    assert [probe.id for probe in reuse_probes(messages, ())] == ["reuse-3-1", "reuse-3-2"]
