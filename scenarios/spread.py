"""What a library of scenarios covers, in numbers: languages, families, kinds of probes, places.

Scenarios with a tag in `ON_DEMAND` are no part of any share; they're counted beside. Variants of
one scenario ask the same, so the first one speaks for all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import get_args

from compaction_eval.scenarios.library import ON_DEMAND
from compaction_eval.scenarios.records import Match, Probe, ProbeKind, Scenario
from compaction_eval.scenarios.timeline import standing
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import tool_calls
from compaction_eval.strategies.tokens import TokenCounter

PARTS = 5
"""Stretches of equal length into which a conversation is divided, by tokens or by messages."""
MIXED = "mixed"
"""Tag of conversations in two languages; they count as a language of their own."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How often something is asked for."""

    probes: int
    scenarios: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """The lengths of the scenarios' first variants."""

    shortest: int
    median: int
    longest: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The counts. Scenarios, unless said otherwise."""

    scenarios: int
    variants: int
    languages: Mapping[str, int]
    families: Mapping[str, int]
    tools: int
    """With tool calls."""
    parallel: int
    """With several calls in one message."""
    probes: int
    """Written probes, each counted once however often it is asked."""
    kinds: Mapping[ProbeKind, Asked]
    matches: Mapping[Match, Asked]
    evidence_by_tokens: tuple[int, ...]
    """Probes whose evidence stands in the first, second … part of the conversation's tokens; that
    of a fact is its last statement before it is asked the last time."""
    evidence_by_messages: tuple[int, ...]
    updates: int
    """Times that a fact which some probe asks for is given another value."""
    updated_twice: int
    """Facts asked for that are given another value twice or more often."""
    retracted: int
    """Facts asked for that are taken back."""
    tokens: Lengths
    messages: Lengths
    on_demand: Mapping[str, int]
    """Tag in `ON_DEMAND` -> scenarios that have it."""


def spread(scenarios: Iterable[Scenario], counter: TokenCounter) -> Spread:
    """The counts over some scenarios; `counter` measures the conversations."""
    firsts: dict[tuple[str, str], Scenario] = {}
    variants: Counter[tuple[str, str]] = Counter()
    for scenario in scenarios:
        variants[scenario.file, scenario.id] += 1
        firsts.setdefault((scenario.file, scenario.id), scenario)
    every = list(firsts.values())
    counted = [one for one in every if ON_DEMAND.isdisjoint(one.tags)]
    probes = [(one, probe) for one in counted for probe in one.probes]
    sums = {
        id(one): list(accumulate(map(counter.message, one.messages), initial=0)) for one in counted
    }
    places = [(one, at) for one, probe in probes if (at := evidence(one, probe)) is not None]
    changes = [change for one in counted for change in _changes(one)]
    called = [[len(tool_calls(message)) for message in one.messages] for one in counted]
    return Spread(
        scenarios=len(counted),
        variants=sum(variants[one.file, one.id] for one in counted),
        languages=_descending(map(_language, counted)),
        families=_descending(Path(one.file).parent.name for one in counted),
        tools=sum(any(calls) for calls in called),
        parallel=sum(any(number > 1 for number in calls) for calls in called),
        probes=len(probes),
        kinds={kind: _asked(probes, "kind", kind) for kind in get_args(ProbeKind)},
        matches={match: _asked(probes, "match", match) for match in get_args(Match)},
        evidence_by_tokens=_parts(_part_of(sums[id(one)], at) for one, at in places),
        evidence_by_messages=_parts(
            _part_of(range(len(one.messages) + 1), at) for one, at in places
        ),
        updates=sum(updates for updates, _ in changes),
        updated_twice=sum(updates > 1 for updates, _ in changes),
        retracted=sum(retracted for _, retracted in changes),
        tokens=_lengths([counter.request(one.messages) for one in counted]),
        messages=_lengths([len(one.messages) for one in counted]),
        on_demand={tag: sum(tag in one.tags for one in every) for tag in sorted(ON_DEMAND)},
    )


def evidence(scenario: Scenario, probe: Probe) -> int | None:
    """Position of the message that a probe is about where it is asked last; None where none is."""
    if probe.fact is None:
        return probe.evidence
    stands = standing(scenario.statements, probe.fact, max(place for _, place in probe.at))
    return probe.evidence if stands is None else stands.last.message


def _language(scenario: Scenario) -> str:
    return MIXED if MIXED in scenario.tags else scenario.lang


def _descending(names: Iterable[str]) -> dict[str, int]:
    """Counts, the largest first; of equals by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _asked(probes: Sequence[tuple[Scenario, Probe]], attribute: str, value: str) -> Asked:
    having = [one for one, probe in probes if getattr(probe, attribute) == value]
    return Asked(len(having), len(set(map(id, having))))


def _part_of(sums: Sequence[int], position: int) -> int:
    """The part in which the middle of a message stands, by tokens."""
    middle = (sums[position] + sums[position + 1]) / 2
    bounds = [sums[-1] * part / PARTS for part in range(1, PARTS)]
    return bisect_right(bounds, middle)


def _parts(found: Iterable[int]) -> tuple[int, ...]:
    counts = Counter(found)
    return tuple(counts[part] for part in range(PARTS))


def _changes(scenario: Scenario) -> list[tuple[int, bool]]:
    """Of each fact that is asked for: how often it is updated, and whether it is taken back."""
    changes = []
    for fact in dict.fromkeys(probe.fact for probe in scenario.probes if probe.fact is not None):
        said = [one for one in scenario.statements if one.fact == fact]
        values = [normalise(one.value) for one in said if not one.retraction]
        updates = sum(new != old for old, new in pairwise(values))
        changes.append((updates, any(one.retraction for one in said)))
    return changes


def _lengths(lengths: Sequence[int]) -> Lengths:
    ordered = sorted(lengths) or [0]
    return Lengths(ordered[0], ordered[len(ordered) // 2], ordered[-1])
