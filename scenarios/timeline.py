"""What holds at a place of the conversation: a fact's current value, and what it superseded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compaction_eval.scenarios.records import Statement
from compaction_eval.strategies.mentions import normalise


@dataclass(frozen=True, slots=True)
class Standing:
    """A fact at a place."""

    last: Statement
    """The newest statement, update or retraction before that place."""
    current: tuple[str, ...]
    """Accepted forms, as written; empty for a retracted fact."""
    superseded: tuple[str, ...]
    """Forms of earlier values that aren't forms of the current one."""


def standing(statements: Iterable[Statement], fact: str, place: int) -> Standing | None:
    """How a fact stands after `place` messages; None where it hasn't been said yet.

    A value that is said again takes its earlier forms along: they're accepted, not superseded.
    """
    said = [one for one in statements if one.fact == fact and one.message < place]
    if not said:
        return None
    last = said[-1]
    values = [one for one in said if not one.retraction]
    if last.retraction:
        return Standing(last, (), tuple(form for one in values for form in one.forms))
    value = normalise(last.value)
    current = [f for one in values if normalise(one.value) == value for f in one.forms]
    accepted = set(map(normalise, current))
    earlier = [f for one in values for f in one.forms if normalise(f) not in accepted]
    return Standing(last, tuple(dict.fromkeys(current)), tuple(dict.fromkeys(earlier)))
