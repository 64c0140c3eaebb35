"""Whether two pieces of evidence can be compared: the same yardstick on the same conversations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from compaction_eval.eval.evidence import CellEvidence, Evidence, rows_of
from compaction_eval.scenarios.records import variant_name
from compaction_eval.scenarios.wording import listed_words

Counterpart = Callable[[CellEvidence], CellEvidence | None]
"""From a cell to the one of the other side that must be measured like it, if there is one."""


def obstacles(before: Evidence, after: Evidence) -> list[str]:
    """Why two pieces of evidence can't be compared, one line each; none where they can."""
    found = measured_otherwise(before, after, lambda cell: before.cell(cell.key))
    known = {(one.id, one.variant) for one in before.scenarios}
    if not known & {(one.id, one.variant) for one in after.scenarios}:
        found.append(
            nothing_shared(before, after, "scenario", *map(scenario_names, (before, after)))
        )
    elif not rows_of(before) & rows_of(after):
        names = [list(map(row_name, sorted(rows_of(side)))) for side in (before, after)]
        what = "strategy, budget and summarizer"
        found.append(nothing_shared(before, after, what, *names) + _moved(before, after))
    return found


def measured_otherwise(
    before: Evidence, after: Evidence, counterpart: Counterpart, apart_from: Collection[str] = ()
) -> list[str]:
    """In what the yardstick isn't the same, or the conversations, a line each.

    `counterpart` finds the cell of `before` that one of `after` must be measured like;
    `apart_from` names circumstances that may differ.
    """
    found = []
    for key in dict.fromkeys((*before.circumstances, *after.circumstances)):
        old, new = before.circumstances.get(key), after.circumstances.get(key)
        if old != new and key not in apart_from:
            found.append(f"{key}: {_shown(old)} in {before.name}, {_shown(new)} in {after.name}")
    known = {(one.id, one.variant): one.digest for one in before.scenarios}
    changed = [
        variant_name(one.id, one.variant)
        for one in after.scenarios
        if known.get((one.id, one.variant), one.digest) != one.digest
    ]
    if changed:
        found.append(f"changed since {before.name}: {_listed('scenario', changed)}")
    pairs = list(_pairs(after, counterpart))
    asked = _asked_otherwise(pairs, set(changed))
    if asked:
        found.append(f"not the same probes as in {before.name}: {_listed('scenario', asked)}")
    return [*found, *_counted_otherwise(before, after, pairs, {*changed, *asked})]


def scenario_names(evidence: Evidence) -> list[str]:
    """Its scenarios, with their variants."""
    return [variant_name(one.id, one.variant) for one in evidence.scenarios]


def _pairs(
    after: Evidence, counterpart: Counterpart
) -> Iterator[tuple[CellEvidence, CellEvidence]]:
    """The cells that both have measured, the older first."""
    for cell in after.cells:
        known = counterpart(cell)
        if known is not None and not known.error and not cell.error:
            yield known, cell


def row_name(row: tuple[str, str, str]) -> str:
    """A row in words: strategy, budget and summariser."""
    strategy, budget, summarizer = row
    return f"{strategy} at {budget} with {summarizer}"


def nothing_shared(
    before: Evidence, after: Evidence, what: str, old: Iterable[str], new: Iterable[str]
) -> str:
    """That two pieces of evidence have none of something in common, and what each has."""
    listed = [
        f"{listed_words(names, most=3)} in {side.name}"
        for names, side in ((old, before), (new, after))
    ]
    return f"{before.name} and {after.name} have no {what} in common: {', '.join(listed)}"


def _moved(before: Evidence, after: Evidence) -> str:
    """What helps where one function of a file is known by two paths."""
    old, new = ({row[0] for row in rows_of(one) if "/" in row[0]} for one in (before, after))
    functions = ({path.rpartition("/")[2] for path in paths} for paths in (old - new, new - old))
    if set.intersection(*functions):
        return " (a strategy that has a `name` keeps it when its file moves)"
    return ""


def _asked_otherwise(
    pairs: Iterable[tuple[CellEvidence, CellEvidence]], changed: AbstractSet[str]
) -> list[str]:
    """Scenarios that are the same and were asked other things, as by another version of ours.

    A probe that is in the headline of one alone is another thing too.
    """
    found: dict[str, None] = {}
    for known, cell in pairs:
        probes, known_probes = (
            [(one.probe, one.place, one.free) for one in side.outcomes] for side in (cell, known)
        )
        # In their usual, equal order nothing has to be sorted or hashed.
        if probes != known_probes and set(probes) != set(known_probes):
            found[variant_name(cell.key.scenario, cell.key.variant)] = None
    return [key for key in found if key not in changed]


def _counted_otherwise(
    before: Evidence,
    after: Evidence,
    pairs: Iterable[tuple[CellEvidence, CellEvidence]],
    changed: AbstractSet[str],
) -> Iterator[str]:
    """What no strategy decides and is not the same all the same: the yardstick itself moved.

    Budgets in per cent are made tokens, and the full history is counted, before any strategy sees
    it, so another figure is another version's, and no difference between strategies.
    """
    said: set[str] = set()
    for known, cell in pairs:
        scenario = variant_name(cell.key.scenario, cell.key.variant)
        if scenario in changed:
            continue
        for (what, old), new in zip(_yardstick(known), _yardstick(cell), strict=True):
            if old != new[1] and None not in (old, new[1]) and what not in said:
                said.add(what)
                yield (
                    f"{what.format(budget=cell.key.budget)}: {_shown(old)} in {before.name},"
                    f" {_shown(new[1])} in {after.name}, first in scenario {scenario}"
                )


def _yardstick(cell: CellEvidence) -> tuple[tuple[str, object], ...]:
    totals = cell.totals
    return (
        ("tokens of the budget {budget}", cell.budget_tokens),
        ("requests", totals.requests),
        ("tokens of the full history", totals.full_tokens),
        ("requests that no strategy can fit", totals.infeasible_requests),
        ("counts in the headline", "no" if cell.apart else "yes"),
    )


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _listed(what: str, names: Sequence[str]) -> str:
    return f"{what}{'s' if len(names) > 1 else ''} {listed_words(names, most=5)}"
