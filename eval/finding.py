"""What one text says of what a probe looks for: pure functions over normalised texts."""

from __future__ import annotations

from dataclasses import dataclass

from compaction_eval.scenarios.forms import Form
from compaction_eval.strategies.mentions import outside


@dataclass(frozen=True, slots=True)
class Sought:
    """What a probe looks for at one place of the conversation."""

    current: tuple[Form, ...] = ()
    """Any of these says the value that holds; where none does, a value that nobody said."""
    stale: tuple[Form, ...] = ()
    """Any of these says a value that was superseded or taken back."""
    parts: tuple[Form, ...] = ()
    """All of these must be said; `current` is empty then."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a text says of what is sought; marks of texts that follow each other can be added."""

    current: bool = False
    stale: bool = False
    last_current: bool = False
    """Whether the last mention of either is of the current value."""
    parts: frozenset[int] = frozenset()

    def __add__(self, later: Marks) -> Marks:
        said = later.current or later.stale
        return Marks(
            self.current or later.current,
            self.stale or later.stale,
            later.last_current if said else self.last_current,
            self.parts | later.parts,
        )

    def __bool__(self) -> bool:
        return self.current or self.stale or bool(self.parts)


NOTHING = Marks()


def marks_in(text: str, sought: Sought) -> Marks:
    """What one normalised text says of what is sought."""
    current = [mention for form in sought.current for mention in form.find(text)]
    stale = [mention for form in sought.stale for mention in form.find(text)]
    parts = frozenset(index for index, form in enumerate(sought.parts) if form.find(text))
    if not (current or stale or parts):
        return NOTHING
    if current and stale:
        current, stale = outside(current, stale), outside(stale, current)
    last_current = max(current, default=(-1, -1)) > max(stale, default=(-1, -1))
    return Marks(bool(current), bool(stale), last_current, parts)
