"""Which strategy for which budget: a line each, for a reader who wants no more than that."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import headline, label, merged
from compaction_eval.reports.figures import share, tokens
from compaction_eval.reports.findings import Finding, findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.text import shown


def choices(rows: Sequence[SummaryRow], marks: Marks) -> list[tuple[str, str]]:
    """Each budget with what keeps most there, and what keeps less for fewer tokens."""
    every = merged(rows)
    return [(shown(one.budget), shown(_choice(one, every))) for one in findings(every, marks)]


def _choice(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    if not finding.frontier:
        return "no strategy both keeps its budget and sends valid requests"
    *cheaper, best = finding.frontier
    told = f"{_figures(best, rows)} keeps most"
    if not cheaper:
        return f"{told}, and nothing that keeps less takes fewer tokens"
    return f"{told}; for fewer tokens: {', '.join(_figures(row, rows) for row in cheaper)}"


def _figures(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    kept = f"{share(headline(row))} for {tokens(row.retained_tokens)} tokens"
    return f"{label(row, rows)} ({kept})"
