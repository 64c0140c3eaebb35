"""What of a request was sent before: a memory of prefixes, as a provider's cache would keep it.

A request is a few references, so finding its longest known prefix takes as many steps as it has
parts, however many messages these stand for and however many requests came before.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from compaction_eval.eval.cost.sizes import Size, Sizes, View
from compaction_eval.eval.records import PartRef


@dataclass(slots=True)
class _Place:
    """All prefixes that end within one part, after the same parts before it."""

    uses: deque[tuple[int, float]] = field(default_factory=deque)
    """How far requests went, and when: time rises, reach falls, since a farther later use covers
    an earlier one."""
    entries: list[int] = field(default_factory=list)
    """Where what was written down ends, rising."""

    def use(self, stop: int, now: float) -> None:
        while self.uses and self.uses[-1][0] <= stop:
            self.uses.pop()
        self.uses.append((stop, now))

    def reach(self, expired: float) -> int | None:
        """How far it is known since a moment; None where it isn't. What is older is forgotten."""
        while self.uses and self.uses[0][1] <= expired:
            self.uses.popleft()
        known = self.uses[0][0] if self.uses else None
        while self.entries and (known is None or self.entries[-1] > known):
            self.entries.pop()
        return known


@dataclass(slots=True)
class Prefixes:
    """The prefixes of one conversation's requests. Moments never go back."""

    sizes: Sizes
    _places: dict[tuple[int, int | str], _Place] = field(default_factory=dict)
    _chains: dict[tuple[int, PartRef], int] = field(default_factory=dict)
    """What comes after a part, by what came before it: each sequence of parts has a number."""

    def longest(self, view: View, expired: float) -> Size:
        """The longest prefix, in whole messages, that any request since a moment began with."""
        ends = [end for _, end in self._walk(view, expired)]
        return self._up_to(view, len(ends), ends[-1]) if ends else Size()

    def longest_entry(self, view: View, expired: float) -> Size | None:
        """The longest prefix that was entered and used since a moment; None where none was."""
        parts = end = 0
        for walked, (place, reached) in enumerate(self._walk(view, expired), start=1):
            at = bisect_right(place.entries, reached)
            if at:
                parts, end = walked, place.entries[at - 1]
        return self._up_to(view, parts, end) if parts else None

    def _up_to(self, view: View, parts: int, end: int) -> Size:
        """The size of so many parts, of the last of them up to `end`."""
        return self.sizes.total(view[: parts - 1]) + self.sizes.of(view[parts - 1], end)

    def use(self, view: View, now: float, expired: float) -> None:
        """Remember that a request began with this, and with all that it begins with."""
        chain = 0
        for part in view:
            place = self._place(chain, part)
            place.reach(expired)
            place.use(_stop(part), now)
            chain = self._chains.setdefault((chain, part), len(self._chains) + 1)

    def enter(self, view: View) -> None:
        """Write down that there is an entry for just this; it was used before."""
        chain = 0
        for part in view[:-1]:
            chain = self._chains[chain, part]
        for part in view[-1:]:
            entries, stop = self._place(chain, part).entries, _stop(part)
            if not entries or entries[-1] < stop:
                entries.append(stop)
            elif entries[bisect_right(entries, stop) - 1] != stop:
                insort(entries, stop)

    def _place(self, chain: int, part: PartRef) -> _Place:
        return self._places.setdefault((chain, _start(part)), _Place())

    def _walk(self, view: View, expired: float) -> Iterator[tuple[_Place, int]]:
        """The place of each part that is known, and how far it is."""
        chain: int | None = 0
        for part in view:
            place = self._places.get((chain, _start(part))) if chain is not None else None
            known = place.reach(expired) if place is not None else None
            if place is None or known is None:
                return
            yield place, min(_stop(part), known)
            if known < _stop(part):
                return
            chain = self._chains.get((chain or 0, part))


def _start(part: PartRef) -> int | str:
    return part if isinstance(part, str) else part[0]


def _stop(part: PartRef) -> int:
    """Where it ends; a single message has one end."""
    return 0 if isinstance(part, str) else part[1]
