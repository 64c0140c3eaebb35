"""Which recorded values are given away by what is in view anyway, in parts or by convention."""

import json
from typing import Any

import pytest

from compaction_eval.scenarios.records import ReuseProbe
from compaction_eval.scenarios.reuse import reuse_probes
from compaction_eval.strategies.messages import Message


def call(tool: str, *arguments: str, say: str | None = None, id: str = "call_1") -> Any:
    calls = [
        {
            "id": id,
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps({"path": "a.md", f"{at}": one})},
        }
        for at, one in enumerate(arguments)
    ]
    return {"role": "assistant", "content": say, "tool_calls": calls}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


WELL: Message = {"role": "assistant", "content": "Well."}


def probe_of(
    value: str, newest: str, used: str, *, system: str = "", tool: str = "x"
) -> ReuseProbe:
    """The probe of a value said first, then used in a call behind a message with `newest`."""
    start = [{"role": "system", "content": system}] if system else []
    messages = [*start, user(f"It is {value} there."), WELL, user(newest), call(tool, used)]
    return next(one for one in reuse_probes(messages) if one.value == value)


@pytest.mark.parametrize(
    ("path", "newest", "given"),
    [
        ("/srv/mill/lib/pump.py", "$ cd /srv/mill && grep -n x lib/pump.py", True),
        ("/srv/mill/lib/pump.py", "$ ls /srv/mill/lib: pump.py valve.py", True),
        ("/srv/mill/lib/pump.py", "In /srv/mill/lib/valve.py: see ./pump.py", True),
        ("/srv/mill/lib/pump.py", "In /srv/mill: see old/lib/pump.py", False),
        ("/srv/mill/lib/pump.py", "In /srv/mill.d: see lib/pump.py", False),
        ("/srv/mill/lib/pump.py", "In /srv/mill: see lib/pump.py.bak", False),
        ("/srv/mill/lib/pump.py", "In /srv/mill", False),
        ("/srv/mill/lib/pump.py", "See lib/pump.py", False),
        ("/srv/mill/lib/pump.py", "See mill/lib/pump.py", True),  # only the root is missing
        ("acme/mill/lib/pump.py", "See mill/lib/pump.py", False),  # which is none here
        ("lib/pump.py", "The lib is fine, see pump.py", False),  # a word, no folder
        ("/srv/mill/tests", "In /srv/mill all tests pass", False),  # a word, no name of a folder
        ("lib/pump.py", "Both lib/valve.py and pump.py", True),
    ],
)
def test_a_path_whose_folder_and_rest_stand_in_the_newest_block_may_be_put_together(
    path: str, newest: str, given: bool
) -> None:
    probe = probe_of(path, newest, path)
    assert (probe.chance, probe.free) == (given, False)


def test_the_folder_may_be_known_from_the_system_prompt() -> None:
    path = "/srv/mill/lib/pump.py"
    assert probe_of(path, "See lib/pump.py", path, system="You work in /srv/mill.").chance


@pytest.mark.parametrize(
    ("value", "newest", "given"),
    [
        ("this.drainAllTanks", "function drainAllTanks() {", True),
        ("mill.drainAllTanks", "function drainAllTanks() {", True),  # any name may stand before it
        ("mill.drainAllTanks", "function drainAllTanksNow() {", False),
        ("mill.drain_all_tanks", "see old_drain_all_tanks", False),
        ("drainAllTanks.fillAllTanks", "function drainAllTanks() {", False),
        ("tank.drain_all_tanks(this.tank_drainer_2", "drain_all_tanks", False),
    ],
)
def test_a_member_whose_made_up_names_stand_in_the_newest_block_is_given_away(
    value: str, newest: str, given: bool
) -> None:
    probe = probe_of(value, newest, f"so {value} it is", tool="write")
    assert (probe.where, probe.chance) == ("file", given)


@pytest.mark.parametrize(
    ("value", "newest", "given"),
    [
        ("pump.level", "the level of the pump", True),
        ("pump.level", "the level of it", False),
        ("ada.king@mill.test", "ada king of the mill and its test", False),
        ("pump.json", "the pump as json", False),
        ("10.20.30.40", "10 20 30 40", False),
        ("KX72Q9", "KX 72 Q9", False),
    ],
)
def test_as_an_argument_only_what_consists_of_several_names_is_taken_apart(
    value: str, newest: str, given: bool
) -> None:
    assert probe_of(value, newest, value).chance is given


