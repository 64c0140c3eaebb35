"""`auto` tells formats apart by content: each sample is taken by its own format and no other."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import FORMATS, import_file
from compaction_eval.scenarios.importers.documents import read_document
from compaction_eval.strategies.errors import ConfigurationError

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
    ("openai", "a.json", [[{"traj": [HI, CALLS], "id": 1}]]),
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
    ("pi", "a.jsonl", [{"type": "message", "message": {"role": "bashExecution", "command": "ls"}}]),
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


# The other formats' examples, which are laid out as files, have their own tests.
@pytest.mark.parametrize("name", ["openai", "anthropic", "claude-code", "pi", "langchain"])
def test_the_example_on_the_page_is_of_its_format(tmp_path: Path, name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "importing.md").read_text("utf-8")
    section = page.split(f"\n### {name}\n")[1].split("\n#")[0]
    example = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    path = tmp_path / "example.log"
    path.write_text("\n".join(example))
    assert example
    document = read_document(path)
    assert [each for each, format in FORMATS.items() if format.recognises(document)] == [name]
    assert len(import_file(FORMATS, path).conversations) == 1


ODD: list[Any] = [None, 7, [], {"type": ["a"]}, [{"type": {}}]]


@pytest.mark.parametrize(("name", "file", "values"), SAMPLES)
def test_an_odd_value_anywhere_is_accounted_for_and_never_a_crash(
    tmp_path: Path, name: str, file: str, values: list[Any]
) -> None:
    read = 0
    for place in places(values):
        for odd in ODD:
            spoiled = json.loads(json.dumps(values))
            holder = spoiled
            for key in place[:-1]:
                holder = holder[key]
            holder[place[-1]] = odd
            path = write(tmp_path, file, spoiled)
            try:
                read += len(import_file(FORMATS, path, keep_going=True).conversations)
            except ConfigurationError:
                continue  # refused in a line is as good
    assert read > 0


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*at, key)
        if isinstance(one, dict | list):
            yield from places(one, (*at, key))
