"""`auto` tells formats apart by content: each sample is taken by its own format and no other."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import FORMATS
from compaction_eval.scenarios.importers.documents import read_document

HI: Any = {"role": "user", "content": "Hi."}
HELLO: Any = {"role": "assistant", "content": "Hello."}
CALLS: Any = {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}
THINKS: Any = {"type": "thinking", "thinking": "Hm."}
USE: Any = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
RESULT: Any = {"type": "tool_result", "tool_use_id": "a", "content": "1"}
LOGGED: Any = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]}
LC: Any = {
    "lc": 1,
    "type": "constructor",
    "id": ["langchain", "schema", "messages", "HumanMessage"],
    "kwargs": {"content": "Hi."},
}
SAMPLES: list[tuple[str, str, list[Any]]] = [
    ("openai", "a.json", [[HI, HELLO]]),
    ("openai", "a.jsonl", [HI, HELLO]),
    ("openai", "a.json", [{"messages": [HI, CALLS], "tools": [{"name": "f"}]}]),
    ("openai", "a.json", [[{"traj": [HI, CALLS], "task_id": 1}]]),
    ("openai", "a.jsonl", [{"request": {"messages": [HI]}, "response": {"choices": []}}]),
    ("openai", "a.json", [[HI, CALLS, {"role": "assistant", "content": [THINKS]}]]),
    ("openai", "a.json", [[{"role": "system", "content": [{"type": "text", "text": "x"}]}, HI]]),
    ("anthropic", "a.json", [[HI, {"role": "assistant", "content": [USE]}]]),
    ("anthropic", "a.jsonl", [HI, {"role": "assistant", "content": [THINKS]}]),
    ("anthropic", "a.json", [{"system": "Be brief.", "messages": [HI, HELLO]}]),
    ("anthropic", "a.json", [{"messages": [{"role": "user", "content": [RESULT]}]}]),
    ("anthropic", "a.jsonl", [{"messages": [HI], "tools": [{"name": "f", "input_schema": {}}]}]),
    ("anthropic", "a.jsonl", [{"request": {"messages": [HI]}, "response": LOGGED}]),
    (
        "claude-code",
        "a.jsonl",
        [{"type": "summary"}, {"type": "user", "sessionId": "s", "message": HI}],
    ),
    ("claude-code", "a.jsonl", [{"type": "assistant", "session_id": "s", "message": LOGGED}]),
    ("claude-code", "a.json", [[{"type": "user", "parentUuid": None, "message": HI}]]),
    ("pi", "a.jsonl", [{"type": "session", "id": "s"}, {"type": "message", "message": HI}]),
    ("pi", "a.jsonl", [{"type": "message", "message": {"role": "toolResult", "content": []}}]),
    ("langchain", "a.json", [[LC]]),
    ("langchain", "a.jsonl", [LC]),
    ("langchain", "a.json", [[{"type": "human", "data": {"content": "Hi."}}]]),
    ("langchain", "a.json", [{"messages": [{"type": "ai", "content": "Hi."}]}]),
]


def write(folder: Path, name: str, values: list[Any]) -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values))
    return path


@pytest.mark.parametrize(("name", "file", "values"), SAMPLES)
def test_a_sample_is_taken_by_its_own_format_alone(
    tmp_path: Path, name: str, file: str, values: list[Any]
) -> None:
    document = read_document(write(tmp_path, file, values))
    takers = [each for each, format in FORMATS.items() if format.recognises(document)]
    assert takers == [name]


@pytest.mark.parametrize(
    "values",
    [
        [{"type": "session", "id": "s"}],
        [{"type": "user", "message": "words"}],
        [{"type": "system", "content": "Be brief."}],
        [{"messages": [{"from": "human", "value": "Hi."}]}],
        [{"response": {"choices": [{"message": HI}]}}],
        [7, None, "words", [], {}],
    ],
)
def test_what_is_in_no_format_is_taken_by_none(tmp_path: Path, values: list[Any]) -> None:
    document = read_document(write(tmp_path, "a.jsonl", values))
    assert [each for each, format in FORMATS.items() if format.recognises(document)] == []
