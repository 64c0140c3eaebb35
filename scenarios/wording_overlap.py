"""Wording that two scenarios have in common, so that one conversation isn't counted as two.

The measure: a conversation is cut into shingles, each run of `SHINGLE` units of its normalised
texts (contents, names and arguments of calls), message by message, without generated filler. A
letter of a script that is written without spaces (Chinese, Japanese) is one unit, any other word
`WORD`, and punctuation is none: so a shingle is six words, or twelve characters, or a mixture. The
overlap of two scenarios is the share of the smaller one's distinct shingles that the other has as
well. Variants of one scenario aren't compared; the first one speaks for all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compaction_eval.scenarios.records import Place, Scenario
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, reading_text

SHINGLE, WORD = 12, 2
SMALL_SHARE = 0.03
"""An overlap up to which two scenarios have no more in common than idioms and shapes of output."""
_UNSPACED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNITS = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_FIRST, _LAST = "\u3041", "\ufaff"


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
    shingles = [set(_shingles(one)) for one in firsts]
    holders: dict[tuple[str, ...], list[int]] = {}
    for at, own in enumerate(shingles):
        for shingle in own:
            holders.setdefault(shingle, []).append(at)
    common: Counter[tuple[int, int]] = Counter()
    for having in holders.values():
        for index, later in enumerate(having):
            for earlier in having[:index]:
                common[later, earlier] += 1
    found = []
    for (later, earlier), count in sorted(common.items()):
        share = count / min(len(shingles[later]), len(shingles[earlier]))
        if share > above:
            one, other = firsts[later], firsts[earlier]
            found.append(Overlap(one, other, share, _place(one, shingles[earlier])))
    return found


def _shingles(scenario: Scenario) -> Iterator[tuple[str, ...]]:
    generated = {at for start, stop in scenario.filler for at in range(start, stop)}
    for at, message in enumerate(scenario.messages):
        if at not in generated:
            yield from _of(message)


def _of(message: Message) -> Iterator[tuple[str, ...]]:
    """The shingles of one message; of one that is shorter than a shingle there are none."""
    units: list[str] = []
    for unit in _UNITS.findall(normalise(reading_text(message))):
        units.append(unit)
        if not (_FIRST <= unit[0] <= _LAST):
            units += ("",) * (WORD - 1)
    # What starts within a word is left out: it is the same as what starts at it.
    return (
        shingle
        for shingle in zip(*(units[start:] for start in range(SHINGLE)), strict=False)
        if shingle[0]
    )


def _place(scenario: Scenario, others: set[tuple[str, ...]]) -> Place:
    for place, message in zip(scenario.places, scenario.messages, strict=False):
        if not others.isdisjoint(_of(message)):
            return place
    return Place(scenario.file)
