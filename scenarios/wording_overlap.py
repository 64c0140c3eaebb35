"""Wording that two scenarios have in common, so that one conversation isn't counted as two.

The measure: a conversation is cut into shingles, each run of `SHINGLE` units of its normalised
texts (contents, names and arguments of calls), message by message, without system messages and
generated filler. A letter of a script that is written without spaces (Chinese, Japanese) is one
unit, any other word `WORD`, and punctuation is none: so a shingle is six words, or twelve
characters, or a mixture. The overlap of two scenarios is the share of the smaller one's distinct
shingles that the other has as well. Variants of one scenario aren't compared; the first one speaks
for all.

Time and memory grow with the texts: of more than `LARGE` characters only the shingles that begin
with a part of the words are taken, and one that more than `MANY` scenarios have counts only between
neighbours, so that a harness's phrases cost no square and thirty copies make no 435 pairs.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from compaction_eval.scenarios.records import Place, Scenario
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import is_system, reading_text

SHINGLE, WORD = 12, 2
SMALL_SHARE = 0.03
"""An overlap up to which two scenarios have no more in common than idioms and shapes of output."""
LARGE = 4_000_000
MANY = 8
_UNSPACED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNITS = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_FIRST, _LAST = "\u3041", "\ufaff"

Shingle = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two scenarios, and what they have in common."""

    one: Scenario
    other: Scenario
    share: float
    """0 to 1, of the distinct shingles of the one that has fewer."""
    place: Place
    """The first message of `one` that says something of it."""


def overlaps(scenarios: Sequence[Scenario], above: float = SMALL_SHARE) -> list[Overlap]:
    """The pairs of scenarios that overlap by more than a share, in the order given."""
    firsts = list({(one.file, one.id): one for one in reversed(scenarios)}.values())[::-1]
    if len(firsts) < 2:
        return []
    # Texts are made twice rather than kept: all together they may be larger than the memory.
    step = 1 + sum(len(text) for one in firsts for text in _texts(one).values()) // LARGE
    shingles = [
        {found for text in _texts(one).values() for found in _shingles(text, step)}
        for one in firsts
    ]
    found = []
    for (earlier, later), count in sorted(_common(shingles).items()):
        share = count / min(len(shingles[later]), len(shingles[earlier]))
        if share > above:
            place = _place(firsts[later], _texts(firsts[later]), shingles[earlier], step)
            found.append(Overlap(firsts[later], firsts[earlier], share, place))
    return found


def _texts(scenario: Scenario) -> dict[int, str]:
    """Position -> normalised text of each message that was written for the conversation."""
    generated = {at for start, stop in scenario.filler for at in range(start, stop)}
    return {
        at: normalise(reading_text(message))
        for at, message in enumerate(scenario.messages)
        if at not in generated and not is_system(message)
    }


def _shingles(text: str, step: int) -> Iterator[Shingle]:
    """The shingles of one message; of one that is shorter than a shingle there are none."""
    units: list[str] = []
    for unit in _UNITS.findall(text):
        units.append(unit)
        if not (_FIRST <= unit[0] <= _LAST):
            units += ("",) * (WORD - 1)
    # What starts within a word is left out: it is the same as what starts at it.
    return (
        shingle
        for shingle in zip(*(units[start:] for start in range(SHINGLE)), strict=False)
        if shingle[0] and (step == 1 or crc32(shingle[0].encode()) % step == 0)
    )


def _common(shingles: Sequence[set[Shingle]]) -> Counter[tuple[int, int]]:
    """How many shingles two scenarios have in common, by their places, the earlier one first."""
    holders: dict[Shingle, list[int]] = {}
    for at, own in enumerate(shingles):
        for shingle in own:
            holders.setdefault(shingle, []).append(at)
    common: Counter[tuple[int, int]] = Counter()
    for having in holders.values():
        if len(having) > 1:
            common.update(combinations(having, 2) if len(having) <= MANY else pairwise(having))
    return common


def _place(scenario: Scenario, texts: dict[int, str], others: set[Shingle], step: int) -> Place:
    """The first message that says something of what another scenario says."""
    for at, text in texts.items():
        if at < len(scenario.places) and not others.isdisjoint(_shingles(text, step)):
            return scenario.places[at]
    return Place(scenario.file)
