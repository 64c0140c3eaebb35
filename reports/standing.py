"""What stands in each view of a cell: which facts it says, and in which words.

The rules are those of the page's `standing.js`, over the same blocks; a test holds them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from compaction_eval.eval.records import CellRecord, PartRef, RequestRecord
from compaction_eval.reports.page.cell import cell_block
from compaction_eval.reports.page.conversation import Told
from compaction_eval.reports.page.facts import followed
from compaction_eval.reports.page.searches import (
    CURRENT,
    FIRST_PART,
    LAST,
    MOST_PARTS,
    STALE,
    Saying,
    Searches,
)
from compaction_eval.reports.page.text import shown
from compaction_eval.reports.states import FactState
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import Scenario

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Requests of the main line, first to last, at which a fact stood the same way."""

    first: int
    last: int
    state: FactState
    version: Plain


@dataclass(frozen=True, slots=True)
class Standing:
    """A conversation and one of its cells."""

    cell: CellRecord
    facts: Sequence[Plain]
    questions: Sequence[Plain]
    made: dict[str, Plain]
    """The made-up messages, by the ids that views have."""
    places: Sequence[Sequence[Saying]]
    """Of each search the positions of the messages that say something of it."""

    def before(self, index: int) -> int:
        """Index of the main-line request before one; -1 before the first."""
        return next(
            (at for at in range(index - 1, -1, -1) if self.cell.requests[at].probe is None), -1
        )

    def fact_of(self, probe: str, place: str, at: int) -> Plain | None:
        """The fact that a probe asks for at a place, after `at` messages."""
        for one in self.questions:
            if (one["probe"], one["place"], one["at"]) == (shown(probe), shown(place), at):
                number = one["fact"]
                return None if number is None else self.facts[number]
        return None

    def state(self, fact: Plain, index: int) -> FactState | None:
        """How a fact stands at a request; None before it is said."""
        request = self.cell.requests[index]
        version = version_at(fact, request)
        return None if version is None else self._state(request.view, version)

    def stretches(self, fact: Plain, until: int) -> list[Stretch]:
        """The fact's story up to a request: on the main line, and at that request itself."""
        found: list[Stretch] = []
        for index, request in enumerate(self.cell.requests[: until + 1]):
            version = version_at(fact, request)
            if (request.probe is not None and index != until) or version is None:
                continue
            state = self._state(request.view, version)
            if found and found[-1].state == state and found[-1].version is version:
                found[-1] = Stretch(found[-1].first, index, state, version)
            else:
                found.append(Stretch(index, index, state, version))
        return found

    def turned_at(self, fact: Plain, index: int) -> int | None:
        """The request at which a fact got into the state that it is in; None before it is said.

        An answer that went stale was lost before, if it wasn't there in between.
        """
        found = self.stretches(fact, index)
        if not found:
            return None
        last = found.pop()
        first = last.first
        while not is_there(last.state) and found:
            earlier = found.pop()
            if is_there(earlier.state) or earlier.version is not last.version:
                break
            first = earlier.first
        return first

    def _state(self, view: Sequence[PartRef], version: Plain) -> FactState:
        found = list(self._sayings(view, version["search"]))
        if "taken" in version:
            told = holds(view, version["message"]) or any(self._sayings(view, version["taken"]))
            claims = any(code & STALE for _, code in found)
            return "stale" if claims and not told else "taken-back"
        if version.get("parts"):
            every = range(min(version["parts"], MOST_PARTS))
            if not _whole(found, every):
                return "lost"
            original = [one for one in found if self._is_original(one[0])]
            return "in-view" if _whole(original, every) else "in-summary"
        if not found:
            return "lost"
        if not found[-1][1] & LAST:
            return "stale"
        original = [one for one in found if self._is_original(one[0])]
        return "in-view" if any(code & CURRENT for _, code in original) else "in-summary"

    def _sayings(self, view: Sequence[PartRef], search: int) -> Iterator[tuple[int | str, int]]:
        for part in view:
            if isinstance(part, str):
                says = self.made.get(part, {}).get("says", ())
                yield from ((part, code) for number, code in says if number == search)
            else:
                yield from (one for one in self.places[search] if part[0] <= one[0] < part[1])

    def _is_original(self, part: int | str) -> bool:
        """Whether it is a message of the conversation, be it cut, and no summary."""
        return isinstance(part, int) or self.made[part]["kind"] != "summary"


def standing_of(scenario: Scenario, cell: CellRecord) -> Standing:
    """What can be told of a cell's views; the conversation is searched as the page's is."""
    corpus = Corpus(scenario.messages)
    searches = Searches(corpus)
    facts, questions = followed(scenario, corpus, searches)
    block = cell_block(cell, Told(scenario, searches, {}))
    made = {name: block["made"][shown(name)] for name in cell.synthetic}
    return Standing(cell, facts, questions, made, searches.found())


def version_at(fact: Plain, request: RequestRecord) -> Plain | None:
    """The version of a fact that holds at a request; None before it is said."""
    said = [version for version in fact["versions"] if version["message"] < request.at]
    return said[-1] if said else None


def holds(view: Sequence[PartRef], position: int) -> bool:
    """Whether a view has a message of the conversation."""
    return any(not isinstance(part, str) and part[0] <= position < part[1] for part in view)


def is_there(state: FactState) -> bool:
    """Whether a fact can be read in the view, wherever."""
    return state in ("in-view", "in-summary")


def _whole(found: Sequence[tuple[int | str, int]], every: range) -> bool:
    """Whether these sayings together give every part of an answer."""
    return all(any(code & (FIRST_PART << part) for _, code in found) for part in every)
