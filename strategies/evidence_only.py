"""`evidence-only`: just the messages that hold the facts. What a perfect selection would keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.blocks import block_of
from compaction_eval.strategies.cutting import omit, sliceable
from compaction_eval.strategies.messages import Message, is_system, role
from compaction_eval.strategies.options import History


@dataclass(frozen=True, slots=True)
class EvidenceOnly:
    """Keeps system messages, each block that holds evidence, and the newest user message.

    Reads the answer key, so it is a control and no strategy; reports say so.
    """

    sees_answer_key: ClassVar[bool] = True

    history: History = "replace"
    _chosen: dict[int, Message] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Messages known to stay, by identity. Only a shortcut: what stays once stays for good, and
    where half the history is evidence, to find its blocks again at each request would cost most."""

    @property
    def name(self) -> str:
        """The registered name."""
        return "evidence-only"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The evidence among the messages; where no user speaks, also the newest message."""
        messages = sliceable(messages)
        self._choose(messages, context)
        newest = _newest_request(messages)
        gone = [
            at
            for at, message in enumerate(messages)
            if id(message) not in self._chosen and at != newest
        ]
        if not gone:
            return Compaction(messages)
        return Compaction(omit(messages, gone), "truncate", [messages[at] for at in gone])

    def _choose(self, messages: Sequence[Message], context: Context) -> None:
        """Note the system messages and the blocks with evidence that weren't known yet."""
        chosen = self._chosen
        key = context.answer_key
        evidence = {id(message) for message in key.evidence} if key is not None else set()
        new = [(at, m) for at, m in enumerate(messages) if id(m) not in chosen]
        for at, message in new:
            if is_system(message):
                chosen[id(message)] = message
            elif id(message) in evidence:
                for place in block_of(messages, at):
                    chosen[id(messages[place])] = messages[place]


def _newest_request(messages: Sequence[Message]) -> int:
    """Place of the newest user message; of the newest message where there is none."""
    for position in range(len(messages) - 1, -1, -1):
        if role(messages[position]) == "user":
            return position
    return len(messages) - 1
