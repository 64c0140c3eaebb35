"""Sessions of Claude Code: events put together, meta events told, compactions kept apart."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Conversation, Imported
from compaction_eval.scenarios.records import RecordedCompaction

USAGE = {"input_tokens": 3, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 7}


def event(kind: str, number: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "uuid": f"e{number}", "sessionId": "s", "isSidechain": False, **more}


def says(number: int, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": content}
    return event("user", number, message=message, **more)


def answers(number: int, message_id: str, *blocks: Any, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "id": message_id, "content": list(blocks), "usage": USAGE}
    return event("assistant", number, message=message, **more)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(call_id: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "Read", "input": arguments}


def result(call_id: str, content: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": content}]


def called(call_id: str, arguments: str) -> dict[str, Any]:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": "Read", "arguments": arguments},
    }


def read(folder: Path, *events: Any, keep_going: bool = False) -> Imported:
    path = folder / "session.jsonl"
    path.write_text("".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in events))
    return import_file(find_formats("claude-code"), path, keep_going=keep_going)


def only(imported: Imported) -> Conversation:
    (conversation,) = imported.conversations
    return conversation


def test_parallel_calls_that_come_as_events_are_one_message_with_its_results_in_order(
    tmp_path: Path,
) -> None:
    imported = read(
        tmp_path,
        says(1, "Look at both."),
        answers(2, "m1", {"type": "thinking", "thinking": "Both."}),
        answers(3, "m1", text("I'll look.")),
        answers(4, "m1", use("a", path="größe.txt")),
        says(5, result("a", "one")),
        event("progress", 6, data={"type": "hook_progress"}),
        answers(7, "m1", use("b", path="two.txt")),
        answers(8, "m1", use("c", path="three.txt")),
        says(9, result("c", [text("three"), text("more")])),
        says(10, result("b", "two")),
        answers(11, "m2", text("Done.")),
    )
    calls = [
        called("a", '{"path": "größe.txt"}'),
        called("b", '{"path": "two.txt"}'),
        called("c", '{"path": "three.txt"}'),
    ]
    assert list(only(imported).messages) == [
        {"role": "user", "content": "Look at both."},
        {"role": "assistant", "content": "I'll look.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "tool", "tool_call_id": "b", "content": "two"},
        {"role": "tool", "tool_call_id": "c", "content": "three\nmore"},
        {"role": "assistant", "content": "Done."},
    ]
    assert imported.account.kept == 6
    assert imported.account.skipped == (("event 'progress'", 1), ("thinking block", 1))
    assert imported.account.repaired == (("event joined to the message that it continues", 3),)


def test_a_result_that_comes_after_the_users_next_words_stands_by_its_call(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        answers(1, "m1", use("a")),
        says(2, "Hurry."),
        says(3, result("a", "late")),
        answers(4, "m2", text("Here.")),
    )
    roles = [message["role"] for message in only(imported).messages]
    assert roles == ["assistant", "tool", "user", "assistant"]
    assert imported.account.repaired == (("tool result moved to its call", 1),)


def test_a_call_that_was_broken_off_gets_a_result_that_says_so(tmp_path: Path) -> None:
    imported = read(tmp_path, answers(1, "m1", use("a"), use("b")), says(2, "Stop."))
    assert [message.get("content") for message in only(imported).messages] == [
        None,
        "(no result was recorded)",
        "(no result was recorded)",
        "Stop.",
    ]
    assert imported.account.repaired == (("call without a result given one that says so", 2),)


def test_side_chains_are_conversations_of_their_own(tmp_path: Path) -> None:
    side = {"isSidechain": True}
    reported = {
        "type": "user",
        "uuid": "e30",
        "message": {"role": "user", "content": "Search the web."},
    }
    found = {
        "type": "assistant",
        "uuid": "e31",
        "message": {"role": "assistant", "id": "m9", "content": [text("Nothing.")]},
    }
    imported = read(
        tmp_path,
        says(1, "Ask two helpers."),
        says(2, "Count files.", parentUuid=None, **side),
        says(3, "Name the owner.", parentUuid=None, **side),
        answers(4, "m1", text("Twelve."), parentUuid="e2", **side),
        answers(5, "m2", text("Ada."), parentUuid="e3", **side),
        event("progress", 6, data={"type": "agent_progress", "agentId": "x", "message": reported}),
        event("progress", 7, data={"type": "agent_progress", "agentId": "x", "message": found}),
        says(8, "Nobody answers this.", parentUuid=None, **side),
        answers(9, "m3", text("Twelve files of Ada's.")),
    )
    told = {
        each.name: [message["content"] for message in each.messages]
        for each in imported.conversations
    }
    assert told == {
        "session": ["Ask two helpers.", "Twelve files of Ada's."],
        "session-side-1": ["Count files.", "Twelve."],
        "session-side-2": ["Name the owner.", "Ada."],
        "session-side-3": ["Search the web.", "Nothing."],
    }
    assert imported.account.skipped == (("side chain in which nothing was answered", 1),)


def test_a_compaction_is_kept_beside_the_original_messages(tmp_path: Path) -> None:
    about = {"trigger": "auto", "preTokens": 9000}
    imported = read(
        tmp_path,
        says(1, "Use port 8443."),
        answers(2, "m1", use("a")),
        says(3, result("a", "ok")),
        event("system", 4, subtype="compact_boundary", compactMetadata=about),
        says(5, "So far: port 8443.", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        answers(6, "m2", text("Going on.")),
    )
    conversation = only(imported)
    assert [message["role"] for message in conversation.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert conversation.compactions == (
        RecordedCompaction(
            at=3,
            kept_from=3,
            summary="So far: port 8443.",
            trigger="auto",
            tokens_before=9000,
            tokens_after=50,
            cached_after=40,
        ),
    )
    assert conversation.description == (
        "Compacted by its own tool (auto) after 3 messages, at 9000 tokens; the next request had "
        "50, 40 of them from the cache. Recorded usage: 2 requests, 100 input tokens (80 read from "
        "the cache, 14 written to it), 0 output tokens."
    )
    reason = "summary of a compaction (kept as the recorded compaction)"
    assert imported.account.skipped == ((reason, 1),)


def test_a_compaction_that_kept_the_newest_messages_says_from_which(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        says(1, "One."),
        answers(2, "m1", text("Two.")),
        says(3, ""),
        says(4, "Three."),
        event(
            "system",
            5,
            subtype="compact_boundary",
            compactMetadata={"preservedSegment": {"headUuid": "e4"}},
        ),
        says(6, [text("So far.")], isCompactSummary=True),
        answers(7, "m2", text("Four.")),
    )
    (compaction,) = only(imported).compactions
    assert (compaction.kept_from, compaction.at, compaction.summary) == (2, 3, "So far.")


def test_a_summary_of_what_another_file_holds_is_the_first_message(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        event("system", 1, subtype="compact_boundary"),
        says(2, "So far: port 8443.", isCompactSummary=True),
        answers(3, "m1", text("Going on.")),
    )
    conversation = only(imported)
    assert [each["content"] for each in conversation.messages] == [
        "So far: port 8443.",
        "Going on.",
    ]
    assert conversation.compactions == ()
    reason = "summary of messages that aren't in the file made a user's message"
    assert imported.account.repaired == ((reason, 1),)


def test_what_is_no_message_to_the_model_is_skipped_by_reason(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png"}}
    imported = read(
        tmp_path,
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "queue-operation", "operation": "enqueue", "content": "Hello."},
        {"type": "queue-operation", "operation": "enqueue", "content": "Never sent."},
        {"type": "queue-operation", "operation": "remove"},
        event("system", 1, subtype="turn_duration"),
        event("system", 2, subtype="compact_boundary"),
        event("system", 10, subtype="compact_boundary"),
        says(3, "Caveat.", isMeta=True),
        says(4, "Only to see.", isVisibleInTranscriptOnly=True),
        says(5, [text("Hello."), {**picture, "source": {**picture["source"], "data": "iVBO"}}]),  # type: ignore[dict-item]  # a picture has nested values
        says(5, "Hello."),
        answers(6, "m1", text("\n\n"), text("Hi."), {"type": "telepathy"}),
        answers(7, "m2", text("Limit reached."), isApiErrorMessage=True),
        event("attachment", 8, attachment={"type": "todo"}),
        event("attachment", 9, attachment={"type": "queued_command", "prompt": "And now?"}),
    )
    assert [message["content"] for message in only(imported).messages] == [
        "Hello.\n[image: image/png]",
        "Hi.",
        "And now?",
    ]
    assert dict(imported.account.skipped) == {
        "event 'file-history-snapshot'": 1,
        "event 'queue-operation'": 2,
        "queued prompt that no message repeats": 1,
        "event 'system' 'turn_duration'": 1,
        "compaction without its summary": 2,
        "meta message": 1,
        "message shown to the user only": 1,
        "event given twice": 1,
        "blank text block": 1,
        "content block 'telepathy'": 1,
        "message made by the tool in the model's name": 1,
        "attachment 'todo'": 1,
    }
    assert dict(imported.account.repaired) == {
        "image data replaced by a placeholder": 1,
        "queued prompt made a user's message": 1,
    }


STRANGE: list[tuple[Any, str]] = [
    (
        {"role": "user", "content": "Hi."},
        "an entry without a type; is the file mixed, or of a newer",
    ),
    ({"type": "utterance", "message": {}}, "unknown event 'utterance'; is the file mixed"),
    ({"type": "user", "uuid": "e9"}, "a message without a role"),
    ([], "not an event: no object"),
]


@pytest.mark.parametrize(("strange", "reason"), STRANGE)
def test_what_may_hold_words_but_is_not_understood_is_a_fault_with_its_line(
    tmp_path: Path, strange: Any, reason: str
) -> None:
    events = (says(1, "Hi."), strange, answers(2, "m1", text("Hello.")))
    with pytest.raises(FaultsError) as caught:
        read(tmp_path, *events)
    assert str(caught.value).startswith(f"{tmp_path / 'session.jsonl'}:2:1: {reason}")
    kept = read(tmp_path, *events, keep_going=True)
    assert [message["content"] for message in only(kept).messages] == ["Hi.", "Hello."]
    assert [fault.place.line for fault in kept.faults] == [2]


def test_streamed_output_is_read_with_its_tools(tmp_path: Path) -> None:
    spoken = answers(1, "m1", text("Hi."))
    del spoken["sessionId"]
    imported = read(
        tmp_path,
        {"type": "system", "subtype": "init", "session_id": "s", "tools": ["Read", "Bash"]},
        {**spoken, "session_id": "s", "parent_tool_use_id": None},
        {"type": "result", "session_id": "s", "result": "Hi."},
    )
    assert only(imported).tools == ({"name": "Read"}, {"name": "Bash"})
    assert dict(imported.account.skipped) == {"event 'system' 'init'": 1, "event 'result'": 1}
