"""Which rows someone could choose as they stand, and what speaks against the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import Marks


@dataclass(frozen=True, slots=True)
class Usability:
    """What is usable among some rows."""

    marks: Marks
    given: Mapping[str, int]
    """Requests that the recorded conversations themselves make invalid, by budget."""

    def is_usable(self, row: SummaryRow) -> bool:
        """Whether nothing speaks against the row."""
        return not self.why_not(row)

    def is_broken(self, row: SummaryRow) -> bool:
        """Whether the row would be a choice, were it not for what it did wrong."""
        return not self._kind(row) and bool(self.wrongs(row))

    def why_not(self, row: SummaryRow) -> str:
        """What speaks against it, in words; empty where it's usable."""
        return self._kind(row) or self.wrongs(row)

    def wrongs(self, row: SummaryRow) -> str:
        """What the row did wrong, and how often: `12 of 90 requests refused by the API, ...`."""
        refused = row.invalid_requests or 0
        counts = [
            (refused if refused > self.given.get(row.budget, 0) else 0, "refused by the API"),
            (row.over_budget_requests or 0, "over budget"),
        ]
        broken = [f"{count:,} {what}" for count, what in counts if count]
        parts = [f"of {plural(row.requests or 0, 'request')} {' and '.join(broken)}"] * bool(broken)
        if row.errors:
            parts.append(f"{row.errors:,} of {plural(row.cells, 'cell')} failed")
        return "; ".join(parts)

    def _kind(self, row: SummaryRow) -> str:
        """What the row is, where that is no choice."""
        if self.marks.is_control(row):
            return "a control, for comparison"
        if self.marks.is_recorded(row):
            return "what the agent's own tool did, which nobody can choose"
        return "sees the answer key" if row.sees_answer_key else ""


def usability(rows: Iterable[SummaryRow], marks: Marks) -> Usability:
    """What is usable among these rows.

    Where the recorded conversation itself breaks a rule, that isn't a strategy's doing: what `none`
    has refused is given.
    """
    given: dict[str, int] = {}
    for row in rows:
        if marks.registered_name(row.strategy) == "none":
            given[row.budget] = max(given.get(row.budget, 0), row.invalid_requests or 0)
    return Usability(marks, given)
