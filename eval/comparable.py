"""Whether two pieces of evidence can be compared: the same yardstick on the same conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from compaction_eval.eval.evidence import CellEvidence, Evidence, rows_of
from compaction_eval.scenarios.records import variant_name
from compaction_eval.scenarios.wording import listed_words


def obstacles(before: Evidence, after: Evidence) -> list[str]:
    """Why two pieces of evidence can't be compared, one line each; none where they can."""
    found = []
    keys = dict.fromkeys((*before.circumstances, *after.circumstances))
    for key in keys:
        old, new = before.circumstances.get(key), after.circumstances.get(key)
        if old != new:
            found.append(f"{key}: {_shown(old)} in {before.name}, {_shown(new)} in {after.name}")
    known = {(one.id, one.variant): one.digest for one in before.scenarios}
    changed = [
        variant_name(one.id, one.variant)
        for one in after.scenarios
        if known.get((one.id, one.variant), one.digest) != one.digest
    ]
    if changed:
        found.append(f"changed since {before.name}: {_listed('scenario', changed)}")
    asked = _asked_otherwise(before, after, set(changed))
    if asked:
        found.append(f"not the same probes as in {before.name}: {_listed('scenario', asked)}")
    found += _measured_otherwise(before, after, {*changed, *asked})
    if not set(known) & {(one.id, one.variant) for one in after.scenarios}:
        names = [
            [variant_name(one.id, one.variant) for one in side.scenarios]
            for side in (before, after)
        ]
        found.append(_nothing_shared(before, after, "scenario", *names))
    elif not rows_of(before) & rows_of(after):
        names = [list(map(row_name, sorted(rows_of(side)))) for side in (before, after)]
        what = "strategy, budget and summarizer"
        found.append(_nothing_shared(before, after, what, *names) + _moved(before, after))
    return found


def row_name(row: tuple[str, str, str]) -> str:
    """A row in words: strategy, budget and summariser."""
    strategy, budget, summarizer = row
    return f"{strategy} at {budget} with {summarizer}"


def _nothing_shared(
    before: Evidence, after: Evidence, what: str, old: Iterable[str], new: Iterable[str]
) -> str:
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


def _asked_otherwise(before: Evidence, after: Evidence, changed: AbstractSet[str]) -> list[str]:
    """Scenarios that are the same and were asked other things, as by another version of ours.

    A probe that is in the headline of one alone is another thing too.
    """
    found: dict[str, None] = {}
    for cell in after.cells:
        known = before.cell(cell.key)
        if known is None or known.error or cell.error:
            continue
        probes, known_probes = (
            [(one.probe, one.place, one.free) for one in side.outcomes] for side in (cell, known)
        )
        # In their usual, equal order nothing has to be sorted or hashed.
        if probes != known_probes and set(probes) != set(known_probes):
            found[variant_name(cell.key.scenario, cell.key.variant)] = None
    return [key for key in found if key not in changed]


def _measured_otherwise(
    before: Evidence, after: Evidence, changed: AbstractSet[str]
) -> Iterator[str]:
    """What no strategy decides and is not the same all the same: the yardstick itself moved.

    Budgets in per cent are made tokens, and the full history is counted, before any strategy sees
    it, so another figure is another version's, and no difference between strategies.
    """
    said: set[str] = set()
    for cell in after.cells:
        known = before.cell(cell.key)
        scenario = variant_name(cell.key.scenario, cell.key.variant)
        if known is None or known.error or cell.error or scenario in changed:
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
