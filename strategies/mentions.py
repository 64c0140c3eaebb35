"""Where a text mentions a value: the one rule by which facts are looked for anywhere.

Texts and values are normalised (NFKC, casefold, white space collapsed). A value is found where it
stands whole: next to an edge of it that is an ASCII letter or digit there is none in the text.
At a digit the number must end too: `75` isn't in `75.5`, `1.10` not in `1.10.2`, `75` not in
`75,000`; but `1625` is in `1625.0`, and `75` in `[75,76]` and in `人均消费75元`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_DIGITS = frozenset("0123456789")


class Mention(NamedTuple):
    """A stretch of a normalised text, in characters."""

    start: int
    end: int


def normalise(text: str) -> str:
    """The text as it is compared: NFKC, casefolded, each run of white space one space."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split())


@lru_cache(maxsize=65536)
def _pattern(value: str) -> re.Pattern[str]:
    """The search for a normalised, non-empty value."""
    before = after = ""
    if value[0] in _ALNUM:
        before = "(?<![a-z0-9])"
    if value[0] in _DIGITS:
        before += r"(?<![0-9]\.)"
        leading = re.match("[0-9]+", value)
        if leading is not None and len(leading[0]) == 3:
            before += "(?<![0-9],)"
    if value[-1] in _ALNUM:
        after = "(?![a-z0-9])"
    if value[-1] in _DIGITS:
        only_zeros = r"\.0+(?![0-9]|\.[0-9])"
        after += rf"(?!(?!{only_zeros})\.[0-9])(?!,[0-9]{{3}}(?![0-9]))"
    return re.compile(before + re.escape(value) + after)


def find_mentions(text: str, value: str, start: int = 0, end: int | None = None) -> list[Mention]:
    """All places where a normalised text mentions a normalised value, in order."""
    stop = len(text) if end is None else end
    if not value or text.find(value, start, stop) < 0:
        return []
    return [Mention(*match.span()) for match in _pattern(value).finditer(text, start, stop)]


def mentions(text: str, value: str) -> bool:
    """Whether a normalised text mentions a normalised value."""
    return value in text and bool(value) and _pattern(value).search(text) is not None


def mentions_any(text: str, values: Iterable[str]) -> bool:
    """Whether a normalised text mentions one of some normalised values."""
    return any(mentions(text, value) for value in values)
