"""Ids for imported conversations: stable, unique, safe as a file's name on every system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

LONGEST = 60
"""Characters of an id, before what is added where it is taken."""
LONGEST_TITLE = 100
NAMELESS = "conversation"
"""The id of what has no name that can be part of one, and the beginning of what is odd."""
_NAMES = ("id", "conversation_id", "session_id", "custom_id")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
_REPEATED = re.compile(r"([.-])[.-]+")
# Names that Windows keeps for devices, whatever their ending.
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def safe_id(name: str) -> str:
    """A name as an id: ASCII letters, digits, `_`, `.`, `-` stay, everything else becomes `-`."""
    unaccented = unicodedata.normalize("NFKD", name)
    text = "".join(letter for letter in unaccented if not unicodedata.combining(letter))
    text = _UNSAFE.sub("-", text)
    text = _REPEATED.sub(r"\1", text).strip("-._")[:LONGEST].rstrip("-._")
    if not text:
        return NAMELESS
    return f"{NAMELESS}-{text}" if _DEVICES.fullmatch(text) else text


def name_and_title(path: Path, labels: Sequence[str]) -> tuple[str, str]:
    """What a file's conversation is called: for its id, and in a line that any terminal shows."""
    words = [word for label in labels for word in label.split()]
    title = ", ".join([path.name, *labels])
    shown = "".join(letter if letter.isprintable() else "?" for letter in title)
    return "-".join([path.stem, *words]), shown[:LONGEST_TITLE]


def labels(entry: object) -> list[str]:
    """What a conversation's own keys call it: `task 9`, `trial 0`, or its id."""
    if not isinstance(entry, Mapping):
        return []
    named = [
        f"{key.removesuffix('_id')} {entry[key]}"
        for key in ("task_id", "trial")
        if _is_name(entry.get(key))
    ]
    return named or [str(entry[key]) for key in _NAMES if _is_name(entry.get(key))][:1]


def _is_name(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and bool(value.strip()))


class Ids:
    """Hands out ids, each once; where one is taken, `-2`, `-3` and so on are added."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}
        """Each id that was handed out, and the last number that was added to it."""

    def take(self, name: str) -> str:
        """The id for a conversation of this name."""
        wanted = found = safe_id(name)
        # Some file systems don't tell A from a.
        number = self._taken.get(wanted.casefold(), 1)
        while found.casefold() in self._taken:
            number += 1
            found = f"{wanted}-{number}"
        self._taken[wanted.casefold()] = number
        self._taken.setdefault(found.casefold(), 1)
        return found
