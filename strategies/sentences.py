"""Where a text can be cut: lines and sentences, in scripts with and without spaces."""

from __future__ import annotations

import re

# A full stop ends a sentence only before white space, so that file names, versions and decimals
# stay whole; not after an initial, a small ordinal (German dates, numbered lists) or a common
# abbreviation.
_BOUND = re.compile(
    r"(?<=[。！？；])(?![”’」』）)])"
    r"|(?<=[。！？；][”’」』）)])"
    r"|(?<=[.!?;])\s+(?<!\s[A-Z]\.\s)(?<!\b\d\.\s)(?<!\b\d\d\.\s)"
    r"(?<!\be\.g\.\s)(?<!\bi\.e\.\s)(?<!\bz\.\sB\.\s)"
    r"(?<!\b(?:Dr|Mr|Ms|Nr|St|vs)\.\s)(?<!\b(?:Mrs|bzw)\.\s)"
    r"|(?<=[.!?][\"')])\s+"
)


def sentences(text: str) -> list[str]:
    """The text's sentences in order, stripped, without empty ones; a line's end always ends one."""
    found: list[str] = []
    for line in text.splitlines():
        found.extend(piece for part in _BOUND.split(line) if (piece := part.strip()))
    return found
