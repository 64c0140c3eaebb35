"""`evidence-only`: just the messages that hold the facts. What a perfect selection would keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from compaction_eval.strategies.base import AnswerKey, Compaction, Context
from compaction_eval.strategies.blocks import block_of
from compaction_eval.strategies.messages import Message, is_system, role
from compaction_eval.strategies.options import History
from compaction_eval.strategies.view import View


@dataclass(frozen=True, slots=True)
class EvidenceOnly:
    """Keeps system messages, each block that holds evidence, and the newest user message.

    Reads the answer key, so it is a control and no strategy; reports say so. It walks what it
    dropped and what it keeps, and what it keeps is the evidence: under `history: replace` it never
    sees the rest of the history again.
    """

    sees_answer_key: ClassVar[bool] = True

    history: History = "replace"

    @property
    def name(self) -> str:
        """The registered name."""
        return "evidence-only"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The evidence among the messages, and never nothing: at least the newest message."""
        everything = list(messages)
        if not everything:
            return Compaction(messages)
        kept = _kept(everything, context.answer_key or AnswerKey())
        if len(kept) == len(everything):
            return Compaction(messages)
        chosen = [everything[position] for position in sorted(kept)]
        dropped = [message for at, message in enumerate(everything) if at not in kept]
        view = messages.conversation.adopt(chosen) if isinstance(messages, View) else chosen
        return Compaction(view, "truncate", dropped)


def _kept(messages: list[Message], key: AnswerKey) -> set[int]:
    """Places of what stays."""
    evidence = {id(message) for message in key.evidence}
    kept = {at for at, message in enumerate(messages) if is_system(message)}
    for position, message in enumerate(messages):
        if id(message) in evidence and position not in kept:
            kept.update(block_of(messages, position))
    for position in range(len(messages) - 1, -1, -1):
        if role(messages[position]) == "user":
            kept.add(position)
            break
    if all(is_system(messages[position]) for position in kept):
        kept.add(len(messages) - 1)
    return kept
