"""Forms of a value: a text, a number compared by value, or a pattern, found in normalised texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from compaction_eval.scenarios.patterns import find_pattern
from compaction_eval.strategies.mentions import Mention, find_mentions, normalise

FormKind = Literal["text", "number", "regex"]

_NUMBER = re.compile(
    r"(?<![0-9a-z.])(?!(?<=[0-9],)[0-9]{3}(?![0-9]))"
    r"[-−]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
    r"(?![0-9a-z]|\.[0-9]|,[0-9]{3}(?![0-9]))"
)
"""A decimal that stands whole: `1.10` of the version 1.10.2 is none, nor is the 75 of 75kg."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which a value may be said: a normalised text, a number, or a pattern."""

    text: str
    kind: FormKind = "text"

    def find(self, text: str) -> list[Mention]:
        """Every place of a normalised text that says it. Raises SlowPatternError."""
        if self.kind == "text":
            return find_mentions(text, self.text)
        if self.kind == "number":
            wanted = as_number(self.text)
            found = _NUMBER.finditer(text)
            return [Mention(*match.span()) for match in found if as_number(match[0]) == wanted]
        return find_pattern(text, self.text)


def text_forms(values: Iterable[str]) -> tuple[Form, ...]:
    """The forms of values as written; without empty ones and repetitions."""
    return tuple(Form(text) for text in dict.fromkeys(map(normalise, values)) if text)


def accepted_forms(values: Iterable[str], match: str) -> tuple[Form, ...]:
    """The forms of a probe's `accept` under its `match`; of `all_of` and `set`, the parts."""
    if match == "number":
        return tuple(Form(value, "number") for value in values)
    if match == "regex":
        return tuple(Form(value, "regex") for value in values)
    return text_forms(values)


def value_forms(values: Iterable[str], match: str) -> tuple[Form, ...]:
    """The forms of a fact's value under a probe's `match`: numbers, where it compares such."""
    if match != "number":
        return text_forms(values)
    forms = (
        Form(normalise(value)) if as_number(value) is None else Form(value, "number")
        for value in values
    )
    return tuple(form for form in dict.fromkeys(forms) if form.text)


def as_number(text: str) -> Decimal | None:
    """The value of a decimal with optional thousand commas; None where it is none."""
    try:
        number = Decimal(text.replace(",", "").replace("−", "-"))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
