"""The finding in a sentence or two: what is worth its tokens, and what plain recency beats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import headline, label, merged
from compaction_eval.reports.figures import plural, share, tokens
from compaction_eval.reports.findings import Finding, findings
from compaction_eval.reports.marks import RECENCY, Marks
from compaction_eval.reports.printable import name_text, one_line

FEW_SCENARIOS = 10
"""With fewer conversations, one of them moves a share by ten points or more."""


def sentence(rows: Sequence[SummaryRow], marks: Marks) -> str:
    """The finding over all budgets, in one paragraph without line breaks."""
    rows = merged(rows)
    found = findings(rows, marks)
    if not any(finding.sound or finding.unsound for finding in found):
        return " ".join([_nothing(rows), *_incomplete(rows)])
    measure = "survival" if any(row.survival is not None for row in rows) else "reuse"
    parts = [*_best(found, rows, measure), *_no_sound(found, rows), *_tempting(found, rows)]
    parts += [*_below(found, rows), *_empty_handed(found, rows), *_incomplete(rows)]
    few = max(row.scenarios for row in rows)
    if few < FEW_SCENARIOS:
        parts.append(f"With {plural(few, 'scenario')}, small differences may well be chance.")
    return " ".join(parts)


def _nothing(rows: Sequence[SummaryRow]) -> str:
    if not rows:
        return "Nothing was measured."
    keyed = " and what sees the answer key" if any(row.sees_answer_key for row in rows) else ""
    return f"Nothing to compare: no strategy but the controls{keyed} has a figure."


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


def _no_sound(found: Sequence[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Said plainly where nothing can be had: what each strategy did wrong, and how often."""
    without = [finding for finding in found if _has_no_choice(finding)]
    if not without:
        return []
    budgets = _listed([one_line(finding.budget) for finding in without])
    where = "No strategy here" if len(without) == len(found) else f"At {budgets}, no strategy"
    named = _listed(_wrongs([row for finding in without for row in finding.unsound], rows))
    return [f"{where} both keeps its budget and sends valid requests: {named}."]


def _has_no_choice(finding: Finding) -> bool:
    return bool(finding.unsound) and not finding.sound and not finding.frontier


def _tempting(found: Iterable[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Rows that look as good as the frontier, and how often they broke a rule to get there."""
    tempting = [row for one in found if not _has_no_choice(one) for row in one.tempting]
    if not tempting:
        return []
    named = _listed(_wrongs(tempting, rows))
    return [f"As good by the figures, but not as a choice: {named}."]


def _below(found: Sequence[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Who keeps less than recency, with the budgets; silent where nobody could."""
    where: dict[str, list[str]] = {}
    for finding in found:
        for row in finding.below_recency:
            cheaper = " for fewer tokens" if row in finding.frontier else ""
            where.setdefault(_named(row, rows), []).append(one_line(finding.budget) + cheaper)
    if where:
        named = _by_budget(where, len(found))
        return [f"Worse than plain recency ({RECENCY}) at the same budget: {named}."]
    if any(finding.recency is not None and headline(finding.recency) for finding in found):
        return [f"Nothing keeps less than plain recency ({RECENCY}) at the same budget."]
    return []


def _empty_handed(found: Sequence[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Who keeps nothing at all, where recency is no better or isn't there."""
    where: dict[str, list[str]] = {}
    for finding in found:
        for row in finding.empty_handed:
            where.setdefault(_named(row, rows), []).append(one_line(finding.budget))
    if not where:
        return []
    return [f"Keeps nothing of what was asked for: {_by_budget(where, len(found))}."]


def _wrongs(unsound: Iterable[SummaryRow], rows: Sequence[SummaryRow]) -> list[str]:
    """Each name with what it did wrong, over all of its rows."""
    counts: dict[str, list[int]] = {}
    for row in unsound:
        total = counts.setdefault(_named(row, rows), [0, 0, 0])
        for at, number in enumerate((row.invalid_requests, row.over_budget_requests, row.requests)):
            total[at] += number or 0
    return [
        f"{name} ({_broken(refused, over)} of {plural(every, 'request')})"
        for name, (refused, over, every) in counts.items()
    ]


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
    return name_text(label(row, rows))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
