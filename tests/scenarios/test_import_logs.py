"""Logs of chat completions: requests that go on with each other are one conversation."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Imported

SYSTEM: Any = {"role": "system", "content": "It is noon."}
LATER: Any = {"role": "system", "content": "It is one o'clock."}
ASKS: Any = {"role": "user", "content": "Book K7Q2."}
CALL: Any = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "book", "arguments": "{}"}}
    ],
}
BOOKED: Any = {"role": "tool", "tool_call_id": "a", "content": "booked"}
DONE: Any = {"role": "assistant", "content": "Done."}
TOOL: Any = {"type": "function", "function": {"name": "book"}}
USAGE: Any = {
    "prompt_tokens": 30,
    "completion_tokens": 4,
    "prompt_tokens_details": {"cached_tokens": 10},
}


def response(message: Any, **more: Any) -> dict[str, Any]:
    return {"id": "x", "choices": [{"index": 0, "message": message}], **more}


def read(folder: Path, *entries: Any, name: str = "log.jsonl") -> Imported:
    path = folder / name
    path.write_text("".join(f"{json.dumps(each)}\n" for each in entries))
    return import_file(find_formats("openai"), path)


@pytest.mark.parametrize(
    "entry",
    [
        {"request": {"messages": [ASKS], "tools": [TOOL]}, "response": response(DONE)},
        {"messages": [ASKS], "tools": [TOOL], "choices": [{"message": DONE}]},
        {
            "method": "POST",
            "body": {"messages": [ASKS], "tools": [TOOL]},
            "response": {"status_code": 200, "body": response(DONE)},
        },
        {
            "request": json.dumps({"messages": [ASKS], "tools": [TOOL]}),
            "response": json.dumps(response(DONE)),
        },
        {"input": {"messages": [ASKS], "functions": [{"name": "book"}]}, "output": DONE},
    ],
)
def test_a_logged_request_is_found_in_each_wrapping(tmp_path: Path, entry: Any) -> None:
    imported = read(tmp_path, entry)
    (conversation,) = imported.conversations
    assert list(conversation.messages) == [ASKS, DONE]
    assert conversation.tools in ((TOOL,), ({"name": "book"},))
    assert (imported.account.skipped, imported.account.repaired) == ((), ())


def test_requests_that_repeat_what_was_said_are_one_conversation(tmp_path: Path) -> None:
    answered = {**CALL, "refusal": None, "annotations": []}
    imported = read(
        tmp_path,
        {
            "request": {"messages": [SYSTEM, ASKS]},
            "response": response(answered, usage=USAGE),
        },
        {"request": {"messages": [ASKS]}, "response": response(DONE)},
        {
            "request": {"messages": [LATER, ASKS, {**CALL, "content": ""}, BOOKED]},
            "response": response(DONE, usage=USAGE),
        },
    )
    assert [list(each.messages) for each in imported.conversations] == [
        [LATER, ASKS, {**CALL, "content": ""}, BOOKED, DONE],
        [ASKS, DONE],
    ]
    assert imported.account.repaired == (("request joined to the one that it continues", 1),)
    assert imported.conversations[0].description == (
        "Recorded usage: 2 requests, 60 input tokens (20 read from the cache, 0 written to it), "
        "8 output tokens."
    )


def test_a_request_whose_history_was_rewritten_begins_a_conversation(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        {"request": {"messages": [ASKS]}, "response": response(DONE)},
        {
            "request": {"messages": [{"role": "user", "content": "So far: booked."}, ASKS]},
            "response": response(DONE),
        },
    )
    assert [len(each.messages) for each in imported.conversations] == [2, 3]


def test_a_failed_request_and_further_choices_are_accounted_for(tmp_path: Path) -> None:
    both = {"choices": [{"message": DONE}, {"message": CALL}]}
    imported = read(
        tmp_path,
        {"request": {"messages": [ASKS]}, "response": {"error": "overloaded"}},
        {"request": {"messages": [SYSTEM, ASKS, DONE, ASKS]}, "response": both},
        {"event": "started"},
    )
    assert [len(each.messages) for each in imported.conversations] == [1, 5]
    assert dict(imported.account.skipped) == {
        "entry without messages": 1,
        "further choice of a response": 1,
    }


def test_data_in_parts_becomes_a_placeholder_and_addresses_stay(tmp_path: Path) -> None:
    linked = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    parts = [
        {"type": "text", "text": "See:"},
        linked,
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
        {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
        {"type": "file", "file": {"file_id": "file-1"}},
    ]
    imported = read(tmp_path, [{"role": "user", "content": parts}, DONE], name="chat.json")
    assert imported.conversations[0].messages[0]["content"] == [
        {"type": "text", "text": "See:"},
        linked,
        {"type": "text", "text": "[image: image/png]"},
        {"type": "text", "text": "[audio]"},
        {"type": "file", "file": {"file_id": "file-1"}},
    ]
    assert dict(imported.account.repaired) == {
        "audio data replaced by a placeholder": 1,
        "image data replaced by a placeholder": 1,
    }
