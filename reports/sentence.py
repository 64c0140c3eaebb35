"""The finding in a sentence or two: what is worth its tokens, and what plain recency beats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import headline, label, merged
from compaction_eval.reports.figures import plural, share, tokens
from compaction_eval.reports.findings import Finding, findings
from compaction_eval.reports.marks import RECENCY, Marks
from compaction_eval.reports.printable import one_line

FEW_SCENARIOS = 10
"""With fewer conversations, one of them moves a share by ten points or more."""


def sentence(rows: Sequence[SummaryRow], marks: Marks) -> str:
    """The finding over all budgets, in one paragraph without line breaks."""
    rows = merged(rows)
    found = [f for f in findings(rows, marks) if f.frontier or f.unsound]
    if all(row == f.recency for f in found for row in (*f.frontier, *f.unsound, *f.below_recency)):
        return " ".join([_NOTHING if rows else "Nothing was measured.", *_incomplete(rows)])
    measure = "survival" if any(row.survival is not None for row in rows) else "reuse"
    parts = [*_best(found, rows, measure), *_below(found, rows), *_unsound(found, rows)]
    parts += _incomplete(rows)
    few = max(row.scenarios for row in rows)
    if few < FEW_SCENARIOS:
        parts.append(f"With {plural(few, 'scenario')}, small differences may well be chance.")
    return " ".join(parts)


_NOTHING = "Nothing to compare: no strategy but the controls has a figure."


def _best(found: Sequence[Finding], rows: Sequence[SummaryRow], measure: str) -> list[str]:
    """Who keeps most of all that is worth its tokens, with figures; then the rest by name."""
    tops: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for finding in found:
        at = one_line(finding.budget)
        for rank, row in enumerate(reversed(finding.frontier)):
            name = _named(row, rows)
            if rank == 0:
                reached = f"{share(headline(row))} for {tokens(row.retained_tokens)} tokens"
                tops.setdefault(name, []).append(f"{reached} at {at}")
            else:
                others.setdefault(name, []).append(at)
    if not tops:
        return []
    best = _listed([f"{name} ({', '.join(at)})" for name, at in tops.items()])
    also = f"; also on that frontier: {_by_budget(others, len(found))}" if others else ""
    return [f"Most {measure} for the tokens retained: {best}{also}."]


def _below(found: Sequence[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Who keeps less than recency, with the budgets; silent where there is no such control."""
    if all(finding.recency is None for finding in found):
        return []
    where: dict[str, list[str]] = {}
    for finding in found:
        for row in finding.below_recency:
            cheaper = " for fewer tokens" if row in finding.frontier else ""
            where.setdefault(_named(row, rows), []).append(one_line(finding.budget) + cheaper)
    if not where:
        return [f"Nothing keeps less than plain recency ({RECENCY}) at the same budget."]
    named = _by_budget(where, len(found))
    return [f"Worse than plain recency ({RECENCY}) at the same budget: {named}."]


def _unsound(found: Iterable[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Rows that look as good, and how often they broke a rule to get there."""
    counts: dict[str, list[int]] = {}
    for finding in found:
        for row in finding.unsound:
            count = counts.setdefault(_named(row, rows), [0, 0, 0])
            count[0] += row.invalid_requests
            count[1] += row.over_budget_requests
            count[2] += row.requests
    named = [
        f"{name} ({_broken(refused, over)} of {plural(every, 'request')})"
        for name, (refused, over, every) in counts.items()
    ]
    return [f"As good by the figures, but not as a choice: {_listed(named)}."] if named else []


def _broken(refused: int, over: int) -> str:
    """What was broken how often, in words."""
    parts = [(refused, "refused by the API"), (over, "over budget")]
    return " and ".join(f"{count:,} {what}" for count, what in parts if count)


def _incomplete(rows: Sequence[SummaryRow]) -> list[str]:
    failed: dict[str, int] = {}
    for row in rows:
        if row.errors:
            failed[_named(row, rows)] = failed.get(_named(row, rows), 0) + row.errors
    if not failed:
        return []
    named = [f"{name} ({plural(count, 'cell')} failed)" for name, count in failed.items()]
    return [f"Not compared: {_listed(named)}."]


def _by_budget(where: Mapping[str, Sequence[str]], budgets: int) -> str:
    """Names with their budgets, which are left out where they are all of them."""
    return _listed(
        [
            name
            if len(at) == budgets and not any("for" in b for b in at)
            else f"{name} ({', '.join(at)})"
            for name, at in where.items()
        ]
    )


def _named(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    return one_line(label(row, rows))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
