"""Where a few words beside a point cover least of what is drawn around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Spot = tuple[float, float]
"""Across and up, in points of print."""
_DISTANCES = (9.0, 20.0, 32.0, 46.0)
"""How far words stand off their point, up or down; the nearest that covers nothing is taken."""
_ASIDE = (6.0, 30.0, 60.0)
_AIR = 4.0
"""What stays free around words."""


@dataclass(frozen=True, slots=True)
class Words:
    """A box of words by its lower left corner, and its size."""

    x: float
    y: float
    wide: float
    tall: float

    def holds(self, spot: Spot) -> bool:
        """Whether a spot lies in it or touches it."""
        x, y = spot
        return (
            self.x - _AIR < x < self.x + self.wide + _AIR
            and self.y - _AIR < y < self.y + self.tall + _AIR
        )

    def crosses(self, start: Spot, end: Spot) -> bool:
        """Whether a straight line between two spots runs through it.

        Clipped at one side after the other: Y.-D. Liang and B. A. Barsky, "A New Concept and Method
        for Line Clipping", ACM Transactions on Graphics 3 (1984), 1-22.
        """
        first, last = 0.0, 1.0
        sides = ((self.x, self.wide), (self.y, self.tall))
        for (low, size), come, go in zip(sides, start, end, strict=True):
            step, low, high = go - come, low - _AIR, low + size + _AIR
            if step == 0:
                if not low < come < high:
                    return False
                continue
            enters, leaves = sorted(((low - come) / step, (high - come) / step))
            first, last = max(first, enters), min(last, leaves)
        return first < last

    def touches(self, other: Words) -> bool:
        """Whether two boxes lie on one another."""
        return (
            self.x < other.x + other.wide + _AIR
            and other.x < self.x + self.wide + _AIR
            and self.y < other.y + other.tall
            and other.y < self.y + self.tall
        )


def free_place(
    point: Spot,
    size: tuple[float, float],
    marks: Sequence[Spot],
    lines: Sequence[tuple[Spot, Spot]],
    taken: Sequence[Words],
    edge: Spot,
) -> Words:
    """The place near a point that covers fewest marks, then fewest lines, then is nearest.

    Never on words that stand already, where that can be helped, nor beyond the panel, which goes
    from (0, 0) to its `edge`.
    """

    def badness(words: Words) -> tuple[int, int, float]:
        covered = sum(words.holds(mark) for mark in marks)
        covered += 100 * sum(words.touches(other) for other in taken)
        covered += 100 * (not _inside(words, edge))
        crossed = sum(words.crosses(*line) for line in lines)
        middle = words.x + words.wide / 2 - point[0], words.y + words.tall / 2 - point[1]
        return covered, crossed, abs(middle[0]) + 2 * abs(middle[1])

    return min(_places(point, *size), key=badness)


def _places(point: Spot, wide: float, tall: float) -> Iterator[Words]:
    x, y = point
    for off in _DISTANCES:
        for aside in _ASIDE:
            for left in (x - wide - aside, x + aside):
                yield Words(left, y + off, wide, tall)
                yield Words(left, y - off - tall, wide, tall)


def _inside(words: Words, edge: Spot) -> bool:
    right, top = words.x + words.wide, words.y + words.tall
    return words.x >= 0 and words.y >= 0 and right <= edge[0] and top <= edge[1]
