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
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_DIGITS = frozenset("0123456789")
_THREE_DIGITS = re.compile("[0-9]{3}(?![0-9])")
_GOES_ON_AS_WRITTEN = re.compile(r"\.[0-9]|,[0-9]{3}(?![0-9])")
_RUN = re.compile("[a-z0-9]*")
_WORD = re.compile(rf"{_RUN.pattern}(?:(?<=[0-9])(?:{_GOES_ON_AS_WRITTEN.pattern}){_RUN.pattern})*")
_GOES_ON = re.compile(rf"(?!\.0+(?![0-9]|\.[0-9]))(?:{_GOES_ON_AS_WRITTEN.pattern})")
LONG = 64
"""Characters up to which a value is compared anew wherever it may stand."""
FAILURES = 32
"""Places where a longer one isn't whole after which the rest of the text is walked once only."""


class Mention(NamedTuple):
    """A stretch of a normalised text, in characters."""

    start: int
    end: int


def normalise(text: str) -> str:
    """The text as it is compared: NFKC, casefolded, each run of white space one space."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split())


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
    """Each mention in turn; by plain searches, as one pattern per value is slow to compile.

    Where the value is only a piece of a longer run, the search goes on behind that run: to look at
    each of its places would cost a text of one character its length squared. A long value in a text
    of one phrase, again and again, would cost the same: it stands at each repetition, never whole.
    """
    size = len(value)
    at = text.find(value) if size else -1
    failures = 0
    overlapping: Iterator[int] | None = None
    while at >= 0:
        end = at + size
        if not _begins(text, at):
            failures += 1
            after = _stop(_WORD, text, at)
        elif not _ends(text, end, goes_on):
            failures += 1
            after = max(at + 1, _word_end(text, end, goes_on) - size)
        else:
            yield Mention(at, end)
            after = end
        if size > LONG and failures == FAILURES and overlapping is None:
            overlapping = _overlapping(text, value, after)
        if overlapping is None:
            at = text.find(value, after)
        else:
            at = next((place for place in overlapping if place >= after), -1)


def _overlapping(text: str, value: str, start: int) -> Iterator[int]:
    """Every place from `start` on where the value stands, each character looked at once.

    By Knuth, Morris and Pratt: what has been compared tells how far the value can be shifted.
    """
    borders = _borders(value)
    size, matched = len(value), 0
    for at in range(start, len(text)):
        character = text[at]
        while matched and value[matched] != character:
            matched = borders[matched - 1]
        if value[matched] == character:
            matched += 1
        if matched == size:
            yield at + 1 - size
            matched = borders[matched - 1]


def _borders(value: str) -> list[int]:
    """Of each beginning of a value, the length of the longest shorter one that also ends it."""
    borders = [0] * len(value)
    matched = 0
    for at in range(1, len(value)):
        while matched and value[matched] != value[at]:
            matched = borders[matched - 1]
        if value[matched] == value[at]:
            matched += 1
        borders[at] = matched
    return borders


def _begins(text: str, start: int) -> bool:
    """Whether no word or number from before `start` goes on there."""
    if text[start] not in _ALNUM or start == 0:
        return True
    if text[start - 1] in _ALNUM:
        return False
    if text[start] in _DIGITS and start > 1 and text[start - 2] in _DIGITS:
        # The tail of a decimal or version, or the last three digits of a number in thousands.
        mark = text[start - 1]
        return not (mark == "." or (mark == "," and _THREE_DIGITS.match(text, start)))
    return True


def _ends(text: str, end: int, goes_on: re.Pattern[str]) -> bool:
    """Whether no word or number that stands before `end` goes on there."""
    last = text[end - 1]
    if last in _ALNUM and end < len(text) and text[end] in _ALNUM:
        return False
    return not (last in _DIGITS and goes_on.match(text, end))


def _word_end(text: str, end: int, goes_on: re.Pattern[str]) -> int:
    """Where the word or number that goes on at `end` is over at last."""
    digits = text[end - 1] in _DIGITS
    end = _stop(_RUN, text, end)
    while digits and goes_on.match(text, end):
        end = _stop(_RUN, text, end + 1)
    return end


def _stop(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where what a pattern, which may match nothing, finds at a place ends."""
    found = pattern.match(text, at)
    return at if found is None else found.end()


def outside(these: Iterable[Mention], others: Iterable[Mention]) -> list[Mention]:
    """The mentions that don't lie inside a longer mention of another value.

    "10.0.0.1" said as part of "10.0.0.12" is no mention anyway, but "Lund" in "Lund East" is.
    """
    starts: list[int] = []
    reach: list[Mention] = []
    """Of the others up to each one, by start: the one that ends last, of several the longest."""
    for other in sorted(others):
        starts.append(other.start)
        reach.append(reach[-1] if reach and reach[-1].end >= other.end else other)
    free = []
    for mention in these:
        before = bisect_right(starts, mention.start)
        longest = reach[before - 1] if before else mention
        if longest.end < mention.end or longest == mention:
            free.append(mention)
    return free


def mentions_any(text: str, values: Iterable[str]) -> bool:
    """Whether a normalised text mentions one of some normalised values."""
    return any(mentions(text, value) for value in values)
