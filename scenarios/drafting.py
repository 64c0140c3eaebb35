"""A conversation while its parts are put together: the loader's working paper, no record."""

from __future__ import annotations

from dataclasses import dataclass, field

from compaction_eval.scenarios.records import Place, Poison, Statement
from compaction_eval.strategies.messages import Message


@dataclass(slots=True)
class Draft:
    """A conversation while it is being put together."""

    messages: list[Message] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    poison: list[Poison] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    filler: list[tuple[int, int]] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    """Facts of turns with a fault: that they are meant is all that is known of them."""
    transcript: str = ""
    """SHA-256 of the transcript that the messages are from, in hex; empty where they're written."""
