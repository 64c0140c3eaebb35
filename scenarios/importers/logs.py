"""Logged requests joined into the conversations that they are steps of.

Each request of a conversation repeats all that was said before. One that begins with everything
that an earlier one sent and was answered goes on with it; every other begins a conversation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.importers.content import THOUGHTS, blocks_of, kind_of
from compaction_eval.scenarios.importers.found import Found
from compaction_eval.scenarios.importers.records import Tally


@dataclass(slots=True)
class Joined:
    """One conversation: its newest request, and what the provider counted for each."""

    last: Found
    usages: list[object] = field(default_factory=list)
    index: int = 0
    """Of the entry in which it begins."""

    @property
    def messages(self) -> list[object]:
        """All that was said, the last answer included."""
        reply = self.last.reply
        return [*self.last.messages, *([_as_message(reply)] if reply is not None else [])]


def join(found: Sequence[Found | None], tally: Tally) -> list[Joined]:
    """The conversations of a file, in the order in which they begin."""
    chats: list[Joined] = []
    ends: dict[bytes, int] = {}
    for one in found:
        if one is None:
            tally.skipped.append("entry without messages")
            continue
        tally.skipped += ["further choice of a response"] * one.others
        tally.skipped += ["tools that are no list"] * one.odd_tools
        usages = [one.usage] if one.usage is not None else []
        if not one.logged:
            chats.append(Joined(one, usages, one.index))
            continue
        states = _states(one)
        said = states[: len(one.messages) + 1]
        known = next((state for state in reversed(said) if state in ends), None)
        if known is None:
            ends[states[-1]] = len(chats)
            chats.append(Joined(one, usages, one.index))
        else:
            at = ends.pop(known)
            ends[states[-1]] = at
            chats[at] = Joined(one, [*chats[at].usages, *usages], chats[at].index)
            tally.repaired.append("request joined to the one that it continues")
    return chats


def _as_message(reply: Mapping[str, Any]) -> dict[str, Any]:
    """A response as a message of the next request: without what stands around it."""
    kept = ("role", "content", "tool_calls", "function_call", "refusal", "audio", "name")
    return {"role": "assistant", **{key: reply[key] for key in kept if reply.get(key) is not None}}


def _states(found: Found) -> list[bytes]:
    """A digest of what was said, after each message; all that say the same have the same."""
    states = [b""]
    said = [*found.messages, *([found.reply] if found.reply is not None else [])]
    for message in said:
        text = json.dumps(_essence(message), sort_keys=True)
        states.append(hashlib.sha256(states[-1] + text.encode()).digest())
    return states


def _essence(message: object) -> object:
    """What makes a message the same when it is sent again, maybe with other marks around it."""
    if not isinstance(message, Mapping):
        return message
    if message.get("role") in ("system", "developer"):
        return "system"  # may hold the time of day
    blocks = [
        _essence_of_block(block)
        for block in blocks_of(message.get("content"))
        if block != "" and kind_of(block) not in THOUGHTS
    ]
    calls = message.get("tool_calls") or message.get("function_call")
    return [message.get("role"), blocks, calls or None, message.get("tool_call_id")]


def _essence_of_block(block: object) -> object:
    if not isinstance(block, Mapping):
        return block
    if block.get("type") == "text":
        return block.get("text")
    return {key: value for key, value in block.items() if key != "cache_control"}
