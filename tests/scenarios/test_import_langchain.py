"""LangChain's messages in its three ways of writing them."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Imported

CALL = {"name": "look", "args": {"path": "ä.txt"}, "id": "c1", "type": "tool_call"}
FIELDS: list[tuple[str, dict[str, Any]]] = [
    ("system", {"content": "Be brief."}),
    ("human", {"content": [{"type": "text", "text": "Look."}, "Please."]}),
    ("ai", {"content": "", "tool_calls": [CALL], "additional_kwargs": {}}),
    ("tool", {"content": "seen", "tool_call_id": "c1", "status": "success"}),
    ("ai", {"content": [{"type": "text", "text": "Done."}]}),
]
CLASSES = {"human": "Human", "ai": "AI", "system": "System", "tool": "Tool"}
FUNCTION = {"name": "look", "arguments": '{"path": "ä.txt"}'}
EXPECTED = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Look.\nPlease."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": FUNCTION}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "seen"},
    {"role": "assistant", "content": "Done."},
]


def loadable(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    path = ["langchain", "schema", "messages", f"{CLASSES[kind]}Message"]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {**fields, "type": kind}}


LOAD = [loadable(*each) for each in FIELDS]
DICTS = [{"type": kind, "data": {**fields, "type": kind}} for kind, fields in FIELDS]
PLAIN = [{"type": kind, **fields} for kind, fields in FIELDS]


def read(folder: Path, value: Any, name: str = "run.json") -> Imported:
    path = folder / name
    values = value if name.endswith("l") else [value]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in values))
    return import_file(find_formats("langchain"), path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("run.json", LOAD),
        ("run.json", DICTS),
        ("run.json", PLAIN),
        ("run.jsonl", PLAIN),
        ("run.json", {"messages": DICTS}),
        ("run.json", {"values": {"messages": PLAIN}}),
        ("run.json", {"inputs": {"messages": [LOAD]}}),
        ("run.jsonl", [{"chat_history": PLAIN}]),
    ],
)
def test_each_way_of_writing_gives_the_same_messages(tmp_path: Path, name: str, value: Any) -> None:
    imported = read(tmp_path, value, name)
    assert [list(each.messages) for each in imported.conversations] == [EXPECTED]
    assert (imported.account.skipped, imported.account.repaired) == ((), ())


def test_a_call_is_taken_once_wherever_it_is_given(tmp_path: Path) -> None:
    block = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    raw = {"id": "c1", "type": "function", "function": FUNCTION}
    broken = {"name": "look", "args": '{"path": ', "id": "c2", "error": "no JSON"}
    imported = read(
        tmp_path,
        [
            {"type": "human", "content": "Look."},
            {"type": "ai", "content": [block], "tool_calls": [CALL]},
            {"type": "tool", "content": "1", "tool_call_id": "c1"},
            {"type": "AIMessageChunk", "content": "", "additional_kwargs": {"tool_calls": [raw]}},
            {"type": "tool", "content": "2", "tool_call_id": "c1"},
            {"type": "ai", "content": "", "invalid_tool_calls": [broken]},
            {"type": "tool", "content": "3", "tool_call_id": "c2"},
        ],
    )
    messages: Any = imported.conversations[0].messages
    arguments = [
        call["function"]["arguments"] for each in messages for call in each.get("tool_calls", [])
    ]
    assert arguments == ['{"path": "ä.txt"}', '{"path": "ä.txt"}', '{"path": ']
    assert [each["content"] for each in messages if each["role"] == "tool"] == ["1", "2", "3"]


def test_what_is_no_message_is_skipped_by_reason(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        [
            {"type": "human", "content": "Hi."},
            {"type": "remove", "content": "", "id": "1"},
            {"event": "on_chain_start"},
            {"type": "chat", "data": {"role": "narrator", "content": "The end."}},
        ],
    )
    contents = [each["content"] for each in imported.conversations[0].messages]
    assert contents == ["Hi.", "The end."]
    assert dict(imported.account.skipped) == {
        "mark that removes a message": 1,
        "no message of this format": 1,
    }
    assert imported.account.repaired == (("role of a chat message read as 'user'", 1),)
