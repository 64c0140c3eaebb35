"""Paths in messages: whatever a file is called, a message about it stays one line."""

from __future__ import annotations

import unicodedata

_JOINERS = frozenset("\u200c\u200d")
"""Parts of words in Persian and of emoji, which break and steer nothing."""


def path_text(path: object) -> str:
    """A path as shown: what can't be seen or would break the line as an escape, such as `\\n`."""
    text = str(path)
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")
