"""OpenHands' newer event streams, whose events tell their kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import FORMATS, find_formats, import_file
from compaction_eval.scenarios.importers.records import Account, Imported
from compaction_eval.scenarios.records import RecordedCompaction


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def event(kind: str, id: str, source: str = "agent", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "id": id, "source": source, "timestamp": "2031-05-04T10:00:00", **more}


def said(id: str, words: str, role: str = "user", **more: Any) -> dict[str, Any]:
    source = "agent" if role == "assistant" else "user"
    message = {"role": role, "content": text(words)}
    return event("MessageEvent", id, source, llm_message=message, **more)


def action(id: str, call: str, response: str, path: str, thought: str = "") -> dict[str, Any]:
    arguments = json.dumps({"path": path, "security_risk": "LOW"})
    return event(
        "ActionEvent",
        id,
        thought=text(thought) if thought else [],
        action={"kind": "ReadAction", "path": path},
        tool_name="read",
        tool_call_id=call,
        tool_call={"id": call, "name": "read", "arguments": arguments, "origin": "completion"},
        llm_response_id=response,
    )


def result(id: str, call: str, words: str) -> dict[str, Any]:
    observation = {"kind": "ReadObservation", "content": text(words), "is_error": False}
    return event(
        "ObservationEvent",
        id,
        "environment",
        observation=observation,
        action_id="",
        tool_name="read",
        tool_call_id=call,
    )


SYSTEM = event(
    "SystemPromptEvent",
    "e0",
    system_prompt={"type": "text", "text": "You mend pumps."},
    dynamic_context={"type": "text", "text": "Site: Tarm."},
    tools=[
        {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}},
        {"kind": "FinishTool", "name": "finish", "description": "Ends."},
    ],
)
STREAM = [
    SYSTEM,
    event("ConversationStateUpdateEvent", "e1", "environment", key="stats", value={}),
    said("e2", "Pump 7 leaks."),
    action("e3", "c1", "r1", "valve.cfg", "I look at both."),
    action("e4", "c2", "r1", "pump.cfg"),
    result("e5", "c1", "psi: 40"),
    result("e6", "c2", "seal: worn"),
    said("e7", "The seal is worn.", "assistant", llm_response_id="r2"),
]


def calling(id: str, path: str) -> dict[str, Any]:
    arguments = json.dumps({"path": path, "security_risk": "LOW"})
    return {"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}}


def read(folder: Path, value: Any, name: str = "pump.json") -> Imported:
    path = folder / name
    path.write_text(json.dumps(value), "utf-8")
    return import_file(FORMATS, path)


def test_a_stream_becomes_what_the_model_was_sent(tmp_path: Path) -> None:
    imported = read(tmp_path, STREAM)
    (conversation,) = imported.conversations
    assert list(conversation.messages) == [
        {"role": "system", "content": "You mend pumps.\nSite: Tarm."},
        {"role": "user", "content": "Pump 7 leaks."},
        {
            "role": "assistant",
            "content": "I look at both.",
            "tool_calls": [calling("c1", "valve.cfg"), calling("c2", "pump.cfg")],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "psi: 40"},
        {"role": "tool", "tool_call_id": "c2", "content": "seal: worn"},
        {"role": "assistant", "content": "The seal is worn."},
    ]
    assert conversation.tools == (
        {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}},
        {"type": "function", "function": {"name": "finish", "description": "Ends."}},
    )
    assert imported.account == Account(
        kept=6,
        skipped=(("event 'ConversationStateUpdateEvent'", 1),),
        repaired=(("event joined to the message that it continues", 1),),
    )


@pytest.mark.parametrize("holder", ["history", "events", "items"])
def test_a_stream_may_stand_in_an_object(tmp_path: Path, holder: str) -> None:
    imported = read(tmp_path, {holder: STREAM, "next_page_id": None})
    assert len(imported.conversations[0].messages) == 6


def test_a_stream_may_have_one_event_a_line(tmp_path: Path) -> None:
    path = tmp_path / "pump.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in STREAM))
    assert import_file(FORMATS, path).account.kept == 6


def test_files_of_one_event_each_are_one_conversation(tmp_path: Path) -> None:
    folder = tmp_path / "pump-7" / "events"
    folder.mkdir(parents=True)
    for number, one in enumerate(STREAM):
        (folder / f"event-{number:05}-x.json").write_text(json.dumps(one))
    files = tuple(sorted(folder.iterdir()))
    first, *others = (import_file(FORMATS, path, beside=files) for path in files)
    (conversation,) = first.conversations
    assert (conversation.name, len(conversation.messages)) == ("pump-7", 6)
    assert all(one.companion and not one.conversations for one in others)


@pytest.mark.parametrize("number", [0, 3])
def test_one_file_of_an_event_is_completed_with_those_beside_it(
    tmp_path: Path, number: int
) -> None:
    """So a run's conversation can be named by one file, as its next commands do."""
    for at, one in enumerate(STREAM):
        (tmp_path / f"event-{at:05}-x.json").write_text(json.dumps(one))
    (tmp_path / "event-count.json").write_text("7")
    path = tmp_path / f"event-{number:05}-x.json"
    found = import_file(find_formats("auto"), path, beside=(path,))
    assert found.conversations[0].messages == read(tmp_path, STREAM).conversations[0].messages


