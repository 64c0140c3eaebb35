"""Two pieces of evidence side by side: what both have, and which verdicts changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.comparable import row_name
from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome, rows_of
from compaction_eval.eval.records import CellKey, Verdict
from compaction_eval.scenarios.records import variant_name

Change = Literal["lost", "stale", "wrong", "regained"]
"""What became of a probe: its answer is gone, an old value is there instead, a value is said that
nobody ever said, or the answer is there again. Where an old or untrue value comes up and there was
no answer before, nothing is lost; it is told all the same."""

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
        """Whether something was lost; where nothing was there, nothing can be."""
        return self.change != "regained" and _is_good(self.before, self.kind)


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


def pair(before: Evidence, after: Evidence) -> Paired:
    """The cells that both have, in the order of the later one."""
    old_scenarios = {(one.id, one.variant) for one in before.scenarios}
    new_scenarios = {(one.id, one.variant) for one in after.scenarios}
    old_rows, new_rows = rows_of(before), rows_of(after)
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
        new_rows=tuple(sorted(map(row_name, new_rows - old_rows))),
        removed_rows=tuple(sorted(map(row_name, old_rows - new_rows))),
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
    if _is_good(before, kind):
        return None
    if _is_good(after, kind):
        return "regained"
    # Nothing is lost, but what only was silent or ambiguous now says what doesn't hold.
    silent = before in ("missing", "abstained")
    if after == "stale" and (silent or before == "mixed"):
        return "stale"
    return "wrong" if after == "wrong" and silent else None


def _is_good(verdict: Verdict, kind: str) -> bool:
    """Whether there is nothing to lose beyond it; to abstain is right where nothing was said."""
    return verdict in ("correct", "not-asked") or (verdict == "abstained" and kind == "abstention")


def _by_probe(cell: CellEvidence) -> Mapping[tuple[str, str], Outcome]:
    return {(one.probe, one.place): one for one in cell.outcomes}
