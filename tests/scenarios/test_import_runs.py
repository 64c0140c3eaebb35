"""Recorded runs of SWE-agent, OpenHands and tau-bench become conversations."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Account, Imported
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.loader import load_file

PROMPT = {"role": "system", "content": "You mend pumps.", "agent": "main"}


def read(folder: Path, value: Any, name: str, form: str) -> Imported:
    path = folder / name
    path.write_text(json.dumps(value), "utf-8")
    return import_file(find_formats(form), path)


def swe(folder: Path, value: Any) -> Imported:
    return read(folder, value, "pump.traj", "swe-agent")


def hands(folder: Path, value: Any) -> Imported:
    return read(folder, value, "pump.json", "openhands")


def messages(imported: Imported) -> list[Any]:
    (conversation,) = imported.conversations
    return list(conversation.messages)


def call(id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_a_text_action_stays_in_the_words_of_the_model(tmp_path: Path) -> None:
    words = "The valve first.\n```\ncat valve.cfg\n```"
    acting = {"thought": "The valve first.", "action": "cat valve.cfg", "agent": "main"}
    history = [
        PROMPT,
        {"role": "user", "content": "Pump 7 leaks.", "agent": "main"},
        {"role": "assistant", "content": words, **acting},
    ]
    imported = swe(tmp_path, {"history": history, "trajectory": [], "info": {}})
    assert messages(imported) == [
        {"role": "system", "content": "You mend pumps."},
        {"role": "user", "content": "Pump 7 leaks."},
        {"role": "assistant", "content": words},
    ]
    assert imported.conversations[0].name == "pump"
    assert imported.account == Account(kept=3)


def test_a_tool_message_answers_the_call_that_it_names(tmp_path: Path) -> None:
    calling = call("c9", "open", '{"path": "valve.cfg"}')
    history = [
        PROMPT,
        {"role": "assistant", "content": "", "tool_calls": [calling], "message_type": "action"},
        {"role": "tool", "content": "psi: 40", "tool_call_ids": ["c9"]},
    ]
    assert messages(swe(tmp_path, {"history": history}))[1:] == [
        {"role": "assistant", "content": "", "tool_calls": [calling]},
        {"role": "tool", "content": "psi: 40", "tool_call_id": "c9"},
    ]


def test_each_agent_has_a_conversation_of_its_own(tmp_path: Path) -> None:
    helper = {"role": "user", "content": "Sum it up.", "agent": "helper"}
    imported = swe(tmp_path, {"history": [PROMPT, helper, {**helper, "agent": "main"}]})
    assert {each.name: len(each.messages) for each in imported.conversations} == {
        "pump-main": 2,
        "pump-helper": 1,
    }


def test_steps_are_told_where_there_is_no_history(tmp_path: Path) -> None:
    steps = [
        {"action": "ls", "observation": "valve.cfg", "response": "I look.\nls"},
        {"action": "submit", "thought": "Done.", "observation": ""},
    ]
    imported = swe(tmp_path, {"trajectory": steps, "info": {}})
    assert messages(imported) == [
        {"role": "assistant", "content": "I look.\nls"},
        {"role": "user", "content": "valve.cfg"},
        {"role": "assistant", "content": "Done.\nsubmit"},
    ]
    assert imported.account.repaired == (("history made from the steps", 1),)


def test_what_is_no_message_of_a_history_is_counted(tmp_path: Path) -> None:
    thinking = {"role": "assistant", "content": "", "thought": "Hm.", "thinking_blocks": [{}]}
    imported = swe(tmp_path, {"history": [PROMPT, 7, {"role": "judge"}, thinking]})
    assert imported.account == Account(
        kept=2,
        skipped=(("not an object", 1), ("unknown role 'judge'", 1)),
        repaired=(("thinking left out", 1), ("thought taken for the missing content", 1)),
    )


def event(id: int, source: str = "agent", **keys: Any) -> dict[str, Any]:
    return {"id": id, "source": source, "message": "", **keys}


def recorded(*calls: dict[str, Any], of: str, content: str | None = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "tool_calls": list(calls)}
    response = {"id": "r1", "choices": [{"message": message}]}
    return {"tool_call_id": of, "function_name": "run", "model_response": response}


ASKED = event(0, "user", action="message", args={"content": "Which pump leaks?"})


def test_parallel_calls_of_one_response_are_one_message(tmp_path: Path) -> None:
    one, two = call("t1", "run", '{"command": "ls"}'), call("t2", "run", '{"command": "df"}')
    never = call("t3", "run", '{"command": "rm"}')
    kept = {of: recorded(one, two, never, of=of, content="I look.") for of in ("t1", "t2")}
    stream = [
        ASKED,
        event(1, action="run", args={"command": "ls"}, tool_call_metadata=kept["t1"]),
        event(2, observation="run", content="pump-7", cause=1, extras={}),
        event(3, action="run", args={"command": "df"}, tool_call_metadata=kept["t2"]),
        event(4, observation="run", content="40%", cause=3, extras={}),
    ]
    imported = hands(tmp_path, stream)
    assert messages(imported) == [
        {"role": "user", "content": "Which pump leaks?"},
        {"role": "assistant", "content": "I look.", "tool_calls": [one, two]},
        {"role": "tool", "tool_call_id": "t1", "content": "pump-7"},
        {"role": "tool", "tool_call_id": "t2", "content": "40%"},
    ]
    assert imported.account.repaired == (("parallel calls put into one message", 1),)


def test_an_action_without_a_call_becomes_one(tmp_path: Path) -> None:
    args = {"command": "ls", "thought": "I look.", "hidden": False}
    stream = [
        ASKED,
        event(5, action="run", args=args),
        event(6, observation="run", content="pump-7", cause=5),
    ]
    imported = hands(tmp_path, {"history": stream})
    assert messages(imported)[1:] == [
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [call("event_5", "run", '{"command": "ls"}')],
        },
        {"role": "tool", "tool_call_id": "event_5", "content": "pump-7"},
    ]
    assert imported.account.repaired == (("call made from its action", 1),)


def test_the_end_of_the_work_is_what_the_agent_says_then(tmp_path: Path) -> None:
    ending = event(1, action="finish", args={"final_thought": "Pump 7."})
    ending["tool_call_metadata"] = recorded(call("t1", "finish", "{}"), of="t1")
    imported = hands(tmp_path, [ASKED, ending])
    assert messages(imported)[1:] == [{"role": "assistant", "content": "Pump 7."}]
    assert imported.account.repaired == (("call of finish made the text that it says", 1),)


def test_what_the_model_was_never_shown_is_skipped_by_name(tmp_path: Path) -> None:
    stream = [
        event(0, "environment", observation="agent_state_changed", content="", extras={}),
        ASKED,
        event(2, "user", action="recall", args={}),
        event(3, "user", action="run", args={"command": "ls"}),
        event(4, "user", action="message", args={"content": " "}),
        "noise",
    ]
    assert hands(tmp_path, stream).account == Account(
        kept=1,
        skipped=(
            ("event 'agent_state_changed'", 1),
            ("event 'message' without text", 1),
            ("event 'recall'", 1),
            ("event 'run'", 1),
            ("not an object", 1),
        ),
    )


def test_the_tools_of_a_stream_are_kept_once(tmp_path: Path) -> None:
    tool = {"type": "function", "function": {"name": "run"}}
    args = {"content": "You help.", "tools": [tool, tool, {"type": "web"}]}
    imported = hands(tmp_path, [event(0, action="system", args=args), ASKED])
    assert imported.conversations[0].tools == (tool,)
    assert dict(imported.account.skipped) == {
        "tool given twice": 1,
        "tool without a usable name": 1,
    }


@pytest.mark.parametrize("odd", [None, 7, "x", [], {}, [None], {"choices": 7}])
def test_an_odd_value_anywhere_in_an_event_breaks_nothing(tmp_path: Path, odd: Any) -> None:
    kept = recorded(call("t1", "run", "{}"), of="t1")
    good = event(1, action="run", args={"command": "ls"}, tool_call_metadata=kept)
    system = event(9, action="system", args={"content": "You help.", "tools": odd})
    events = [{**good, key: odd} for key in ("id", "args", "tool_call_metadata", "source")]
    events.append({**good, "tool_call_metadata": {**kept, "model_response": odd}})
    events.append(event(2, observation="run", content=odd, cause=1))
    imported = hands(tmp_path, [ASKED, system, good, *events])
    assert messages(imported)[0] == {"role": "user", "content": "Which pump leaks?"}


def test_a_trajectory_of_tau_bench_is_what_the_openai_format_makes_of_it(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    runs = [{"task_id": 3, "trial": t, "reward": 0.5, "traj": talk, "info": {}} for t in (0, 1)]
    imported = read(tmp_path, runs, "air.json", "tau-bench")
    assert [each.name for each in imported.conversations] == [
        "air-task-3-trial-0",
        "air-task-3-trial-1",
    ]
    assert imported == read(tmp_path, runs, "air.json", "openai")


@pytest.mark.parametrize("form", ["swe-agent", "openhands"])
def test_what_is_imported_loads_and_twice_gives_the_same_bytes(tmp_path: Path, form: str) -> None:
    values: dict[str, Any] = {
        "swe-agent": {"history": [PROMPT, {"role": "user", "content": "Go.", "agent": "main"}]},
        "openhands": [ASKED, event(1, action="run", args={"command": "ls"})],
    }
    first, again = (
        scenario_files(read(tmp_path, values[form], "pump.json", form).conversations[0], "pump")
        for _ in range(2)
    )
    assert first == again
    for name, content in first.items():
        (tmp_path / name).write_bytes(content)
    assert len(load_file(tmp_path / "pump.yaml")[0].messages) == 2
