"""One spelling for numbers and versions that can be written in several ways and mean one thing.

A number in thousands loses its separators and a version its `v`, in the answer and in the values
alike: `9,443` answers for 9443, and `v2.4.1` for 2.4.1. Which sign separates thousands depends on
the language: `9,443` is nine thousand in English and nine and a half in German. A number that
could be either, or two numbers of a list, stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_BY_COMMA = frozenset(("en", "zh", "ja", "ko", "yue", "th", "he"))
"""Languages that write 9,443.5."""
_BY_POINT = frozenset(("de", "nl", "it", "pt", "id", "tr", "da", "el", "ro", "hr", "sl", "vi"))
"""Languages that write 9.443,5."""
_BY_SPACE = frozenset(
    ("fr", "sv", "fi", "nb", "nn", "no", "pl", "cs", "sk", "ru", "uk", "bg", "hu", "lt", "lv", "et")
)
"""Languages that write 9 443,5."""
_ANYWHERE = ("[\u00a0\u2007\u2008\u2009\u202f]", "['\u2019]", r"\\,", r"\{,\}")
"""Spaces at which no line breaks, the Swiss apostrophe, and the ways of LaTeX."""
_MOMENT = "(?<![0-9][-/][0-9][0-9][-/])(?<![0-9]:)"
"""Not the last part of a date or a time, behind which a space begins another number."""
_WIDE = re.compile(
    "(?<![0-9a-z０-９])[１-９][０-９]{0,2}(?:[,，][０-９]{3})+(?![,，]?[０-９])", re.I
)
"""In full-width digits; between others a full-width comma parts the members of a list."""
_SEPARATED = re.compile("[,，]")
_VERSION = re.compile(
    r"(?<![0-9a-z])v(?=[0-9]+(?:\.[0-9]+){2})|(?<![0-9a-z/._-])v(?=[0-9]+\.[0-9])",
    re.IGNORECASE,
)
"""A `v` before a version; before one of two parts only where it opens a word, since `/v2.4/` may
be any path."""
_LONE_VERSION = re.compile(r"v(?P<number>[0-9]+)")


def plain_spelling(text: str, language: str) -> str:
    """A text, not normalised yet, with its numbers and versions in one spelling.

    `language`: ISO 639-1 code of the conversation, by whose custom numbers are read.
    """
    for pattern in _grouped(language.split("-")[0].lower()):
        text = pattern.sub(_ungrouped, text)
    text = _WIDE.sub(lambda found: _SEPARATED.sub("", found[0]), text)
    return _VERSION.sub("", text)


def other_spellings(value: str) -> Iterator[str]:
    """Further ways to write a normalised value: of `v3` those that have the word."""
    found = _LONE_VERSION.fullmatch(value)
    if found:
        for word in ("version", "版本", "バージョン"):
            yield f"{word} {found['number']}"
            yield f"{word}{found['number']}"


@cache
def _grouped(code: str) -> tuple[re.Pattern[str], ...]:
    """What numbers in thousands look like in a language."""
    found = [_number(sign, ".,") for sign in _ANYWHERE]
    # With two commas in a number neither is a decimal mark.
    found.append(_number(",", ".", "+" if code in _BY_COMMA else "{2,}"))
    if code in _BY_POINT:
        # Four groups are an address of the internet.
        found.append(_number(r"\.", ",", "{1,2}"))
    if code in _BY_SPACE:
        found.append(_number(" ", ","))
    return tuple(found)


def _number(sign: str, decimal: str, times: str = "+") -> re.Pattern[str]:
    """A whole number that stands alone, with a sign between its thousands and perhaps decimals."""
    spaced = sign == " "
    marks = ".,'\u2019 " if spaced else ".,'\u2019"
    return re.compile(
        rf"(?<![0-9a-z])(?<![0-9][{marks}]){_MOMENT if spaced else ''}"
        rf"[1-9][0-9]{{0,2}}(?P<rest>(?:{sign}[0-9]{{3}}){times})"
        rf"(?P<part>[{decimal}][0-9]+)?(?![0-9]|[.,'\u2019][0-9]|{sign}[0-9])",
        re.IGNORECASE,
    )


def _ungrouped(found: re.Match[str]) -> str:
    first = found[0][: found.start("rest") - found.start()]
    part = found["part"]
    return first + re.sub("[^0-9]", "", found["rest"]) + (f".{part[1:]}" if part else "")
