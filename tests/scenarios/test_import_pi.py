"""Sessions of pi: calls and results, branches, compactions with what they kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Conversation, Imported
from compaction_eval.scenarios.records import RecordedCompaction

USAGE = {"input": 1, "cacheRead": 20, "cacheWrite": 4, "output": 2}
HEADER = {"type": "session", "id": "s1", "cwd": "/srv"}


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def message(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def use(call_id: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": call_id, "name": "read", "arguments": arguments}


def result(call_id: str, words: str) -> dict[str, Any]:
    return message("toolResult", text(words), toolCallId=call_id, toolName="read")


def read(folder: Path, *entries: Any, keep_going: bool = False) -> Imported:
    path = folder / "session.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in entries))
    return import_file(find_formats("pi"), path, keep_going=keep_going)


def only(imported: Imported) -> Conversation:
    (conversation,) = imported.conversations
    return conversation


def test_calls_and_results_become_messages_and_all_else_is_accounted_for(tmp_path: Path) -> None:
    thinking = {"type": "thinking", "thinking": "Hm."}
    picture = {"type": "image", "data": "iVBO", "mimeType": "image/png"}
    imported = read(
        tmp_path,
        HEADER,
        message("user", [*text("Look at a.py"), picture]),
        message("assistant", [thinking, *text("Looking."), use("a", path="a.py"), use("b")]),
        result("b", "two"),
        result("a", "one"),
        {"type": "model_change", "modelId": "m"},
        message("assistant", [], stopReason="aborted"),
        message("assistant", [thinking], stopReason="aborted"),
        {
            "type": "message",
            "message": {"role": "bashExecution", "command": "ls", "output": "a.py"},
        },
        message("assistant", text("Done.")),
    )
    found = list(only(imported).messages)
    calls = found[1].pop("tool_calls")  # type: ignore[misc,typeddict-item]  # an assistant message
    assert [(call["id"], call["function"]["arguments"]) for call in calls] == [  # type: ignore[attr-defined]  # calls are plain dicts here
        ("a", '{"path": "a.py"}'),
        ("b", "{}"),
    ]
    assert found == [
        {"role": "user", "content": "Look at a.py\n[image: image/png]"},
        {"role": "assistant", "content": "Looking."},
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "tool", "tool_call_id": "b", "content": "two"},
        {"role": "user", "content": "$ ls\na.py"},
        {"role": "assistant", "content": "Done."},
    ]
    assert dict(imported.account.skipped) == {
        "assistant message without content (aborted)": 1,
        "event 'model_change'": 1,
        "event 'session'": 1,
        "thinking block": 2,
        "assistant message of thoughts or blanks alone": 1,
    }
    assert dict(imported.account.repaired) == {
        "command of the user made a user's message": 1,
        "image data replaced by a placeholder": 1,
    }


def test_a_compaction_says_from_which_entry_on_messages_stayed(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        HEADER,
        message("user", text("Use port 8443.")),
        message("assistant", [use("a")]),
        result("a", "ok"),
        message("user", text("Go on.")),
        message("assistant", text("Done.")),
        {
            "type": "compaction",
            "summary": "Port 8443.",
            "firstKeptEntryIndex": 4,
            "tokensBefore": 70,
        },
        message("user", text("Next.")),
        message("assistant", text("Fine."), usage=USAGE),
    )
    conversation = only(imported)
    assert len(conversation.messages) == 7
    assert conversation.compactions == (
        RecordedCompaction(
            at=5,
            kept_from=3,
            summary="Port 8443.",
            tokens_before=70,
            tokens_after=25,
            cached_after=20,
        ),
    )
    assert conversation.description == (
        "Compacted by its own tool after 5 messages, of which the last 2 stayed, at 70 tokens; "
        "the next request had 25, 20 of them from the cache. Recorded usage: 1 request, "
        "25 input tokens (20 read from the cache, 4 written to it), 2 output tokens."
    )


def test_of_a_tree_the_branch_of_the_last_entry_is_the_conversation(tmp_path: Path) -> None:
    def at(entry: dict[str, Any], own: str, parent: str | None) -> dict[str, Any]:
        return {**entry, "id": own, "parentId": parent}

    imported = read(
        tmp_path,
        HEADER,
        at(message("user", text("Hello.")), "1", None),
        at(message("assistant", text("Left behind.")), "2", "1"),
        at(message("assistant", text("Hi.")), "3", "1"),
        at(message("user", text("Bye.")), "4", "3"),
        at({"type": "compaction", "summary": "Greetings.", "firstKeptEntryId": "4"}, "5", "4"),
        at(message("assistant", text("Bye.")), "6", "5"),
    )
    conversation = only(imported)
    assert [each["content"] for each in conversation.messages] == ["Hello.", "Hi.", "Bye.", "Bye."]
    assert [(each.at, each.kept_from) for each in conversation.compactions] == [(3, 2)]
    assert dict(imported.account.skipped)["entry on a branch that was left"] == 1


@pytest.mark.parametrize(
    ("strange", "reason"),
    [
        ({"role": "user", "content": "Hi."}, "unknown entry ''; is the file mixed"),
        ({"type": "message", "message": {}}, "a message without a role, or without content"),
        ("words", "not an entry: no object"),
    ],
)
def test_what_is_not_understood_is_a_fault_with_its_line(
    tmp_path: Path, strange: Any, reason: str
) -> None:
    entries = (HEADER, message("user", text("Hi.")), strange)
    with pytest.raises(FaultsError) as caught:
        read(tmp_path, *entries)
    assert str(caught.value).startswith(f"{tmp_path / 'session.jsonl'}:3:1: {reason}")
    assert len(only(read(tmp_path, *entries, keep_going=True)).messages) == 1
