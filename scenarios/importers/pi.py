"""Session files of the coding agent pi: one entry a line, in a row or as a tree.

Newer sessions are trees: the branch that ends with the last entry is the conversation. Where the
agent compacted, the conversation goes on with the original messages; the summary is kept beside
them as a recorded compaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.content import plain_text
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, is_deep
from compaction_eval.scenarios.importers.thread import Thread, mapping_or_empty, text_or_empty
from compaction_eval.scenarios.importers.usage import Usage, count_or_none
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.messages import as_text

_ROLES = ("user", "assistant", "toolResult", "bashExecution")
_USAGE = ("input", "cacheRead", "cacheWrite", "output")
_SILENT = frozenset(
    {
        *("session", "model_change", "thinking_level_change", "label", "session_info", "custom"),
        *("active_tools_change", "leaf"),
    }
)


def recognises(document: Document) -> bool:
    """Whether some entry is a message of such a session."""
    return document.lines and any(_is_spoken(entry) for entry in document.values)


def convert(document: Document) -> Imported:
    """The conversation of a session."""
    reader = _Reader()
    on_branch = _branch(document.values)
    for index, entry in enumerate(document.values):
        if on_branch is not None and index not in on_branch:
            reader.tally.skipped.append("entry on a branch that was left")
            continue
        reason = reader.read(entry, index)
        if reason is not None:
            reader.tally.faults.append(Fault(document.place(index), reason))
    messages, compactions = reader.thread.finished()
    chat = Chat(messages, (), (), compactions, reader.thread.usage())
    return imported(document, [chat], reader.tally)


def _is_spoken(entry: object) -> bool:
    if not isinstance(entry, Mapping) or entry.get("type") != "message":
        return False
    return mapping_or_empty(entry.get("message")).get("role") in _ROLES


def _branch(entries: Sequence[object]) -> set[int] | None:
    """Which entries lie between the last one and the root, where each names its parent."""
    index = {
        entry["id"]: at
        for at, entry in enumerate(entries)
        if isinstance(entry, Mapping) and "parentId" in entry and isinstance(entry.get("id"), str)
    }
    if not index:
        return None
    # What has no place in the tree, such as the header, belongs to every branch.
    found = set(range(len(entries))) - set(index.values())
    at: int | None = max(index.values())
    while at is not None and at not in found:
        found.add(at)
        entry = mapping_or_empty(entries[at])
        at = index.get(text_or_empty(entry.get("parentId")))
    return found


@dataclass(slots=True)
class _Reader:
    tally: Tally = field(default_factory=Tally)
    thread: Thread = field(init=False)
    turns: dict[object, int] = field(default_factory=dict)
    """Index, or id, of an entry -> how many turns were there when it came."""

    def __post_init__(self) -> None:
        self.thread = Thread(self.tally)

    def read(self, entry: object, index: int) -> str | None:
        """Take in an entry; what can't be understood about it, if it may hold words."""
        if not isinstance(entry, Mapping):
            return "not an entry: no object"
        self.turns[index] = self.turns[text_or_empty(entry.get("id"))] = len(self.thread.turns)
        kind = text_or_empty(entry.get("type"))
        if is_deep(entry):
            self.tally.skipped.append(f"nested deeper than {MAX_DEPTH} levels")
        elif kind == "message":
            return self._message(mapping_or_empty(entry.get("message")), index)
        elif kind == "compaction":
            self._compacted(entry)
        elif kind == "branch_summary":
            self.tally.repaired.append("summary of another branch made a user's message")
            self.thread.user(entry.get("summary"))
        elif kind == "custom_message":
            self.tally.repaired.append("message of an extension made a user's message")
            self.thread.user(entry.get("content"))
        elif kind in _SILENT or (kind and not {"message", "content"} & entry.keys()):
            self.tally.skipped.append(f"event {kind[:30]!r}")
        else:
            return f"unknown entry {kind[:30]!r}; is the file mixed, or of a newer version?"
        return None

    def _message(self, message: Mapping[str, Any], index: int) -> str | None:
        role, content = message.get("role"), message.get("content")
        if role == "user":
            self.thread.user(content)
        elif role == "assistant":
            reason = text_or_empty(message.get("stopReason"))
            if not content and reason in ("aborted", "error"):
                self.tally.skipped.append(f"assistant message without content ({reason})")
            else:
                self.thread.assistant(content)
            usage = Usage.read(message.get("usage"), _USAGE)
            if usage.sent:
                self.thread.paid(usage, str(index))
        elif role == "toolResult":
            text = plain_text(content, self.tally)
            call_id = message.get("toolCallId")
            self.thread.result({"role": "tool", "tool_call_id": call_id, "content": text})
        elif role == "bashExecution":
            self._command(message)
        elif isinstance(role, str) and content:
            self.tally.repaired.append(f"message of {role[:30]!r} made a user's message")
            self.thread.user(content)
        else:
            return "a message without a role, or without content"
        return None

    def _command(self, message: Mapping[str, Any]) -> None:
        """A command that the user ran in the session: the model sees it as the user's words."""
        if message.get("excludeFromContext"):
            self.tally.skipped.append("command of the user that the model isn't shown")
            return
        self.tally.repaired.append("command of the user made a user's message")
        texts = (as_text(message.get(key)) for key in ("command", "output"))
        self.thread.user("$ " + "\n".join(texts))

    def _compacted(self, entry: Mapping[str, Any]) -> None:
        at = len(self.thread.turns)
        kept = entry.get("firstKeptEntryId", entry.get("firstKeptEntryIndex"))
        known = isinstance(kept, str | int)
        self.thread.compacted(
            RecordedCompaction(
                at=at,
                kept_from=min(self.turns.get(kept, at), at) if known else at,
                summary=text_or_empty(entry.get("summary")),
                tokens_before=count_or_none(entry.get("tokensBefore")),
            )
        )
