"""The small table that a page begins with: of each budget the best few, and plain recency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.columns import (
    INTERVAL,
    columns_for,
    groups,
    label,
    merged,
)
from compaction_eval.reports.evidence_words import asked, scored_scenarios
from compaction_eval.reports.findings import findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import markdown
from compaction_eval.reports.usability import usability

MOST = 3
"""Rows of a budget, recency apart."""
_TITLES = ("survival", INTERVAL, "recall", "reuse", "retained tokens", "saved net")


def best_table(
    rows: Sequence[SummaryRow], marks: Marks, shares: RowShares | None = None
) -> list[str]:
    """The lines of the table, with an empty one below; none without rows.

    The best are those that aren't shown to keep less than another, highest first, then those on
    the frontier, then the other usable ones. Where none is usable, those that keep most, marked.
    """
    rows = merged(rows)
    if not rows:
        return []
    columns = [column for column in columns_for(rows) if column.title in _TITLES]
    lines = ["| budget | strategy | " + " | ".join(column.title for column in columns) + " |"]
    lines.append("|---|---|" + "---:|" * len(columns))
    use = usability(rows, marks)
    for row in _best(rows, marks, shares):
        note = " *(control)*" if marks.is_control(row) else ""
        note = " *(not usable)*" if use.is_broken(row) else note
        cells = [markdown(row.budget), f"{markdown(label(row, rows))}{note}"]
        lines.append(f"| {' | '.join([*cells, *(column.value(row) for column in columns)])} |")
    told = " and ".join(asked([row for row in rows if row.probes] or rows))
    return [*lines, "", f"{scored_scenarios(rows)}, {told} a row.", ""]


def _best(
    rows: Sequence[SummaryRow], marks: Marks, shares: RowShares | None
) -> Iterator[SummaryRow]:
    for group, found in zip(groups(rows, marks), findings(rows, marks, shares), strict=True):
        every = (*found.best, *reversed(found.frontier), *found.sound)
        best = [row for at, row in enumerate(every) if row not in every[:at]]
        chosen = best[:MOST] or [row for row in group.rows if not marks.is_control(row)][:MOST]
        yield from chosen
        if found.recency is not None:
            yield found.recency
        elif not chosen:
            yield from group.rows[:MOST]
