"""Each dimension in a sentence or two: where least survives and where most, with what it rests on.

The difficulty of a group is the mean over the strategies that are no control; a group in which
only some of them were asked isn't ranked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.reports.best_words import FEW_SCENARIOS
from compaction_eval.reports.difficulty import Group, Split
from compaction_eval.reports.dimensions import ABSTENTION, REUSE, REUSE_TEXT
from compaction_eval.reports.figures import plural, share
from compaction_eval.reports.printable import one_line

FEWEST = 3
"""Scenarios that a group must rest on to be ranked, where two groups do."""
ALIKE = 0.05
"""A spread below five points isn't called a difference: a few scenarios make as much."""
_SUBJECT = {
    "family": "'{}' scenarios",
    "kind": "{} probes",
    "language": "scenarios in '{}'",
    "position": "what is said at {} of the conversation",
    "age": "what is {} tokens old",
    "compactions": "what is {} compactions old",
    "where": "what is used in a {}",
}


@dataclass(frozen=True, slots=True)
class _Rank:
    group: Group
    mean: float


def words(found: Sequence[Split]) -> str:
    """What the tables of one dimension show, at the middle one of its budgets and at the others."""
    split = found[len(found) // 2]
    head = f"By {split.by.name}, budget {one_line(split.budget)}:"
    ranked = _ranked(split)
    overall = split.overall.mean(_judges(split))
    if not ranked or overall is None:
        return f"{head} nothing to compare."
    if split.by.name == "probe":
        return f"{head} {_single(split, ranked)}"
    if len(ranked) == 1:
        return f"{head} one group only, {one_line(ranked[0].group.name)}."
    worst, best = ranked[0], ranked[-1]
    over = f"mean of {_strategies(split)}"
    if best.mean - worst.mean < ALIKE:
        low, high = share(worst.mean), share(best.mean)
        told = f"hardly differ, {low} to {high}" if low != high else f"don't differ: all have {low}"
        alike = f"{head} the groups {told} {split.measure} ({over})."
        return " ".join([alike, *_unranked(split, ranked)])
    parts = [
        f"{head} lowest {split.measure} for {_subject(split, worst)}, {share(worst.mean)} against"
        f" {share(overall)} overall ({over}; {_rests_on(split, worst)}; {_agree(split, worst)});"
        f" highest for {_subject(split, best)}, {share(best.mean)} ({_rests_on(split, best)}).",
        *_elsewhere(found, split, worst),
        *_unranked(split, ranked),
    ]
    if any(_scenarios(split, rank.group) < FEW_SCENARIOS for rank in (worst, best)):
        parts.append("With so few conversations, that may be chance.")
    return " ".join(parts)


def _single(split: Split, ranked: Sequence[_Rank]) -> str:
    """Of single probes, how many nobody keeps and how many everybody does."""
    lost = sum(rank.mean == 0 for rank in ranked)
    kept = sum(rank.mean == 1 for rank in ranked)
    return (
        f"of {plural(len(ranked), 'probe')}, {lost:,} survive with none of"
        f" {_strategies(split)} and {kept:,} with all."
    )


def _judges(split: Split) -> tuple[int, ...]:
    """The columns whose mean is a group's difficulty: recency stands in where it is alone."""
    return split.contenders or split.compared


def _strategies(split: Split) -> str:
    return plural(len(_judges(split)), "strategy", "strategies")


def _ranked(split: Split) -> list[_Rank]:
    """The groups, hardest first: those with the evidence, and with a share that compares.

    Among kinds, reuse is another measure, and abstention is asked only where it goes wrong.
    """
    apart: tuple[str, ...] = ()
    if split.by.name == "kind":
        apart = (REUSE_TEXT,) if split.measure == REUSE else (REUSE, REUSE_TEXT, ABSTENTION)
    means = [
        (group, group.mean(_judges(split))) for group in split.groups if group.name not in apart
    ]
    known = [_Rank(group, mean) for group, mean in means if mean is not None]
    sound = [rank for rank in known if _scenarios(split, rank.group) >= FEWEST]
    return sorted(sound if len(sound) > 1 else known, key=lambda rank: rank.mean)


def _subject(split: Split, rank: _Rank) -> str:
    return _SUBJECT[split.by.name].format(one_line(rank.group.name))


def _scenarios(split: Split, group: Group) -> int:
    return max((group.figures[at].scenarios for at in _judges(split)), default=0)


def _rests_on(split: Split, rank: _Rank) -> str:
    probes = max(rank.group.figures[at].probes for at in _judges(split))
    scenarios = _scenarios(split, rank.group)
    return f"{plural(scenarios, 'scenario')}, {plural(probes, 'probe')}"


def _agree(split: Split, rank: _Rank) -> str:
    """For how many strategies the group's figure is below their own overall one."""
    judges = _judges(split)
    below = sum(
        (rank.group.figures[at].share or 0.0) < (split.overall.figures[at].share or 0.0)
        for at in judges
    )
    return f"below their overall figure for {below:,} of {len(judges):,}"


def _elsewhere(found: Sequence[Split], shown: Split, worst: _Rank) -> list[str]:
    """Whether the hardest group is the same at the other budgets, and which is if it isn't."""
    lowest: dict[str, list[str]] = {}
    for split in found:
        ranked = _ranked(split)
        if split is not shown and ranked:
            same = ranked[0].group.name == worst.group.name
            subject = "too" if same else f"for {_subject(split, ranked[0])}"
            reached = f"at {one_line(split.budget)} ({share(ranked[0].mean)})"
            lowest.setdefault(subject, []).append(reached)
    return [f"Lowest {subject} {' and '.join(at)}." for subject, at in lowest.items()]


def _unranked(split: Split, ranked: Sequence[_Rank]) -> list[str]:
    """The groups that rest on too little to be ranked."""
    names = {rank.group.name for rank in ranked}
    small = [
        one_line(group.name)
        for group in split.groups
        if group.name not in names and 0 < _scenarios(split, group) < FEWEST
    ]
    return [f"Not ranked, with fewer than {FEWEST} scenarios: {', '.join(small)}."] if small else []
