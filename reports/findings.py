"""What a run shows at each budget: the frontier of kept against sent, and who loses to recency."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import groups, headline, merged
from compaction_eval.reports.marks import Marks

Kept = Callable[[SummaryRow], float | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one budget shows, over rows that are measured, without errors, and can be chosen."""

    budget: str
    frontier: tuple[SummaryRow, ...]
    """Sound rows that no other beats in what it keeps without more tokens, cheapest first."""
    sound: tuple[SummaryRow, ...]
    """Strategies (the control of recency apart) with requests that the API takes and that keep the
    budget."""
    unsound: tuple[SummaryRow, ...]
    """Strategies that have others."""
    tempting: tuple[SummaryRow, ...]
    """Those of them that would be on the frontier, and that recency doesn't beat."""
    below_recency: tuple[SummaryRow, ...]
    """Rows that keep less than `token-window` at this budget, worst first."""
    recency: SummaryRow | None
    kept: Kept = headline
    """What the rows are ranked by."""

    @property
    def empty_handed(self) -> tuple[SummaryRow, ...]:
        """Strategies that keep nothing of what was asked for, as recency does if there is any."""
        rows = (*self.sound, *self.unsound)
        return tuple(row for row in rows if not self.kept(row) and row not in self.below_recency)


def findings(rows: Sequence[SummaryRow], marks: Marks, kept: Kept = headline) -> list[Finding]:
    """The finding of each budget, in the table's order, by what rows are ranked by."""
    return [
        _finding(group.budget, group.rows, marks, kept) for group in groups(merged(rows), marks)
    ]


def _finding(budget: str, rows: Sequence[SummaryRow], marks: Marks, kept: Kept) -> Finding:
    def share(row: SummaryRow) -> float:
        return kept(row) or 0.0

    # A row with errors rests on other conversations than its neighbours, so it isn't compared.
    contenders = [
        row
        for row in rows
        if kept(row) is not None
        and row.retained_tokens is not None
        and not row.errors
        and not marks.is_reference(row)
        and not marks.is_recorded(row)
        and not row.sees_answer_key
    ]
    # Where the recorded conversation itself breaks a rule, that isn't a strategy's doing.
    given = max(
        (_refused(row) for row in rows if marks.registered_name(row.strategy) == "none"), default=0
    )
    sound = [row for row in contenders if _refused(row) <= given and not row.over_budget_requests]
    strategies = [row for row in contenders if not marks.is_recency(row)]
    recency = next((r for r in contenders if marks.is_recency(r)), None)
    below = [] if recency is None else [r for r in contenders if share(r) < share(recency)]
    best = _frontier(contenders, share)
    return Finding(
        budget,
        frontier=_frontier(sound, share),
        sound=tuple(row for row in strategies if row in sound),
        unsound=tuple(row for row in strategies if row not in sound),
        tempting=tuple(row for row in best if row in strategies and row not in (*sound, *below)),
        below_recency=tuple(sorted(below, key=share)),
        recency=recency,
        kept=kept,
    )


def _refused(row: SummaryRow) -> int:
    return row.invalid_requests or 0


def _frontier(
    rows: Sequence[SummaryRow], share: Callable[[SummaryRow], float]
) -> tuple[SummaryRow, ...]:
    def beats(one: SummaryRow, other: SummaryRow) -> bool:
        """Whether `one` keeps no less for no more tokens, and is better in one of the two."""
        no_worse = share(one) >= share(other) and _cost(one) <= _cost(other)
        return no_worse and (share(one) > share(other) or _cost(one) < _cost(other))

    # What keeps nothing is cheap, and no choice.
    some = [row for row in rows if share(row) > 0]
    best = [row for row in some if not any(beats(other, row) for other in some)]
    return tuple(sorted(best, key=lambda row: (_cost(row), -share(row))))


def _cost(row: SummaryRow) -> float:
    return row.retained_tokens or 0.0
