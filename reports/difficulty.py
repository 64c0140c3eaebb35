"""How each strategy does in each group of probes: shares with the evidence behind them.

The conversation is the unit of evidence, as in the summary: a figure is the mean over scenarios of
the scenario's own share within the group. Errors and what wasn't asked are in no denominator; a
group in which nothing was asked has no share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from compaction_eval.eval.recall.counts import answers_as_probes
from compaction_eval.eval.records import CellRecord, ProbeRecord, SummaryRow
from compaction_eval.eval.row_cells import RowKey, headline_by_row
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import mean_share, reused, reused_text, written
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.columns import merged
from compaction_eval.reports.dimensions import REUSE, Dimension
from compaction_eval.reports.marks import Marks

ALL = "all"
RECALL = "recall"
_DIGITS = 3
Sorted = Mapping[str, Sequence[tuple[CellRecord, list[ProbeRecord]]]]
"""The cells of one column with their probes, by group."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One share, 0 to 1, and what it rests on; None where nothing was asked."""

    share: float | None
    scenarios: int
    probes: int
    """Verdicts."""


@dataclass(frozen=True, slots=True)
class Group:
    """A row: what each column's strategy kept of one group of probes."""

    name: str
    figures: tuple[Figure, ...]
    """One for each column."""

    def mean(self, columns: Sequence[int]) -> float | None:
        """Mean share over some columns; None where one of them has none."""
        shares = [self.figures[column].share for column in columns]
        known = [share for share in shares if share is not None]
        return fmean(known) if known and len(known) == len(shares) else None


@dataclass(frozen=True, slots=True)
class Split:
    """A run at one budget, by one dimension."""

    by: Dimension
    budget: str
    measure: str
    """`survival`, or `reuse` where no probes were written; of a model's answers `recall`."""
    columns: tuple[SummaryRow, ...]
    compared: tuple[int, ...]
    """Columns that can be best or worst: no reference, without errors and without answer key."""
    contenders: tuple[int, ...]
    """Those of them that are no control: what a group's difficulty is the mean of."""
    groups: tuple[Group, ...]
    overall: Group
    ungrouped: int
    """Verdicts (at most, over the columns) that are in no group."""

    def best(self, group: Group) -> frozenset[int]:
        """The compared columns with the highest share; none where all are alike."""
        return self._extreme(group, highest=True)

    def worst(self, group: Group) -> frozenset[int]:
        """The compared columns with the lowest share; none where all are alike."""
        return self._extreme(group, highest=False)

    def _extreme(self, group: Group, *, highest: bool) -> frozenset[int]:
        shares = {at: group.figures[at].share for at in self.compared}
        # As they are shown: of two that read alike, neither is better.
        known = {at: round(share, _DIGITS) for at, share in shares.items() if share is not None}
        if len(set(known.values())) < 2:
            return frozenset()
        wanted = max(known.values()) if highest else min(known.values())
        return frozenset(at for at, share in known.items() if share == wanted)


def splits(
    run: Run,
    rows: Sequence[SummaryRow],
    by: Dimension,
    marks: Marks,
    *,
    of_answers: bool = False,
) -> list[Split]:
    """The run by one dimension, once for each budget of these rows, in their order.

    The rows are those of `summary_rows` that are to be shown, in the columns' order. The
    verdicts are those on the views, or those on what a model answered.
    """
    shown = merged(rows)
    found_alone = by.name == "where" or all(row.survival is None for row in rows)
    measure = REUSE if found_alone else "survival"
    cells = headline_by_row(run.cells)
    if of_answers:
        measure = RECALL
        cells = {
            key: [replace(cell, probes=tuple(answers_as_probes(cell))) for cell in own]
            for key, own in cells.items()
        }
    return [
        _split(run, cells, tuple(row for row in shown if row.budget == budget), by, measure, marks)
        for budget in dict.fromkeys(row.budget for row in shown)
    ]


def _split(
    run: Run,
    cells: Mapping[RowKey, list[CellRecord]],
    rows: tuple[SummaryRow, ...],
    by: Dimension,
    measure: str,
    marks: Marks,
) -> Split:
    group_of = by.group_of(run.manifest)
    columns: list[Sorted] = []
    totals: list[Figure] = []
    ungrouped = 0
    for row in rows:
        found: dict[str, list[tuple[CellRecord, list[ProbeRecord]]]] = {}
        everything = []
        loose = 0
        for cell in cells.get((row.strategy, row.budget, row.summarizer), ()):
            chosen = _chosen(cell, by, measure)
            everything.append((cell, chosen))
            told = list(chosen)
            if by.name == "kind":
                # Found probes are kinds of their own beside the written ones.
                told += [*(reused(cell) if measure != REUSE else ()), *reused_text(cell)]
            own: dict[str, list[ProbeRecord]] = {}
            for probe in told:
                name = group_of(cell, probe)
                if name is None:
                    loose += _asked(probe)
                else:
                    own.setdefault(name, []).append(probe)
            for name, probes in own.items():
                found.setdefault(name, []).append((cell, probes))
        columns.append(found)
        totals.append(_figure(everything))
        ungrouped = max(ungrouped, loose)
    names = sorted({name for found in columns for name in found}, key=by.order)
    groups = [
        Group(name, tuple(_figure(found.get(name, ())) for found in columns)) for name in names
    ]
    compared = tuple(
        at
        for at, row in enumerate(rows)
        if not marks.is_reference(row) and not row.sees_answer_key and not row.errors
    )
    contenders = tuple(at for at in compared if not marks.is_control(rows[at]))
    # What nobody was asked about has no row: it would be one of empty places.
    asked = [group for group in groups if any(figure.probes for figure in group.figures)]
    if by.hardest_first:
        asked.sort(key=lambda group: _unknown_last(group.mean(contenders or compared)))
    return Split(
        by=by,
        budget=rows[0].budget,
        measure=measure,
        columns=rows,
        compared=compared,
        contenders=contenders,
        groups=tuple(asked),
        overall=Group(ALL, tuple(totals)),
        ungrouped=ungrouped,
    )


def _chosen(cell: CellRecord, by: Dimension, measure: str) -> list[ProbeRecord]:
    """The probes of a cell that a dimension's last row is about."""
    if by.name == "where":
        return [*reused(cell), *reused_text(cell)]
    return reused(cell) if measure == REUSE else written(cell)


def _unknown_last(mean: float | None) -> float:
    return 2.0 if mean is None else mean


def _figure(sorted_out: Sequence[tuple[CellRecord, list[ProbeRecord]]]) -> Figure:
    probes = {id(cell): chosen for cell, chosen in sorted_out}
    asked = {
        cell.key.scenario: True
        for cell, chosen in sorted_out
        if any(_asked(probe) for probe in chosen)
    }
    return Figure(
        mean_share([cell for cell, _ in sorted_out], lambda cell: probes[id(cell)]),
        len(asked),
        sum(_asked(probe) for chosen in probes.values() for probe in chosen),
    )


def _asked(probe: ProbeRecord) -> bool:
    return probe.verdict not in UNASKED
