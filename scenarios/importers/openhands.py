"""Event streams of OpenHands: actions and observations, joined into calls and their results.

An action that came from a model's tool call is that call, with the model's own arguments; parallel
calls of one response are one message. An action without one becomes a call of its own name. What
the model was never shown (states, notices) is skipped by its event's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import listed, said_text
from compaction_eval.scenarios.importers.openhands_events import (
    TEXTS,
    acted,
    args_of,
    arguments,
    call_id,
    event_files,
    events_of,
    is_event,
    is_first_given,
    metadata,
    response,
    streams,
)
from compaction_eval.scenarios.importers.openhands_kinds import KindsReader, is_kind
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.strategies.messages import as_text

_SILENT = frozenset(
    {
        "change_agent_state",
        "condensation",
        "condensation_request",
        "loop_recovery",
        "null",
        "pause",
        "recall",
        "start",
        "stop",
        "resume",
    }
)
"""Actions that no model took."""


def recognises(document: Document) -> bool:
    """Whether each list of events has one with its source, or the file is one event of many."""
    found = streams(document)
    return bool(event_files(document)) or (
        bool(found) and all(any(map(is_event, stream)) for stream in found)
    )


def convert(document: Document) -> Imported:
    """One conversation for each stream; files of one event each are one stream together."""
    files = event_files(document)
    if files and not is_first_given(document):
        return replace(imported(document, [], Tally()), companion=True)
    found = [events_of(files)] if files else streams(document)
    if files:
        inner = document.path.parent
        folder = inner.parent if inner.name == "events" else inner
        document = replace(document, path=folder.resolve())
    tally, chats = Tally(), list[Chat]()
    for index, stream in enumerate(found):
        if any(map(is_kind, stream)):
            kinds = KindsReader(tally)
            for at, event in enumerate(stream):
                reason = kinds.read(event)
                if reason is not None:
                    own = len(found) == 1 and len(stream) == len(document.numbers) and not files
                    place = document.place(at if own else 0)
                    tally.faults.append(Fault(place, reason))
            chats.append(kinds.chat(index if len(found) > 1 else 0))
            continue
        reader = _Reader(tally, acted(stream))
        for event in stream:
            reader.read(event)
        chats.append(Chat(reader.messages, reader.tools, index=index if len(found) > 1 else 0))
    return imported(document, chats, tally)


@dataclass(slots=True)
class _Reader:
    """Messages so far, and which event each call came from."""

    tally: Tally
    acted: frozenset[str]
    """Ids of the calls that the stream's actions came from."""
    messages: list[dict[str, Any]] = field(default_factory=list)
    tools: list[object] = field(default_factory=list)
    calls: dict[str, str] = field(default_factory=dict)
    """Id of an event -> id of its call."""
    given: set[str] = field(default_factory=set)
    """Ids of the calls in the messages so far."""

    def read(self, event: object) -> None:
        """Add what an event says, or the reason why it isn't added."""
        if not isinstance(event, Mapping):
            self.tally.skipped.append("not an object")
        elif isinstance(event.get("observation"), str):
            self._observation(event)
        elif isinstance(event.get("action"), str):
            self._action(event)
        else:
            self.tally.skipped.append("neither action nor observation")

    def _action(self, event: Mapping[str, Any]) -> None:
        action = str(event["action"])
        args = args_of(event)
        thought = said_text(args.get("thought"))
        if action == "system":
            self._say("system", args.get("content"), action)
            self.tools += listed(args.get("tools"))
        elif action == "message":
            speaker = "user" if event.get("source") == "user" else "assistant"
            self._say(speaker, args.get("content") or event.get("message"), action)
        elif action in TEXTS:
            said = said_text(args.get("final_thought")) or thought
            self._say("assistant", said or event.get("message"), action)
            if call_id(event):
                self.tally.repaired.append(f"call of {action} made the text that it says")
        elif action in _SILENT or event.get("source") != "agent":
            self.tally.skipped.append(f"event {action[:30]!r}")
        elif call_id(event):
            self.calls[as_text(event.get("id"))] = call_id(event)
            self._recorded_call(event)
        else:
            self.calls[as_text(event.get("id"))] = self._made_call(event, action, args, thought)

    def _recorded_call(self, event: Mapping[str, Any]) -> None:
        """The model's message that an action came from, once for all of its calls."""
        if call_id(event) in self.given:
            self.tally.repaired.append("parallel calls put into one message")
            return
        message = response(event)
        calls = [
            call
            for call in listed(message.get("tool_calls"))
            if isinstance(call, Mapping) and as_text(call.get("id")) in self.acted
        ]
        if not any(as_text(call.get("id")) == call_id(event) for call in calls):
            name = metadata(event).get("function_name") or event["action"]
            function = {"name": name, "arguments": as_text(arguments(args_of(event)))}
            calls = [{"id": call_id(event), "function": function}]
            self.tally.repaired.append("call made from its action")
        self.given.update(as_text(call.get("id")) for call in calls)
        content = message.get("content") or None
        plain = [
            {key: call[key] for key in ("id", "type", "function") if key in call} for call in calls
        ]
        self.messages.append({"role": "assistant", "content": content, "tool_calls": plain})

    def _made_call(
        self, event: Mapping[str, Any], action: str, args: Mapping[str, Any], thought: str
    ) -> str:
        made = f"event_{as_text(event.get('id', len(self.messages)))}"
        function = {"name": action, "arguments": as_text(arguments(args))}
        call = {"id": made, "type": "function", "function": function}
        self.messages.append(
            {"role": "assistant", "content": thought or None, "tool_calls": [call]}
        )
        self.given.add(made)
        self.tally.repaired.append("call made from its action")
        return made

    def _observation(self, event: Mapping[str, Any]) -> None:
        call = self.calls.get(as_text(event.get("cause"))) or call_id(event)
        if call in self.given:
            content = event.get("content")
            text = content if isinstance(content, str) else as_text(content)
            self.messages.append({"role": "tool", "tool_call_id": call, "content": text})
        else:
            self.tally.skipped.append(f"event {str(event['observation'])[:30]!r}")

    def _say(self, speaker: str, text: object, action: str) -> None:
        if said_text(text):
            self.messages.append({"role": speaker, "content": text})
        else:
            self.tally.skipped.append(f"event {action!r} without text")
