"""The small table that a page begins with: of each budget the best few, and plain recency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import columns_for, groups, label, merged
from compaction_eval.reports.figures import plural
from compaction_eval.reports.findings import findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import markdown

MOST = 3
"""Rows of a budget, recency apart."""
_TITLES = ("survival", "recall", "reuse", "retained tokens", "saved net")


def best_table(rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    """The lines of the table, with an empty one below; none without rows.

    The best are those on the frontier; where a budget has too few, those that keep most besides,
    whose requests the API takes and that keep their budget first.
    """
    rows = merged(rows)
    if not rows:
        return []
    columns = [column for column in columns_for(rows) if column.title in _TITLES]
    lines = ["| budget | strategy | " + " | ".join(column.title for column in columns) + " |"]
    lines.append("|---|---|" + "---:|" * len(columns))
    for row in _best(rows, marks):
        note = " *(control)*" if marks.is_control(row) else ""
        cells = [markdown(row.budget), f"{markdown(label(row, rows))}{note}"]
        lines.append(f"| {' | '.join([*cells, *(column.value(row) for column in columns)])} |")
    most = max(rows, key=lambda row: row.probes)
    rests = f"{plural(most.scenarios, 'scenario')}, up to {plural(most.probes, 'probe')} a row."
    return [*lines, "", rests, ""]


def _best(rows: Sequence[SummaryRow], marks: Marks) -> Iterator[SummaryRow]:
    for group, found in zip(groups(rows, marks), findings(rows, marks), strict=True):
        best = [*reversed(found.frontier)]
        best += [row for row in group.rows if row in found.sound and row not in best]
        best += [row for row in group.rows if not marks.is_control(row) and row not in best]
        chosen = [row for row in best if not marks.is_control(row)][:MOST]
        yield from chosen
        if found.recency is not None:
            yield found.recency
        elif not chosen:
            yield from group.rows[:MOST]
