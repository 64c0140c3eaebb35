"""The facts that summaries are looked through for: what probes ask for, where it is said."""

from __future__ import annotations

from dataclasses import dataclass

from compaction_eval.strategies.base import AnswerKey
from compaction_eval.strategies.mentions import mentions_any, normalise
from compaction_eval.strategies.messages import reading_text
from compaction_eval.strategies.view import Conversation

NEVER = 10**12
"""A place behind every conversation."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A statement of a fact that some probe asks for."""

    fact: str
    """The id of the fact."""
    position: int
    """Of the message that says it."""
    forms: tuple[str, ...]
    """What counts as the value, normalised."""
    superseded: int
    """Position of the message that says another value or takes it back."""


def planted_facts(key: AnswerKey, conversation: Conversation) -> tuple[Planted, ...]:
    """The statements of an answer key that can be looked for, in the order in which they're
    said."""
    found: list[Planted] = []
    next_said: dict[str, int] = {}
    for fact in reversed(key.facts):
        position = conversation.position[id(fact.message)]
        superseded = next_said.get(fact.id, NEVER)
        next_said[fact.id] = position
        forms = tuple(map(normalise, fact.forms))
        # A pattern is no value; what a probe only accepts needn't stand anywhere.
        if not fact.retraction and mentions_any(normalise(reading_text(fact.message)), forms):
            found.append(Planted(fact.id, position, forms, superseded))
    return tuple(reversed(found))
