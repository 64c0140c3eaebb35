"""Where a text mentions a value: the one rule by which facts are looked for anywhere.

Texts and values are normalised (NFKC, casefold, white space collapsed). A value is found where it
stands whole: next to an edge of it that is an ASCII letter or digit there is none in the text.
At a digit the number must end too: `75` isn't in `75.5`, `1.10` not in `1.10.2`, `75` not in
`75,000`; but `1625` is in `1625.0` (unless it is asked for as written), and `75` in `[75,76]` and
in `人均消费75元`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_DIGITS = frozenset("0123456789")
_THREE_DIGITS = re.compile("[0-9]{3}(?![0-9])")
_GOES_ON_AS_WRITTEN = re.compile(r"\.[0-9]|,[0-9]{3}(?![0-9])")
_GOES_ON = re.compile(rf"(?!\.0+(?![0-9]|\.[0-9]))(?:{_GOES_ON_AS_WRITTEN.pattern})")


class Mention(NamedTuple):
    """A stretch of a normalised text, in characters."""

    start: int
    end: int


def normalise(text: str) -> str:
    """The text as it is compared: NFKC, casefolded, each run of white space one space."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split())


def _stands_whole(text: str, start: int, end: int, goes_on: re.Pattern[str]) -> bool:
    """Whether no longer word or number holds `text[start:end]`."""
    first, last = text[start], text[end - 1]
    if first in _ALNUM and start and text[start - 1] in _ALNUM:
        return False
    if last in _ALNUM and end < len(text) and text[end] in _ALNUM:
        return False
    if first in _DIGITS and start > 1 and text[start - 2] in _DIGITS:
        # The tail of a decimal or version, or the last three digits of a number in thousands.
        mark = text[start - 1]
        if mark == "." or (mark == "," and _THREE_DIGITS.match(text, start)):
            return False
    return not (last in _DIGITS and goes_on.match(text, end))


def find_mentions(text: str, value: str) -> list[Mention]:
    """All places where a normalised text mentions a normalised value, in order, none twice."""
    return list(_each(text, value, _GOES_ON))


def mentions(text: str, value: str, *, as_written: bool = False) -> bool:
    """Whether a normalised text mentions a normalised value.

    `as_written`: a number doesn't end before a point and zeros either, so `1625.0` isn't `1625`.
    """
    goes_on = _GOES_ON_AS_WRITTEN if as_written else _GOES_ON
    return any(True for _ in _each(text, value, goes_on))


def _each(text: str, value: str, goes_on: re.Pattern[str]) -> Iterator[Mention]:
    """Each mention in turn; by plain searches, as one pattern per value is slow to compile."""
    size = len(value)
    at = text.find(value) if size else -1
    while at >= 0:
        end = at + size
        whole = _stands_whole(text, at, end, goes_on)
        if whole:
            yield Mention(at, end)
        at = text.find(value, end if whole else at + 1)


def mentions_any(text: str, values: Iterable[str]) -> bool:
    """Whether a normalised text mentions one of some normalised values."""
    return any(mentions(text, value) for value in values)