def test_an_error_and_a_refusal_answer_their_calls(tmp_path: Path) -> None:
    error = event("AgentErrorEvent", "e5", error="no such file", tool_call_id="c1")
    refused = event("UserRejectObservation", "e6", "environment", action_id="e4")
    stream = [*STREAM[2:5], error, {**refused, "rejection_reason": "not now"}]
    messages = read(tmp_path, stream).conversations[0].messages
    assert [(m.get("tool_call_id"), m["content"]) for m in messages[2:]] == [
        ("c1", "no such file"),
        ("c2", "Action rejected: not now"),
    ]


def test_a_call_without_its_response_is_made_from_its_action(tmp_path: Path) -> None:
    bare = {
        key: v for key, v in action("e3", "c1", "r1", "valve.cfg").items() if key != "tool_call"
    }
    imported = read(tmp_path, [STREAM[2], bare, result("e5", "c1", "psi: 40")])
    (call,) = imported.conversations[0].messages[1]["tool_calls"]  # type: ignore[typeddict-item]  # it's an assistant's
    assert call["function"] == {"name": "read", "arguments": '{"path": "valve.cfg"}'}
    assert dict(imported.account.repaired) == {"call made from its action": 1}


def test_a_condensation_is_kept_as_a_recorded_compaction(tmp_path: Path) -> None:
    request = event("CondensationRequest", "e8", "environment", reason="context_limit")
    condensed = event(
        "Condensation",
        "e9",
        "environment",
        forgotten_event_ids=["e2", "e3", "e4", "e5", "e6"],
        summary="Pump 7 has a worn seal.",
        summary_offset=1,
        llm_response_id="r3",
    )
    nothing = event("Condensation", "e10", "environment", forgotten_event_ids=[])
    imported = read(tmp_path, [*STREAM, request, condensed, nothing, said("e11", "Go on.")])
    (conversation,) = imported.conversations
    assert len(conversation.messages) == 7
    assert conversation.compactions == (
        RecordedCompaction(6, 5, "Pump 7 has a worn seal.", "context_limit"),
    )
    skipped = dict(imported.account.skipped)
    assert skipped["summary of a compaction (kept as the recorded compaction)"] == 1
    assert skipped["condensation that forgets nothing"] == 1


def test_pictures_become_parts_or_placeholders(tmp_path: Path) -> None:
    picture = {
        "type": "image",
        "image_urls": ["https://pumps.test/7.png", "data:image/png;base64,A"],
    }
    shown = event("MessageEvent", "e1", "user", llm_message={"role": "user", "content": [picture]})
    (conversation,) = read(tmp_path, [shown]).conversations
    assert conversation.messages[0]["content"] == [
        {"type": "image_url", "image_url": {"url": "https://pumps.test/7.png"}},
        {"type": "text", "text": "[image: image/png]"},
    ]


def test_an_unknown_event_that_may_hold_words_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "pump.jsonl"
    stranger = event("WhisperEvent", "e9", llm_message={"role": "user", "content": "Hm."})
    path.write_text("".join(f"{json.dumps(one)}\n" for one in [*STREAM, stranger]))
    with pytest.raises(FaultsError, match=r"pump\.jsonl:9:1: unknown event 'WhisperEvent'"):
        import_file(find_formats("openhands"), path)
    kept = import_file(find_formats("openhands"), path, keep_going=True)
    assert (kept.account.kept, len(kept.faults)) == (6, 1)
    del stranger["kind"]
    path.write_text(json.dumps([*STREAM, stranger]))
    with pytest.raises(FaultsError, match=r"pump\.jsonl:1:1: an event without a kind; is"):
        import_file(find_formats("openhands"), path)
