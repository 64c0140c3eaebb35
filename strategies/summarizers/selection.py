"""Which pieces of a conversation to keep: the most said in the least space, nothing twice.

A greedy maximal-marginal selection: of the pieces that still fit, take the one that adds most per
character, where a term counts only the first time it is said. Of two pieces that say different
things of the same matter, the newer one stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import log, pow

from compaction_eval.strategies.summarizers.pieces import Piece
from compaction_eval.strategies.summarizers.terms import WORD

JOINT = 3
"""Thirds of a wide character that joining a piece to others costs."""
_SPEAKER = {"user": 1.6, "assistant": 0.8, "tool": 0.65}
_EMPHASIS = {"user": 1.0, "assistant": 0.6, "tool": 0.3}
_LENGTH = 0.85
_CONSIDERED = 160
_ROWS = 5
"""Of more lines of one form in a message none is told: it would be an arbitrary one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece in its place."""

    piece: Piece
    order: int
    """Its number in the conversation; the previous summary's pieces come first."""
    message: int
    """Number of the message that it is from."""
    speaker: str
    source: frozenset[str] = frozenset()
    """For tool output: the terms of the call that it answers."""


def select(candidates: Sequence[Candidate], room: int) -> list[Candidate]:
    """The candidates to keep, the most telling first; with joints at most `room` thirds long."""
    rarity = _rarity(candidates)
    repeats = Counter(candidate.piece.template for candidate in candidates)
    rows = Counter((candidate.message, candidate.piece.template) for candidate in candidates)
    factors = [
        _factor(candidate, repeats[candidate.piece.template])
        * (rows[candidate.message, candidate.piece.template] <= _ROWS)
        for candidate in candidates
    ]
    covered: set[str] = set()

    def density(number: int) -> float:
        piece = candidates[number].piece
        gain = 0.0
        for term in piece.terms:
            if term.key not in covered:
                gain += term.weight * (rarity[term.key] if term.kind == WORD else 1.0)
        return gain * factors[number] / pow(piece.thirds + JOINT, _LENGTH)

    ranked = sorted(range(len(candidates)), key=lambda number: (-density(number), number))
    considered = sorted(ranked[:_CONSIDERED])
    outdated = superseded([candidates[number] for number in considered], rarity)
    heap = [(-density(n), -n) for n in considered if candidates[n].order not in outdated]
    heapify(heap)
    chosen: list[Candidate] = []
    while heap:
        bound, negative = heappop(heap)
        candidate = candidates[-negative]
        size = candidate.piece.thirds + JOINT
        if size > room:
            continue
        current = -density(-negative)
        if current > bound:
            # What was taken since has said part of it: its gain can only shrink, so look again.
            if current < 0:
                heappush(heap, (current, negative))
            continue
        if current == 0:
            break
        chosen.append(candidate)
        room -= size
        covered.update(term.key for term in candidate.piece.terms)
    return chosen


def _factor(candidate: Candidate, repeats: int) -> float:
    """What a candidate's terms are multiplied with: speaker, cues, and how often it's said."""
    piece = candidate.piece
    speaker = candidate.speaker
    if piece.is_chatter and speaker == "assistant":
        return 0.0
    factor = _SPEAKER.get(speaker, 1.0) * pow(piece.emphasis, _EMPHASIS.get(speaker, 1.0))
    if piece.is_question:
        factor *= 0.6 if speaker == "user" else 0.3
    return factor / pow(repeats, 0.7)


def _rarity(candidates: Iterable[Candidate]) -> Mapping[str, float]:
    """How telling each word is in this conversation: from near 0 (everywhere) to 1 (once)."""
    counts: Counter[str] = Counter()
    total = 1
    for candidate in candidates:
        total += 1
        counts.update(term.key for term in candidate.piece.terms)
    scale = log(total) or 1.0
    return {key: log(total / count) / scale for key, count in counts.items()}


def superseded(candidates: Sequence[Candidate], rarity: Mapping[str, float]) -> set[int]:
    """The orders of those candidates of which a newer one says something else."""
    by_word: dict[str, list[Candidate]] = {}
    gone: set[int] = set()
    for newer in candidates:
        earlier: dict[int, Candidate] = {}
        for word in newer.piece.topic:
            for older in by_word.get(word, ()):
                earlier[older.order] = older
            by_word.setdefault(word, []).append(newer)
        for order, older in earlier.items():
            if order not in gone and _replaces(newer, older, rarity):
                gone.add(order)
    return gone


def _replaces(newer: Candidate, older: Candidate, rarity: Mapping[str, float]) -> bool:
    """Whether the newer candidate gives another value to what the older one is about."""
    new, old = newer.piece, older.piece
    if newer.message == older.message or not old.values or old.values <= new.values:
        return False
    numbers = old.values > old.subjects and new.values > new.subjects
    if numbers and old.subjects and new.subjects and not old.subjects & new.subjects:
        return False  # numbers of different things
    if "tool" in (newer.speaker, older.speaker) and newer.speaker != "user":
        # Rows and log lines look alike without being about the same thing, unless asked for again.
        return bool(newer.source) and newer.source == older.source and new.topic == old.topic
    changes = new.changes
    if not new.values and not changes:
        return False
    shared = sum(sorted(rarity[word] for word in new.topic & old.topic))
    whole = sum(sorted(rarity[word] for word in old.topic))
    if changes and newer.speaker == "user":
        return shared >= 0.34 * whole
    return new.topic == old.topic or shared >= 0.75 * whole
