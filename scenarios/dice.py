"""Chance that falls the same way on every machine and in every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_CHARACTERS = "abcdefghijkmnpqrstuvwxyz0123456789"


class Dice:
    """A sequence of choices fixed by a text.

    Only `random.random` is used: its sequence is promised to stay, that of `choice` and `randint`
    is not.
    """

    def __init__(self, seed: str):
        self._next = random.Random(seed).random

    def pick(self, items: Sequence[T]) -> T:
        """One of some items."""
        return items[int(self._next() * len(items))]

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self._next() * (high - low + 1))

    def decimal(self, low: int, high: int, digits: int = 3) -> str:
        """A decimal from `low` up to `high` that isn't a whole number, as `6.0` would be."""
        fraction = self.number(1, 10**digits - 1)
        return f"{self.number(low, high - 1)}.{fraction:0{digits}}"

    def hexadecimal(self, length: int) -> str:
        """An id such as a commit's: up to 13 digits."""
        return f"{self.number(0, 16**length - 1):0{length}x}"

    def characters(self, length: int) -> str:
        """Letters and digits without a space."""
        chance, size = self._next, len(_CHARACTERS)
        return "".join([_CHARACTERS[int(chance() * size)] for _ in range(length)])

    def happens(self, share: float) -> bool:
        """True in this share of the cases."""
        return self._next() < share
