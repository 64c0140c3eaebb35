"""Back along the main line: how often the view was compacted since, and where a value was lost."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from compaction_eval.eval.questions import Question, TextOf
from compaction_eval.eval.records import Verdict
from compaction_eval.eval.replay import Request

LOST: tuple[Verdict, ...] = ("mixed", "stale", "missing")
"""Verdicts on a value, or on a retraction, that was in view once."""


@dataclass(slots=True)
class Trace:
    """The requests of one cell, and its main line in them."""

    requests: Sequence[Request]
    text_of: TextOf
    main: list[int] = field(init=False)
    """Indices of the main line's requests."""
    request_at: dict[int, int] = field(init=False)
    """Place of a main-line request -> its index."""
    _places: list[int] = field(init=False)
    _fired: list[int] = field(init=False)
    """How many of the first so many main-line requests changed the view."""

    def __post_init__(self) -> None:
        requests = self.requests
        self.main = [at for at, request in enumerate(requests) if request.question is None]
        self._places = [requests[index].record.at for index in self.main]
        self.request_at = dict(zip(self._places, self.main, strict=True))
        self._fired = list(accumulate(map(self._changed, self.main), initial=0))

    def compactions(self, source: int, index: int) -> int:
        """Compactions since a message was said, up to and with the request at an index."""
        first, stop = self._between(source, index)
        return self._fired[stop] - self._fired[first] + self._changed(index)

    def lost_at(self, question: Question, source: int, index: int) -> int:
        """Index of the request from which on the value is out of view, up to the one at `index`.

        Once nothing more is said of it, a folding view never gets back what it lost, so the place
        is found by bisection; up to there the search goes back request by request. Under
        `history: keep` each request starts anew, and the answer is one such request.
        """
        first, stop = self._between(source, index)
        last_said = question.positions[-1] if question.positions else source
        settled = min(max(bisect_right(self._places, last_said), first), stop)

        def lost(index: int) -> bool:
            return question.verdict(self.requests[index].view, self.text_of)[0] in LOST

        found = bisect_left(self.main, True, settled, stop, key=lost)
        if found == settled:
            while found > first and lost(self.main[found - 1]):
                found -= 1
        return self.main[found] if found < stop else index

    def _between(self, source: int, index: int) -> tuple[int, int]:
        """The main-line requests after a message was said and before an index, as a stretch."""
        return bisect_right(self._places, source), bisect_left(self.main, index)

    def _changed(self, index: int) -> bool:
        return self.requests[index].record.action != "none"
