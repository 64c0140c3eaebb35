"""A seeded sample of conversations, the same on every machine and in whatever order they come."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

Key = tuple[str, int]
"""A file's name, and which of its conversations."""


def drawn(conversations: Iterable[Key], number: int, seed: int) -> frozenset[Key]:
    """As many of some conversations, or all if there are fewer.

    Each one's place in the draw hangs on its own key and the seed alone, so a further file takes
    few others' places.
    """
    return frozenset(sorted(set(conversations), key=lambda key: _lot(key, seed))[:number])


def _lot(key: Key, seed: int) -> tuple[bytes, Key]:
    name, at = key
    text = f"{seed}\n{at}\n{name}".encode(errors="surrogateescape")
    return hashlib.sha256(text).digest(), key
