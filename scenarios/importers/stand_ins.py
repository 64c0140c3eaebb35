"""What stands in for a private value: the same shape, made from a number and not from the value.

Letters stay letters and digits digits, in their places, so the length, the boundaries and the
class of each sign are those of the original: what was a distinctive value stays one, and a path,
an address or a key still looks like one.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable, Iterator

from compaction_eval.scenarios.importers.private_values import Found, is_reserved

_TRIES = 1_000
_CAPITALS = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_CONSONANTS, _VOWELS, _HEX = "bdfgklmnprstvz", "aeiou", "abcdef"
_ACCENTED = "\u00e4\u00e9\u00f6\u00fc\u00f8"


class StandIns:
    """Hands out stand-ins one after the other; no two values get the same one."""

    def __init__(self, originals: Callable[[str], bool]) -> None:
        self._is_original = originals
        self._used: set[str] = set()
        self._labels: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._lengths: list[int] = []
        """Those of the keys, the longest first."""
        self._number = 0

    def for_value(self, found: Found) -> str:
        """The stand-in for a value, in lower case where that is a letter."""
        text = lowered(found.text)
        if found.kind == "host name":
            return self._host(text)
        if found.kind == "e-mail address":
            sign = "@" if "@" in text else "%40"
            local, _, host = text.partition(sign)
            return f"{self._label(local)}{sign}{self._host(host)}" if host else self._label(local)
        if found.kind == "IP address" and ":" not in text:
            return self._free(text, _octets)
        if found.kind == "key":
            return self._key(text, found.after)
        kept = text[: found.after]
        return kept + self._free(text[found.after :], _alike)

    def _key(self, text: str, after: int) -> str:
        """As for the shorter key that this one begins with, if there is one, and then its own."""
        lengths = (n for n in self._lengths if 7 < n < len(text))
        known = next((n for n in lengths if text[:n] in self._keys), 0)
        kept = self._keys[text[:known]] if known else text[:after]
        self._keys[text] = kept + self._free(text[known or after :], _alike)
        if self._lengths[:1] != [len(text)]:
            self._lengths.insert(0, len(text))  # shorter keys come first
        return self._keys[text]

    def _host(self, name: str) -> str:
        """Label by label, the same in each host that has it; the last of several stays."""
        if is_reserved(name):
            return name
        *labels, last = name.split(".")
        return ".".join([*map(self._label, labels), last]) if labels else self._label(last)

    def _label(self, label: str) -> str:
        if label not in self._labels:
            self._labels[label] = self._free(label, _alike)
        return self._labels[label]

    def _free(self, text: str, made: Callable[[str, Iterator[int]], str]) -> str:
        """One that is nobody's yet; of a text too short for that, just another."""
        self._number += 1
        found = text
        for attempt in range(_TRIES):
            found = made(text, _stream(f"{self._number}:{attempt}"))
            if found != text and found not in self._used and not self._is_original(found):
                break
        self._used.add(found)
        return found


def lowered(text: str) -> str:
    """A text without ASCII's capitals; its length stays, which others' don't always."""
    return text.translate(_CAPITALS)


def _stream(name: str) -> Iterator[int]:
    """Endless numbers from 0 to 255, the same for the same name."""
    block = 0
    while True:
        yield from hashlib.sha256(f"{name}:{block}".encode()).digest()
        block += 1


def _alike(text: str, numbers: Iterator[int]) -> str:
    """Sign by sign another of its class, and no digit 0, with which a number mustn't begin."""
    letters = [sign for sign in text if sign.isalpha()]
    hexadecimal = len(text) >= 8 and set(letters) <= set(_HEX) and len(letters) < len(text)
    made: list[str] = []
    for at, sign in enumerate(text):
        number = next(numbers)
        if sign.isdecimal():
            made.append(str(1 + number % 9))
        elif "\u00c0" <= sign <= "\u024f":
            made.append(_ACCENTED[number % len(_ACCENTED)])
        elif sign.isalpha():
            choice = _HEX if hexadecimal else (_CONSONANTS, _VOWELS)[at % 2]
            made.append(choice[number % len(choice)])
        else:
            made.append(sign)
    return "".join(made)


def _octets(text: str, numbers: Iterator[int]) -> str:
    """An address whose parts have as many digits as they had, and 0 where they were 0."""
    parts = []
    for part in text.split("."):
        low, high = {1: (1, 9), 2: (10, 99)}.get(len(part), (100, 254))
        parts.append(part if part == "0" else str(low + next(numbers) % (high - low + 1)))
    return ".".join(parts)
