"""`evidence-only`: just the messages that hold the facts. What a perfect selection would keep."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.blocks import block_of, blocks
from compaction_eval.strategies.cutting import omit, sliceable
from compaction_eval.strategies.messages import Message, is_system, role
from compaction_eval.strategies.options import History
from compaction_eval.strategies.view import View


@dataclass(frozen=True, slots=True)
class EvidenceOnly:
    """Keeps system messages, each block that holds evidence, and the newest user message.

    Reads the answer key, so it is a control and no strategy; reports say so.
    """

    sees_answer_key: ClassVar[bool] = True

    history: History = "replace"

    @property
    def name(self) -> str:
        """The registered name."""
        return "evidence-only"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The evidence among the messages; where no user speaks, also the newest message."""
        messages = sliceable(messages)
        evidence = context.answer_key.evidence if context.answer_key is not None else ()
        if isinstance(messages, View):
            beside = _beside_view(messages, evidence)
        else:
            beside = _beside_list(messages, evidence)
        newest = _newest_request(messages)
        gone = {at: message for at, message in beside if at != newest and not is_system(message)}
        if not gone:
            return Compaction(messages)
        return Compaction(omit(messages, gone), "truncate", list(gone.values()))


def _beside_list(
    messages: Sequence[Message], evidence: Sequence[Message]
) -> Iterator[tuple[int, Message]]:
    """Place and message of each message outside the blocks that hold evidence."""
    sought = set(map(id, evidence))
    held: set[int] = set()
    for block in blocks(messages):
        if any(id(messages[at]) in sought for at in block):
            held.update(block)
    return ((at, message) for at, message in enumerate(messages) if at not in held)


def _beside_view(view: View, evidence: Sequence[Message]) -> Iterator[tuple[int, Message]]:
    """The same, at the cost of the evidence, the view's parts and what is given back.

    Blocks are looked up in the whole conversation, since the view's parts may be many.
    """
    conversation = view.conversation
    whole = conversation.view(0, len(conversation.messages))
    end = max((part.stop for part in view.parts if isinstance(part, range)), default=0)
    positions = (conversation.position.get(id(message), end) for message in evidence)
    held = sorted({place for at in positions if at < end for place in block_of(whole, at)})
    before = 0
    for part in view.parts:
        if not isinstance(part, range):
            if not any(part is message for message in evidence):
                yield before, part
            before += 1
            continue
        start = part.start
        inside = held[bisect_left(held, part.start) : bisect_left(held, part.stop)]
        for stop in (*inside, part.stop):
            for position in range(start, stop):
                yield before + position - part.start, conversation.messages[position]
            start = stop + 1
        before += len(part)


def _newest_request(messages: Sequence[Message]) -> int:
    """Place of the newest user message; of the newest message where there is none."""
    every = list(messages)  # in a view of many parts, to get at each by its place would cost more
    for position in range(len(every) - 1, -1, -1):
        if role(every[position]) == "user":
            return position
    return len(every) - 1
