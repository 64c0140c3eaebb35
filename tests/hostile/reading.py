"""Readers of outputs, none of which uses what the outputs were made with."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_STEERING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_COMMAND = re.compile(
    r"^\s*::(?:error|warning|notice|debug|group|endgroup|add-mask|add-matcher|remove-matcher"
    r"|set-output|set-env|add-path|save-state|stop-commands|echo)\b|##\[|##vso\[|##teamcity\[",
    re.MULTILINE,
)


def steering(text: str, *, allowed: str = "\n") -> list[str]:
    """What in a text steers its reader's screen, or can't be seen, each by its code."""
    found = {
        f"U+{ord(char):04X}"
        for char in set(text) - set(allowed)
        if char in _FILLERS or (unicodedata.category(char) in _STEERING and char not in _JOINERS)
    }
    hidden = re.search(
        "[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
        "[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]",
        text,
    )
    return [*sorted(found), *(["joiners or selectors in a row"] if hidden else [])]


def highest(text: str) -> int:
    """Marks on the letter that has most of them."""
    most = marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        most = max(most, marks)
    return most


def commands(text: str) -> list[str]:
    """The lines of a log that a CI system obeys."""
    return [line for line in text.split("\n") if _COMMAND.search(line)]


def cells(line: str) -> int:
    """Cells of a Markdown table's line, by its pipes that aren't escaped."""
    return len(re.sub(r"\\.", "", line).strip().strip("|").split("|"))


def tables(text: str) -> Iterator[list[str]]:
    """The lines of each table of a Markdown page."""
    found: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            found.append(line)
        elif found:
            yield found
            found = []
