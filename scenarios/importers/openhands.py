"""Event streams of OpenHands: actions and observations, joined into calls and their results.

An action that came from a model's tool call is that call, with the model's own arguments; parallel
calls of one response are one message. An action without one becomes a call of its own name. What
the model was never shown (states, notices) is skipped by its event's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from compaction_eval.scenarios.importers.assembly import Assembly, said_text
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.records import Imported
from compaction_eval.scenarios.importers.repairs import is_deep
from compaction_eval.scenarios.shapes import is_word
from compaction_eval.strategies.messages import as_text

_LISTS = ("history", "trajectory", "events")
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
_TEXTS = ("finish", "reject")
"""Actions that end the work with some words, and that nothing answers."""
_NOT_ARGUMENTS = frozenset(
    {"thought", "blocking", "hidden", "confirmation_state", "security_risk", "is_input"}
)
"""Arguments of actions that the runtime added."""


def recognises(document: Document) -> bool:
    """Whether each stream begins like one, with actions that have a source."""
    streams = _streams(document)
    return bool(streams) and all(any(map(_is_event, stream)) for stream in streams)


def convert(document: Document) -> Imported:
    """One conversation for each stream."""
    assembly = Assembly(document)
    streams = _streams(document)
    for number, stream in enumerate(streams, 1):
        reader = _Reader(assembly, _acted(stream))
        for event in stream:
            reader.read(event)
        assembly.add_raw(reader.messages, str(number) if len(streams) > 1 else "", reader.tools)
    return assembly.imported()


def _streams(document: Document) -> list[Sequence[object]]:
    """Lists of events: the document itself, a list in it, or one under a key of each value."""
    values = document.values
    if len(values) == 1 and isinstance(values[0], list) and not isinstance(values[0][:1], str):
        values = tuple(values[0])
    if any(map(_is_event, values)):
        return [values]
    found: list[Sequence[object]] = []
    for value in values:
        holder = value if isinstance(value, Mapping) else {}
        lists = [holder[key] for key in _LISTS if isinstance(holder.get(key), list)]
        if not lists:
            return []
        found.append(lists[0])
    return found


def _is_event(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and "source" in value
        and isinstance(value.get("action", value.get("observation")), str)
        and ("args" in value or "extras" in value or "cause" in value)
    )


def _acted(stream: Iterable[object]) -> frozenset[str]:
    """Ids of the model's calls that an action of the stream came from."""
    actions = (e for e in stream if isinstance(e, Mapping) and e.get("action") not in _TEXTS)
    return frozenset(call for event in actions if "action" in event and (call := _call_id(event)))


def _metadata(event: Mapping[str, Any]) -> Mapping[str, Any]:
    found = event.get("tool_call_metadata")
    return found if isinstance(found, Mapping) else {}


def _call_id(event: Mapping[str, Any]) -> str:
    return as_text(_metadata(event).get("tool_call_id") or "")


