"""What a probe looks for, and what one text says of it: pure functions over normalised texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal

from compaction_eval.strategies.mentions import Mention, find_mentions, normalise

FormKind = Literal["text", "number", "regex"]

_NUMBER = re.compile(
    r"(?<![0-9a-z.])[-−]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?![0-9a-z])"
)


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which a value may be said: a normalised text, a number, or a pattern."""

    text: str
    kind: FormKind = "text"

    def find(self, text: str) -> list[Mention]:
        """Every place of a normalised text that says it."""
        if self.kind == "text":
            return find_mentions(text, self.text)
        if self.kind == "number":
            wanted = as_number(self.text)
            found = _NUMBER.finditer(text)
            return [Mention(*match.span()) for match in found if as_number(match[0]) == wanted]
        return [Mention(*match.span()) for match in _compiled(self.text).finditer(text)]


def text_forms(values: tuple[str, ...]) -> tuple[Form, ...]:
    """The distinct forms of values as written; what normalises to nothing is left out."""
    return tuple(Form(text) for text in dict.fromkeys(map(normalise, values)) if text)


def as_number(text: str) -> Decimal | None:
    """The value of a decimal with optional thousand commas; None where it is none."""
    try:
        return Decimal(text.replace(",", "").replace("−", "-"))
    except InvalidOperation:
        return None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sought:
    """What a probe looks for at one place of the conversation."""

    current: tuple[Form, ...] = ()
    """Any of these says the value that holds."""
    stale: tuple[Form, ...] = ()
    """Any of these says a value that was superseded."""
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
        # "10.0.0.1" said as part of "10.0.0.12" never reaches here, but "Lund" in "Lund East" does.
        current, stale = _outside(current, stale), _outside(stale, current)
    last_current = max(current, default=(-1, -1)) > max(stale, default=(-1, -1))
    return Marks(bool(current), bool(stale), last_current, parts)


def _outside(these: list[Mention], others: list[Mention]) -> list[Mention]:
    """The mentions that don't lie inside a longer mention of the other value."""
    return [
        mention
        for mention in these
        if not any(
            other.start <= mention.start
            and mention.end <= other.end
            and other.end - other.start > mention.end - mention.start
            for other in others
        )
    ]
