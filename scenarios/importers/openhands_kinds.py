"""The newer event streams of OpenHands, in which each event tells its `kind`.

What the agent's model was sent is in them as it was: messages, calls with the arguments that it
gave, results. Calls of one response are one message. A condensation is kept beside the messages
as a recorded compaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat
from compaction_eval.scenarios.importers.content import blocks_of, kind_of, plain_text
from compaction_eval.scenarios.importers.json_values import (
    listed,
    mapping_or_empty,
    said_text,
    text_or_empty,
)
from compaction_eval.scenarios.importers.records import Tally
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, is_deep
from compaction_eval.scenarios.importers.thread import Thread
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.messages import as_text

_RESULTS = ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent")
_SPOKEN = ("SystemPromptEvent", "MessageEvent", "ActionEvent", *_RESULTS, "Condensation")
_REPEATED = ("CondensationSummaryEvent", "StreamingDeltaEvent")
"""They say what another event says too."""
_WORDS = frozenset({"llm_message", "thought", "observation", "tool_call", "content", "text"})


def is_kind(value: object) -> bool:
    """Whether a value is an event of such a stream."""
    return isinstance(value, Mapping) and "source" in value and value.get("kind") in _SPOKEN


@dataclass(slots=True)
class KindsReader:
    """Takes in the events of one stream, one after the other."""

    tally: Tally
    thread: Thread = field(init=False)
    tools: list[object] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)
    """Id of an event -> the turn that it is part of."""
    calls: dict[str, str] = field(default_factory=dict)
    """Id of an action -> id of its call."""
    trigger: str = ""
    """Why a condensation was requested."""

    def __post_init__(self) -> None:
        self.thread = Thread(self.tally)

    def chat(self, index: int) -> Chat:
        """The conversation, which began in a value of the document."""
        messages, compactions = self.thread.finished()
        return Chat(messages, self.tools, (), compactions, index=index)

    def read(self, event: object) -> str | None:
        """Take in an event; what can't be understood about it, if it may hold words."""
        if not isinstance(event, Mapping):
            return "not an event: no object"
        kind, id = text_or_empty(event.get("kind")), text_or_empty(event.get("id"))
        if is_deep(event):
            self.tally.skipped.append(f"nested deeper than {MAX_DEPTH} levels")
        elif kind == "SystemPromptEvent":
            texts = [event.get("system_prompt"), event.get("dynamic_context")]
            self.thread.user([text for text in texts if text], "system")
            self.tools += map(_tool, listed(event.get("tools")))
        elif kind == "MessageEvent":
            self._message(event)
        elif kind == "ActionEvent":
            self._action(event, id)
        elif kind in _RESULTS:
            self._result(event, kind)
        elif kind == "Condensation":
            self._condensed(event)
        elif kind in _REPEATED or (kind and _WORDS.isdisjoint(event)):
            if kind == "CondensationRequest":
                self.trigger = text_or_empty(event.get("reason"))
            self.tally.skipped.append(f"event {kind[:40]!r}")
        else:
            what = f"unknown event {kind[:40]!r}" if kind else "an event without a kind"
            return f"{what}; is the file mixed, or of a newer version?"
        self.turns[id] = len(self.thread.turns) - 1
        return None

    def _message(self, event: Mapping[str, Any]) -> None:
        message = mapping_or_empty(event.get("llm_message"))
        content = [*blocks_of(message.get("content")), *listed(event.get("extended_content"))]
        blocks = [inner for block in content for inner in _pictures(block)]
        self._thoughts(message)
        spoken = text_or_empty(message.get("role"))
        if not spoken:
            spoken = "assistant" if event.get("source") == "agent" else "user"
        if spoken == "assistant":
            self.thread.assistant(blocks, text_or_empty(event.get("llm_response_id")))
        else:
            self.thread.user(blocks, spoken)

    def _action(self, event: Mapping[str, Any], id: str) -> None:
        self._thoughts(event)
        call = mapping_or_empty(event.get("tool_call"))
        inner = mapping_or_empty(call.get("function")) or call
        arguments = inner.get("arguments")
        if not inner:
            given = mapping_or_empty(event.get("action"))
            arguments = {key: value for key, value in given.items() if key != "kind"}
            self.tally.repaired.append("call made from its action")
        call_id = event.get("tool_call_id") or call.get("id")
        self.calls[id] = as_text(call_id) if call_id else ""
        block = {
            "type": "tool_call",
            "id": call_id,
            "name": inner.get("name") or event.get("tool_name"),
            "input": {} if arguments is None else arguments,
        }
        blocks = [*blocks_of(event.get("thought")), block]
        self.thread.assistant(blocks, text_or_empty(event.get("llm_response_id")))

    def _result(self, event: Mapping[str, Any], kind: str) -> None:
        content: list[object]
        if kind == "AgentErrorEvent":
            content = [event.get("error")]
        elif kind == "UserRejectObservation":
            content = [f"Action rejected: {as_text(event.get('rejection_reason'))}"]
        else:
            content = self._observed(mapping_or_empty(event.get("observation")))
        content += listed(event.get("extended_content"))
        blocks = [inner for block in content for inner in _pictures(block)]
        call_id = event.get("tool_call_id") or self.calls.get(as_text(event.get("action_id")))
        text = plain_text(blocks, self.tally)
        self.thread.result({"role": "tool", "tool_call_id": call_id or None, "content": text})

    def _observed(self, observation: Mapping[str, Any]) -> list[object]:
        """What the model was shown of an observation: its content, or else all of its fields."""
        shown = observation.get("content", observation.get("output"))
        if isinstance(shown, str | list):
            return blocks_of(shown)
        self.tally.repaired.append("result made from the fields of its observation")
        return [as_text({key: value for key, value in observation.items() if key != "kind"})]

    def _condensed(self, event: Mapping[str, Any]) -> None:
        forgotten = [
            turn
            for id in listed(event.get("forgotten_event_ids"))
            if (turn := self.turns.get(as_text(id))) is not None
        ]
        if not forgotten:
            self.tally.skipped.append("condensation that forgets nothing")
            return
        at = len(self.thread.turns)
        summary = text_or_empty(event.get("summary"))
        kept_from = min(max(forgotten) + 1, at)
        self.thread.compacted(RecordedCompaction(at, kept_from, summary, self.trigger))
        self.trigger = ""

    def _thoughts(self, holder: Mapping[str, Any]) -> None:
        if said_text(holder.get("reasoning_content")) or holder.get("thinking_blocks"):
            self.tally.skipped.append("thinking block")


def _pictures(block: object) -> list[object]:
    """A block; one with several pictures as one block for each."""
    if kind_of(block) != "image" or not isinstance(block, Mapping) or "image_urls" not in block:
        return [block]
    urls = listed(block["image_urls"])
    return [{"type": "image_url", "image_url": {"url": url}} for url in urls]


def _tool(tool: object) -> object:
    """A tool as OpenAI's API has it: by its function, or else by name and description."""
    if not isinstance(tool, Mapping) or "function" in tool:
        return tool
    name = tool.get("name") or tool.get("title") or tool.get("kind")
    about = text_or_empty(tool.get("description"))
    function = {"name": name, **({"description": about} if about else {})}
    return {"type": "function", "function": function} if about else {"name": name}
