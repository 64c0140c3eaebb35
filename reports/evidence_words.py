"""How many scenarios, probes and values the figures of some rows rest on, in words."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.figures import plural


def scored_scenarios(rows: Sequence[SummaryRow]) -> str:
    """How many scenarios the figures rest on: from how many to how many, where budgets differ."""
    counts = [row.scenarios for row in rows if row.scenarios] or [0]
    if min(counts) == max(counts):
        return plural(max(counts), "conversation")
    return f"{min(counts):,} to {plural(max(counts), 'conversation')} by budget"


def asked(rows: Sequence[SummaryRow]) -> list[str]:
    """How many probes and how many values the figures rest on, of each there are."""
    written = [row.probes - row.reuse_probes for row in rows]
    found = [row.reuse_probes for row in rows]
    parts = []
    for numbers, noun, several in (
        (written, "probe", "probes"),
        (found, "value used again", "values used again"),
    ):
        if max(numbers):
            some = f"{min(numbers):,} to " if min(numbers) < max(numbers) else ""
            parts.append(some + plural(max(numbers), noun, several))
    return parts or ["0 probes"]
