"""What each event of a Claude Code session is: a message of which conversation, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat
from compaction_eval.scenarios.importers.content import blocks_of
from compaction_eval.scenarios.importers.json_values import (
    listed,
    mapping_or_empty,
    text_or_empty,
)
from compaction_eval.scenarios.importers.records import Tally
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, is_deep
from compaction_eval.scenarios.importers.thread import Thread
from compaction_eval.scenarios.importers.usage import Usage, count_or_none
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.messages import as_text

SPOKEN = ("user", "assistant")
_USAGE = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
_MAIN = ""
_NO_SUMMARY = "compaction without its summary"


@dataclass(slots=True)
class SessionReader:
    """Takes in a session's events, one after the other."""

    tally: Tally = field(default_factory=Tally)
    threads: dict[str, Thread] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    sides: dict[str, str] = field(default_factory=dict)
    """Event -> the side chain that it belongs to."""
    turns: dict[str, int] = field(default_factory=dict)
    """Event of the main line -> how many turns were there when it came."""
    tools: list[object] = field(default_factory=list)
    boundary: Mapping[str, Any] | None = None
    queued: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def read(self, event: object) -> str | None:
        """Take in an event; what can't be understood about it, if it may hold words."""
        if not isinstance(event, Mapping):
            return "not an event: no object"
        kind = text_or_empty(event.get("type"))
        data = mapping_or_empty(event.get("data"))
        if kind == "progress" and isinstance(data.get("message"), Mapping):
            # A side chain as it is reported while it runs.
            side = as_text(data.get("agentId") or event.get("parentToolUseID") or "agent")
            return self._spoken(data["message"], side)
        if kind in SPOKEN:
            return self._spoken(event, None)
        if kind == "system":
            self._system(event)
        elif kind == "queue-operation":
            self._queued(event)
        elif kind == "attachment":
            self._attachment(event)
        elif not kind or "message" in event:
            what = f"unknown event {kind[:30]!r}" if kind else "an entry without a type"
            return f"{what}; is the file mixed, or of a newer version?"
        else:
            self.tally.skipped.append(f"event {kind[:30]!r}")
        return None

    def chats(self) -> list[Chat]:
        """All conversations, the main line first."""
        self.tally.skipped += [
            "queued prompt that no message repeats"
            if text not in self.said
            else "event 'queue-operation'"
            for text in self.queued
        ]
        if self.boundary is not None:
            self.tally.skipped.append(_NO_SUMMARY)
        found: list[Chat] = []
        for side in sorted(self.threads, key=lambda side: side != _MAIN):
            thread = self.threads[side]
            messages, compactions = thread.finished()
            if side != _MAIN and not any(turn.role == "assistant" for turn in thread.turns):
                self.tally.skipped += ["side chain in which nothing was answered"] * len(messages)
                continue
            number = len([chat for chat in found if chat.labels]) + 1
            labels = [f"side {number}"] if side != _MAIN else []
            tools = self.tools if side == _MAIN else []
            found.append(Chat(messages, tools, labels, compactions, thread.usage()))
        return found

    def _spoken(self, event: Mapping[str, Any], side: str | None) -> str | None:
        message = event.get("message")
        if not isinstance(message, Mapping) or message.get("role") not in SPOKEN:
            return "a message without a role"
        if is_deep(message):
            self.tally.skipped.append(f"nested deeper than {MAX_DEPTH} levels")
            return None
        uuid = text_or_empty(event.get("uuid"))
        side = side if side is not None else self._side(event, uuid)
        if uuid and uuid in self.seen:
            self.tally.skipped.append("event given twice")
            return None
        self.seen.add(uuid)
        if side not in self.threads:
            self.threads[side] = Thread(self.tally)
        thread = self.threads[side]
        self.turns[uuid] = len(thread.turns)
        if message["role"] == "user":
            self._user(event, message, thread)
        elif event.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            self.tally.skipped.append("message made by the tool in the model's name")
        else:
            key = text_or_empty(message.get("id"))
            thread.assistant(message.get("content"), key)
            thread.paid(Usage.read(message.get("usage"), _USAGE), key or uuid)
        return None

    def _user(self, event: Mapping[str, Any], message: Mapping[str, Any], thread: Thread) -> None:
        if event.get("isCompactSummary"):
            self._compacted(message, thread)
        elif event.get("isMeta"):
            self.tally.skipped.append("meta message")
        elif event.get("isVisibleInTranscriptOnly"):
            self.tally.skipped.append("message shown to the user only")
        else:
            content = message.get("content")
            self.said.update(
                block if isinstance(block, str) else text_or_empty(block.get("text"))
                for block in blocks_of(content)
                if isinstance(block, str | Mapping)
            )
            thread.user(content)

    def _side(self, event: Mapping[str, Any], uuid: str) -> str:
        """Which side chain an event is of: its agent's, or the one that it goes on with."""
        named = event.get("agentId") or event.get("parent_tool_use_id")
        if not (event.get("isSidechain") or event.get("parent_tool_use_id")):
            return _MAIN
        side = as_text(named) if named else self.sides.get(as_text(event.get("parentUuid")), uuid)
        self.sides[uuid] = side
        return side

    def _system(self, event: Mapping[str, Any]) -> None:
        subtype = text_or_empty(event.get("subtype"))
        if subtype == "compact_boundary":
            if self.boundary is not None:
                self.tally.skipped.append(_NO_SUMMARY)
            self.boundary = event
            return
        if subtype == "init":
            self.tools = list(listed(event.get("tools")))
        self.tally.skipped.append(f"event 'system' {subtype[:30]!r}")

    def _compacted(self, message: Mapping[str, Any], thread: Thread) -> None:
        boundary = self.boundary or {}
        about = boundary.get("compactMetadata") or boundary.get("compact_metadata")
        about, self.boundary = mapping_or_empty(about), None
        kept = mapping_or_empty(about.get("preservedSegment")).get("headUuid")
        content = message.get("content")
        texts = [
            block if isinstance(block, str) else text_or_empty(mapping_or_empty(block).get("text"))
            for block in blocks_of(content)
        ]
        at = len(thread.turns)
        thread.compacted(
            RecordedCompaction(
                at=at,
                kept_from=min(self.turns.get(text_or_empty(kept), at), at),
                summary="\n".join(texts),
                trigger=text_or_empty(about.get("trigger")),
                tokens_before=count_or_none(about.get("preTokens", about.get("pre_tokens"))),
            )
        )

    def _queued(self, event: Mapping[str, Any]) -> None:
        content = event.get("content")
        if event.get("operation") == "enqueue" and isinstance(content, str):
            self.queued.append(content)
        else:
            self.tally.skipped.append("event 'queue-operation'")

    def _attachment(self, event: Mapping[str, Any]) -> None:
        """What was put beside a message; of that only what a user said while the agent worked."""
        inner = mapping_or_empty(event.get("attachment"))
        prompt = inner.get("prompt")
        if inner.get("type") == "queued_command" and prompt:
            self.tally.repaired.append("queued prompt made a user's message")
            message = {"role": "user", "content": prompt}
            self._spoken({**event, "type": "user", "message": message}, None)
        else:
            self.tally.skipped.append(f"attachment {as_text(inner.get('type'))[:30]!r}")