@dataclass(slots=True)
class _Reader:
    """Messages so far, and which event each call came from."""

    assembly: Assembly
    acted: frozenset[str]
    messages: list[dict[str, Any]] = field(default_factory=list)
    tools: list[Mapping[str, Any]] = field(default_factory=list)
    calls: dict[str, str] = field(default_factory=dict)
    """Id of an event -> id of its call."""
    given: set[str] = field(default_factory=set)
    """Ids of the calls in the messages so far."""

    def read(self, event: object) -> None:
        """Add what an event says, or the reason why it isn't added."""
        if not isinstance(event, Mapping):
            self.assembly.skipped.append("not an object")
        elif isinstance(event.get("observation"), str):
            self._observation(event)
        elif isinstance(event.get("action"), str):
            self._action(event)
        else:
            self.assembly.skipped.append("neither action nor observation")

    def _action(self, event: Mapping[str, Any]) -> None:
        action = str(event["action"])
        args = _args(event)
        thought = said_text(args.get("thought"))
        if action == "system":
            self._say("system", args.get("content"), action)
            self._offer(args.get("tools") or ())
        elif action == "message":
            speaker = "user" if event.get("source") == "user" else "assistant"
            self._say(speaker, args.get("content") or event.get("message"), action)
        elif action in _TEXTS:
            said = said_text(args.get("final_thought")) or thought
            self._say("assistant", said or event.get("message"), action)
            if _call_id(event):
                self.assembly.repaired.append(f"call of {action} made the text that it says")
        elif action in _SILENT or event.get("source") != "agent":
            self.assembly.skipped.append(f"event {action[:30]!r}")
        elif _call_id(event):
            self.calls[as_text(event.get("id"))] = _call_id(event)
            self._recorded_call(event)
        else:
            self.calls[as_text(event.get("id"))] = self._made_call(event, action, args, thought)

    def _recorded_call(self, event: Mapping[str, Any]) -> None:
        """The model's message that an action came from, once for all of its calls."""
        if _call_id(event) in self.given:
            self.assembly.repaired.append("parallel calls put into one message")
            return
        message = _response(event)
        calls = [
            call
            for call in message.get("tool_calls") or ()
            if isinstance(call, Mapping) and call.get("id") in self.acted
        ]
        if not any(call.get("id") == _call_id(event) for call in calls):
            name = _metadata(event).get("function_name") or event["action"]
            arguments = as_text(_arguments(_args(event)))
            calls = [{"id": _call_id(event), "function": {"name": name, "arguments": arguments}}]
            self.assembly.repaired.append("call made from its action")
        self.given.update(as_text(call.get("id")) for call in calls)
        content = message.get("content") or None
        plain = [
            {key: call[key] for key in ("id", "type", "function") if key in call} for call in calls
        ]
        self.messages.append({"role": "assistant", "content": content, "tool_calls": plain})

    def _made_call(
        self, event: Mapping[str, Any], action: str, args: Mapping[str, Any], thought: str
    ) -> str:
        call_id = f"event_{as_text(event.get('id', len(self.messages)))}"
        function = {"name": action, "arguments": as_text(_arguments(args))}
        call = {"id": call_id, "type": "function", "function": function}
        self.messages.append(
            {"role": "assistant", "content": thought or None, "tool_calls": [call]}
        )
        self.given.add(call_id)
        self.assembly.repaired.append("call made from its action")
        return call_id

    def _observation(self, event: Mapping[str, Any]) -> None:
        call = self.calls.get(as_text(event.get("cause"))) or _call_id(event)
        if call in self.given:
            content = event.get("content")
            text = content if isinstance(content, str) else as_text(content)
            self.messages.append({"role": "tool", "tool_call_id": call, "content": text})
        else:
            self.assembly.skipped.append(f"event {str(event['observation'])[:30]!r}")

    def _offer(self, tools: Iterable[object]) -> None:
        known = {tool["function"]["name"] for tool in self.tools}
        for tool in tools:
            name = _tool_name(tool)
            if not is_word(name) or is_deep(tool):
                self.assembly.skipped.append("tool without a usable name")
            elif name in known:
                self.assembly.skipped.append("tool given twice")
            else:
                known.add(name)
                self.tools.append(cast("Mapping[str, Any]", tool))

    def _say(self, speaker: str, text: object, action: str) -> None:
        if said_text(text):
            self.messages.append({"role": speaker, "content": text})
        else:
            self.assembly.skipped.append(f"event {action!r} without text")


def _response(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model's message in what an action kept of the response."""
    response = _metadata(event).get("model_response")
    choices = response.get("choices") if isinstance(response, Mapping) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return message if isinstance(message, Mapping) else {}


def _args(event: Mapping[str, Any]) -> Mapping[str, Any]:
    args = event.get("args")
    return args if isinstance(args, Mapping) else {}


def _arguments(args: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: v for key, v in args.items() if key not in _NOT_ARGUMENTS and v is not None}


def _tool_name(tool: object) -> str:
    function = tool.get("function") if isinstance(tool, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    return name if isinstance(name, str) else ""
