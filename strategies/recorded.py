"""`recorded`: what the recorded agent's own tool did, done again. Not a choice, a yardstick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from compaction_eval.strategies.base import Compaction, Context, ToolCompaction
from compaction_eval.strategies.cutting import join, leading, sliceable
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.summary import SUMMARY_NAME, is_summary


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the agent's own tool did, at any budget; for conversations where that is recorded."""

    replays_recording: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """The registered name."""
        return "recorded"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """At the first request after a recorded compaction the view that the tool made."""
        messages = sliceable(messages)
        for done in reversed(context.recorded):
            said = _place(messages, done.after)
            if said is not None:
                return _compacted(messages, done, said)
        return Compaction(messages)


def _compacted(messages: Sequence[Message], done: ToolCompaction, said: int) -> Compaction:
    """The tool's view of messages of which the one at `said` was the newest at its compaction."""
    front = leading(messages)
    # A summary that stands in front is replaced, whatever stays.
    oldest = front + sum(map(is_summary, messages[front : front + 1]))
    start = max(_start(messages[: said + 1], done.kept), oldest)
    before = messages[front:start]
    if len(before) == 1 and before[0] == _message(done.summary):
        return Compaction(messages)
    dropped = [message for message in before if not is_summary(message)]
    view = join(messages, (messages[:front], [_message(done.summary)], messages[start:]))
    return Compaction(view, "summarize", dropped, done.summary, replayed=True)


def _start(said: Sequence[Message], kept: Message | None) -> int:
    """Where what stayed begins: after all that was said, where nothing did.

    A message that had gone already stood before all that is still here.
    """
    return len(said) if kept is None else _place(said, kept) or 0


def _message(summary: str) -> Message:
    """The tool's summary as the tool gave it, with no word of ours; known by its name."""
    return cast("Message", {"role": "user", "name": SUMMARY_NAME, "content": summary})


def _place(messages: Sequence[Message], sought: Message) -> int | None:
    return next((at for at, message in enumerate(messages) if message is sought), None)
