"""What a run shows at each budget by one measure: what keeps most, and what can't be told apart.

Every place that names a winner takes it from here: the last lines of `run`, Markdown, the page, and
the titles of charts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import Base, RowShares
from compaction_eval.eval.telling_apart import told_apart
from compaction_eval.reports.columns import groups, merged
from compaction_eval.reports.figures import ratio
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.usability import usability

Rows = tuple[SummaryRow, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one budget shows by one measure, over rows that have a figure and could be chosen.

    Rows that see the answer key, that a recording made, or whose cells failed are in none of it.
    """

    budget: str
    measure: str
    """`survival`, `recall` or `reuse`."""
    base: Base
    best: Rows
    """The usable row that keeps most, and after it those which aren't shown to keep less. Empty
    where nothing usable keeps anything."""
    frontier: Rows
    """Usable rows that no other beats in what it keeps without more tokens, smallest first."""
    sound: Rows
    """Usable strategies: requests that the API takes and that keep the budget."""
    unsound: Rows
    """The others."""
    tempting: Rows
    """Those of them with a higher share than the best usable one, highest first."""
    below_recency: Rows
    """Strategies that are shown to keep less than `token-window` at this budget, worst first."""
    above_recency: Rows
    """Those that are shown to keep more, best first."""
    level_with_recency: Rows
    """Those that aren't shown to keep either less or more."""
    recency: SummaryRow | None

    def kept(self, row: SummaryRow) -> float:
        """The row's share by this measure."""
        found: float | None = getattr(row, self.measure)
        return found or 0.0

    @property
    def scored(self) -> bool:
        """Whether anything has a figure here."""
        return bool(self.base.scored or self.sound or self.unsound or self.recency)

    @property
    def leanest(self) -> SummaryRow | None:
        """Of the best the one that saves most tokens net, or retains fewest where that isn't known.

        None where there is nothing to choose between.
        """
        return min(self.best, key=_unsaved(self.best)) if len(self.best) > 1 else None

    @property
    def empty_handed(self) -> Rows:
        """Strategies that keep nothing of what was asked for, as recency does if there is any."""
        rows = (*self.sound, *self.unsound)
        return tuple(row for row in rows if not self.kept(row) and row not in self.below_recency)


def measure_of(rows: Sequence[SummaryRow]) -> str:
    """What strategies are ranked by first: survival, or reuse where no probes were written."""
    found = any(row.reuse is not None for row in rows)
    return "reuse" if found and all(row.survival is None for row in rows) else "survival"


def findings(
    rows: Sequence[SummaryRow],
    marks: Marks,
    shares: RowShares | None = None,
    measure: str | None = None,
) -> list[Finding]:
    """The finding of each budget, in the table's order.

    Without `shares` nothing is shown to differ. `measure`: by default that of `measure_of`.
    """
    rows = merged(rows)
    by, known = measure or measure_of(rows), shares or RowShares()
    return [_finding(group.budget, group.rows, marks, known, by) for group in groups(rows, marks)]


def middle(found: Sequence[Finding]) -> Finding:
    """The finding that is told where there is room for one: the middle one with a best row."""
    there = [one for one in found if one.best] or [one for one in found if one.scored] or found
    return there[len(there) // 2]


def _finding(
    budget: str, rows: Sequence[SummaryRow], marks: Marks, shares: RowShares, measure: str
) -> Finding:
    def kept(row: SummaryRow) -> float:
        return getattr(row, measure) or 0.0

    use = usability(rows, marks)
    # A row with errors rests on other conversations than its neighbours, so it isn't compared.
    contenders = [
        row
        for row in rows
        if getattr(row, measure) is not None
        and row.retained_tokens is not None
        and not row.errors
        and not marks.is_reference(row)
        and not marks.is_recorded(row)
        and not row.sees_answer_key
    ]
    choices = (row for row in contenders if not marks.is_recency(row))
    strategies = sorted(choices, key=lambda row: -kept(row))
    sound = [row for row in strategies if use.is_usable(row)]
    unsound = [row for row in strategies if row not in sound]
    recency = next((row for row in contenders if marks.is_recency(row)), None)
    best = _best([row for row in sound if kept(row) > 0], shares, measure)
    signs = [] if recency is None else _signs(recency, strategies, shares, measure)
    return Finding(
        budget,
        measure,
        base=_base(contenders or rows, shares, measure),
        best=best,
        frontier=_frontier([row for row in sound if kept(row) > 0], kept),
        sound=tuple(sound),
        unsound=tuple(unsound),
        tempting=tuple(row for row in unsound if best and kept(row) > kept(best[0])),
        below_recency=_signed(strategies, signs, -1)[::-1],
        above_recency=_signed(strategies, signs, 1),
        level_with_recency=_signed(strategies, signs, 0),
        recency=recency,
    )


def _base(rows: Sequence[SummaryRow], shares: RowShares, measure: str) -> Base:
    if shares.cells:
        return shares.base(rows, measure)
    scenarios = max(row.scenarios for row in rows)
    return Base(scenarios, scenarios, 0)


def _best(rows: Sequence[SummaryRow], shares: RowShares, measure: str) -> Rows:
    """Of rows, highest first: the first, and those that aren't shown to be below it."""
    if not rows:
        return ()
    top, *others = rows
    return (top, *_signed(others, _signs(top, others, shares, measure), 0))


def _signs(
    row: SummaryRow, others: Sequence[SummaryRow], shares: RowShares, measure: str
) -> list[int]:
    return told_apart(shares.of(row, measure), [shares.of(one, measure) for one in others])


def _signed(rows: Sequence[SummaryRow], signs: Sequence[int], wanted: int) -> Rows:
    """The rows of that sign."""
    return tuple(row for row, sign in zip(rows, signs, strict=False) if sign == wanted)


def _frontier(rows: Sequence[SummaryRow], kept: Callable[[SummaryRow], float]) -> Rows:
    def beats(one: SummaryRow, other: SummaryRow) -> bool:
        """Whether `one` keeps no less for no more tokens, and is better in one of the two."""
        no_worse = kept(one) >= kept(other) and _size(one) <= _size(other)
        return no_worse and (kept(one) > kept(other) or _size(one) < _size(other))

    best = [row for row in rows if not any(beats(other, row) for other in rows)]
    return tuple(sorted(best, key=lambda row: (_size(row), -kept(row))))


def _size(row: SummaryRow) -> float:
    return row.retained_tokens or 0.0


def _unsaved(rows: Sequence[SummaryRow]) -> Callable[[SummaryRow], float]:
    """Lowest where most tokens are saved net, or where that isn't known of all, retained."""
    if all(row.saved_net is not None for row in rows):
        return lambda row: -(ratio(row.saved_net, row.full_tokens) or 0.0)
    return _size
