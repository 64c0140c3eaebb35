"""Which strategy for which budget: a line each, for a reader who wants no more than that."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.best_words import best_line
from compaction_eval.reports.columns import merged
from compaction_eval.reports.findings import findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.text import shown


def choices(
    rows: Sequence[SummaryRow], marks: Marks, shares: RowShares | None = None
) -> list[tuple[str, str]]:
    """Each budget with what keeps most there, what is cheaper, and what that rests on."""
    every = merged(rows)
    return [
        (shown(one.budget), shown(best_line(one, every))) for one in findings(every, marks, shares)
    ]
