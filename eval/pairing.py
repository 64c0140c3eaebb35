"""Two pieces of evidence side by side: whether they can be compared, and which verdicts changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome
from compaction_eval.eval.records import CellKey, Verdict
from compaction_eval.scenarios.records import variant_name
from compaction_eval.scenarios.wording import listed_words

Change = Literal["lost", "stale", "wrong", "regained"]
"""What became of a probe: its answer is gone, an old value took its place, a value is said that
nobody ever said, or the answer is there again."""

_UNKNOWN: tuple[Verdict, ...] = ("error",)


@dataclass(frozen=True, slots=True)
class Flip:
    """One probe at one place whose verdict isn't what it was."""

    key: CellKey
    probe: str
    place: str
    kind: str
    before: Verdict
    after: Verdict
    change: Change

    @property
    def worse(self) -> bool:
        """Whether it is a regression."""
        return self.change != "regained"


@dataclass(frozen=True, slots=True)
class Pair:
    """A cell as it was and as it is."""

    before: CellEvidence
    after: CellEvidence


@dataclass(frozen=True, slots=True)
class Paired:
    """What two pieces of evidence have in common, and what only one of them has."""

    pairs: tuple[Pair, ...]
    new_scenarios: tuple[str, ...]
    """Scenarios (with their variants, as keys) that only the later one has."""
    removed_scenarios: tuple[str, ...]
    new_rows: tuple[str, ...]
    """Strategies at budgets with summarisers that only the later one has."""
    removed_rows: tuple[str, ...]


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
        found.append(f"{before.name} and {after.name} have no scenario in common")
    elif not _rows(before) & _rows(after):
        found.append(
            f"{before.name} and {after.name} have no strategy, budget and summarizer in common"
        )
    return found


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


def pair(before: Evidence, after: Evidence) -> Paired:
    """The cells that both have, in the order of the later one."""
    old_scenarios = {(one.id, one.variant) for one in before.scenarios}
    new_scenarios = {(one.id, one.variant) for one in after.scenarios}
    old_rows, new_rows = _rows(before), _rows(after)
    pairs = []
    for cell in after.cells:
        known = before.cell(cell.key)
        if known is not None and not known.error and not cell.error:
            pairs.append(Pair(known, cell))
    return Paired(
        pairs=tuple(pairs),
        new_scenarios=tuple(sorted(variant_name(*one) for one in new_scenarios - old_scenarios)),
        removed_scenarios=tuple(
            sorted(variant_name(*one) for one in old_scenarios - new_scenarios)
        ),
        new_rows=tuple(sorted(map(_row_name, new_rows - old_rows))),
        removed_rows=tuple(sorted(map(_row_name, old_rows - new_rows))),
    )


def flips(pairs: Sequence[Pair]) -> Iterator[Flip]:
    """Every verdict that changed for the worse or for the better, in the order of the cells.

    A probe that only one side has doesn't count: one that was asked of nobody is no loss.
    """
    for one in pairs:
        known = _by_probe(one.before)
        for outcome in one.after.outcomes:
            before = known.get((outcome.probe, outcome.place))
            change = _change(before.verdict, outcome.verdict, outcome.kind) if before else None
            if before and change:
                yield Flip(
                    one.after.key,
                    outcome.probe,
                    outcome.place,
                    outcome.kind,
                    before.verdict,
                    outcome.verdict,
                    change,
                )


def _change(before: Verdict, after: Verdict, kind: str) -> Change | None:
    if before in _UNKNOWN or after in _UNKNOWN or before == after:
        return None
    if _is_good(before, kind) and (before == "correct" or not _is_good(after, kind)):
        if after in ("stale", "mixed"):
            return "stale"
        return "wrong" if after == "wrong" else "lost"
    if not _is_good(before, kind) and _is_good(after, kind):
        return "regained"
    return None


def _is_good(verdict: Verdict, kind: str) -> bool:
    """Whether there is nothing to lose beyond it; to abstain is right where nothing was said."""
    return verdict in ("correct", "not-asked") or (verdict == "abstained" and kind == "abstention")


def _by_probe(cell: CellEvidence) -> Mapping[tuple[str, str], Outcome]:
    return {(one.probe, one.place): one for one in cell.outcomes}


def _rows(evidence: Evidence) -> set[tuple[str, str, str]]:
    return {(one.key.strategy, one.key.budget, one.key.summarizer) for one in evidence.cells}


def _row_name(row: tuple[str, str, str]) -> str:
    strategy, budget, summarizer = row
    return f"{strategy} at {budget} with {summarizer}"


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _listed(what: str, names: Sequence[str]) -> str:
    return f"{what}{'s' if len(names) > 1 else ''} {listed_words(names, most=5)}"