@pytest.mark.parametrize(
    ("path", "newest", "given"),
    [
        ("tests/mill/test_pump.py", "changed src/mill/pump.py", True),
        ("test/mill/pump_test.exs", "changed lib/mill/pump.ex.", True),
        ("src/mill/pump.spec.ts", "changed src/mill/pump.ts", True),
        ("tests/test_pump.py", "changed src/mill/pump.py", True),
        ("tests/mill/test_pump.py", "changed src/dyke/pump.py", False),
        ("tests/mill/test_pump.py", "changed src/mill/valve.py", False),
        ("tests/mill/test_pump.py", "reads pump.level of mill", False),
        ("packages/mill/index.ts", "changed packages/mill/pump.ts", True),
        ("packages/mill/index.ts", "changed packages/dyke/pump.ts", False),
        ("packages/mill/valve.ts", "changed packages/mill/pump.ts", False),
    ],
)
def test_a_path_that_follows_by_convention_from_one_in_the_newest_block_is_given_away(
    path: str, newest: str, given: bool
) -> None:
    assert probe_of(path, newest, path).chance is given


def test_a_path_may_follow_from_another_one_of_the_same_message() -> None:
    said = user("See src/mill/pump.py and tests/mill/test_pump.py.")
    messages = [
        said,
        WELL,
        user("Go on."),
        call("x", "src/mill/pump.py", "tests/mill/test_pump.py"),
    ]
    assert [(one.value, one.chance) for one in reuse_probes(messages)] == [
        ("src/mill/pump.py", False),
        ("tests/mill/test_pump.py", True),
    ]


def test_in_words_what_is_given_away_is_free() -> None:
    said = [user("In /srv/mill/test/mill/pump_test.exs."), WELL, user("I see lib/mill/pump.ex.")]
    told: Message = {"role": "assistant", "content": "It is in test/mill/pump_test.exs now."}
    assert [one.free for one in reuse_probes([*said, told], text=True)] == [True]


@pytest.mark.parametrize(
    ("path", "words", "probed"),
    [
        ("/srv/mill/modes/index.tsx", "I mend modes/index.tsx.", []),
        ("/srv/mill/modes/index.tsx", "I mend ./modes/index.tsx.", []),
        ("/srv/mill/modes/index.tsx", "I look into /srv/mill first.", []),
        ("/srv/mill/modes/index.tsx", "I mend odes/index.tsx.", ["odes/index.tsx"]),
        ("/srv/mill/modes/index.tsx", "I mend dyke_pump.tsx.", ["dyke_pump.tsx"]),
    ],
)
def test_a_part_of_a_path_that_a_call_uses_is_not_probed_in_the_words_beside_it(
    path: str, words: str, probed: list[str]
) -> None:
    said = user(f"See {path} and odes/index.tsx, dyke_pump.tsx, ./modes/index.tsx.")
    messages = [said, WELL, user("Go on."), call("x", path, say=words)]
    found = reuse_probes(messages, text=True)
    assert [one.value for one in found if one.where == "text"] == probed


def echoed(first: Message, told: str, later: str = "Go on.", value: str = "KX72Q9") -> bool:
    """Whether the last use of a value is doubtful: `first` is the agent's, `told` its result."""
    result = {"role": "tool", "tool_call_id": "call_1", "content": told}
    messages = [user("Begin."), first, result, WELL, user(later), WELL, user("?"), call("x", value)]
    return reuse_probes(messages)[-1].chance


def test_what_the_agent_came_up_with_stays_its_own_where_a_tool_echoes_it() -> None:
    assert echoed(call("make", "KX72Q9"), "made KX72Q9")
    assert not echoed(call("make", "any"), "made KX72Q9")  # the tool came up with it


def test_what_a_person_says_too_is_no_echo() -> None:
    assert not echoed(call("make", "KX72Q9"), "made KX72Q9", "Yes, KX72Q9.")


def test_what_a_later_call_found_is_no_echo() -> None:
    find = [
        call("find", "all", id="call_2"),
        {"role": "tool", "tool_call_id": "call_2", "content": "KX72Q9"},
    ]
    made = call("make", "KX72Q9")
    done = {"role": "tool", "tool_call_id": "call_1", "content": "done"}
    messages = [user("Go."), made, done, *find, WELL, user("?"), call("x", "KX72Q9")]
    last = reuse_probes(messages)[-1]
    assert (last.own, last.chance) == (False, False)


def test_a_path_that_the_agent_put_together_is_not_its_own_where_its_name_was_known() -> None:
    path = "/srv/mill/lib/pump.py"
    assert echoed(call("read", path), f"no {path}", value=path)
    assert not echoed(call("read", path), f"no {path}", "In pump.py.", value=path)
