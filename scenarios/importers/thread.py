"""A conversation put together from a tool's events: one message each, results beside their calls.

A tool's log isn't what was sent: parallel calls come as events of their own, a result may come
before the next call of the same message, and a call that was broken off has no result at all,
although the model was given one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import Any

from compaction_eval.scenarios.importers.content import Content, stretches, whole
from compaction_eval.scenarios.importers.records import Tally
from compaction_eval.scenarios.importers.usage import Usage
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.messages import as_text

NO_RESULT = "(no result was recorded)"


@dataclass(slots=True)
class _Turn:
    role: str
    content: Content
    key: str = ""

    def messages(self) -> list[dict[str, Any]]:
        content = self.content
        if self.role == "tool":
            return content.results
        message: dict[str, Any] = {"role": self.role, "content": content.value() or None}
        if content.calls:
            message["tool_calls"] = content.calls
        order = {_id(one["id"]): at for at, one in enumerate(content.calls)}
        return [message, *sorted(content.results, key=lambda one: order[_id(one["tool_call_id"])])]


@dataclass(slots=True)
class Thread:
    """The messages of one conversation, as its events come in."""

    tally: Tally
    turns: list[_Turn] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    """With positions among the turns; `finished` makes them positions among the messages."""
    _paid: dict[str, Usage] = field(default_factory=dict)
    _owners: dict[str, int] = field(default_factory=dict)
    _answered: set[tuple[str, int]] = field(default_factory=set)
    _spoken: int = -1
    """Position of the newest assistant's turn."""

    def assistant(self, content: object, key: str = "") -> None:
        """An assistant's message, or a piece of the newest one, which has the same key."""
        joins = bool(key) and bool(self.turns) and self.turns[-1].key == key
        if joins:
            self.tally.repaired.append("event joined to the message that it continues")
        before = len(self.turns)
        for stretch in stretches(content, self.tally):
            self._stretch(stretch, key, joins)
            joins = joins and not stretch.results
        if not content:
            self.tally.skipped.append("assistant message without content")
        elif not key and len(self.turns) == before:
            self.tally.skipped.append("assistant message of thoughts or blanks alone")

    def user(self, content: object, role: str = "user") -> None:
        """A message of the user's (or another's): results of calls, then words."""
        found = whole(content, self.tally)
        for result in found.results:
            self.result(result)
        if found.parts:
            self.turns.append(_Turn(role, Content(found.parts)))
        elif not found.results:
            self.tally.skipped.append("empty")

    def result(self, message: dict[str, Any]) -> None:
        """A tool message; it stands by its call, unless the model spoke in between."""
        call_id = _id(message.get("tool_call_id"))
        # One without an id is given that of a call just before it later on.
        owner = self._owners.get(call_id) if call_id else None
        if owner is not None and (call_id, owner) in self._answered:
            self.tally.skipped.append("second result of a call")
            return
        if owner is None or owner < self._spoken:
            self.turns.append(_Turn("tool", Content(results=[message])))
        else:
            self.turns[owner].content.results.append(message)
            if owner < len(self.turns) - 1:
                self.tally.repaired.append("tool result moved to its call")
        if owner is not None:
            self._answered.add((call_id, owner))

    def compacted(self, compaction: RecordedCompaction) -> None:
        """A compaction by the tool itself; its positions count turns.

        Where nothing stands before it, as in a session that goes on with another file's, its
        summary is all that is left of that.
        """
        if self.turns:
            self.compactions.append(compaction)
            reason = "summary of a compaction (kept as the recorded compaction)"
            self.tally.skipped.append(reason)
        else:
            reason = "summary of messages that aren't in the file made a user's message"
            self.tally.repaired.append(reason)
            self.user(compaction.summary)

    def paid(self, usage: Usage, request: str) -> None:
        """What the provider counted for a request; said again, the newest counts."""
        self._paid[request] = usage
        last = self.compactions[-1] if self.compactions else None
        if last is not None and last.tokens_after is None and usage.sent:
            self.compactions[-1] = replace(
                last, tokens_after=usage.sent, cached_after=usage.cache_read
            )

    def usage(self) -> Usage:
        """What was paid in all."""
        return sum(self._paid.values(), Usage())

    def finished(self) -> tuple[list[dict[str, Any]], list[RecordedCompaction]]:
        """All messages, and the compactions with positions among them."""
        messages: list[dict[str, Any]] = []
        starts: list[int] = []
        for at, turn in enumerate(self.turns):
            starts.append(len(messages))
            if at < len(self.turns) - 1:
                self._answer(turn, at)
            messages += turn.messages()
        starts.append(len(messages))
        return messages, moved(self.compactions, starts)

    def _stretch(self, found: Content, key: str, joins: bool) -> None:
        if joins:
            content = self.turns[-1].content
            content.parts += found.parts
            content.calls += found.calls
        elif found.parts or found.calls:
            self._spoken = len(self.turns)
            self.turns.append(_Turn("assistant", Content(found.parts, found.calls), key))
        for call in found.calls:
            self._owners[_id(call["id"])] = len(self.turns) - 1
        for result in found.results:
            self.result(result)

    def _answer(self, turn: _Turn, at: int) -> None:
        """Give a result to each call that was broken off."""
        for call in turn.content.calls:
            call_id = _id(call["id"])
            if call_id and (call_id, at) not in self._answered:
                missing = {"role": "tool", "tool_call_id": call["id"], "content": NO_RESULT}
                turn.content.results.append(missing)
                self.tally.repaired.append("call without a result given one that says so")


def _id(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else as_text(value)


def moved(compactions: list[RecordedCompaction], starts: list[int]) -> list[RecordedCompaction]:
    """Compactions whose positions are looked up in a list of new ones."""
    return [
        replace(each, at=starts[each.at], kept_from=starts[each.kept_from]) for each in compactions
    ]


def kept_only(
    compactions: list[RecordedCompaction], positions: list[int]
) -> tuple[RecordedCompaction, ...]:
    """Compactions after messages were left out; given are the positions of those that stayed."""
    return tuple(
        replace(
            each,
            at=bisect_left(positions, each.at),
            kept_from=bisect_left(positions, each.kept_from),
        )
        for each in compactions
    )
