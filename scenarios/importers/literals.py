"""One pattern for thousands of literal texts, which share their beginnings in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

_DEEPEST = 20
"""Patterns inside each other, behind which the rest of the texts is told one by one."""


def any_of(texts: Iterable[str]) -> str:
    """A regular expression that matches the longest of some texts at a place."""
    return _expression(sorted(set(texts)), 0)


def _expression(texts: Sequence[str], depth: int) -> str:
    """For texts in order: what they have in common, then the ways on."""
    common = _beginning(texts[0], texts[-1]) if texts else ""
    rests = [text[len(common) :] for text in texts]
    ways: Iterable[str]
    if depth == _DEEPEST:
        ways = map(re.escape, sorted(filter(None, rests), key=len, reverse=True))
    else:
        longer = groupby(filter(None, rests), key=lambda rest: rest[0])
        ways = (_expression(list(group), depth + 1) for _, group in longer)
    written = "|".join(ways)
    if not written:
        return re.escape(common)
    return f"{re.escape(common)}(?:{written}){'' if all(rests) else '?'}"


def _beginning(one: str, other: str) -> str:
    """What two texts have in common at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    shortest = min(len(one), len(other))
    return one[: next((at for at, (a, b) in pairs if a != b), shortest)]
