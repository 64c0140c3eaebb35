"""The finding in a few short sentences: what keeps most at each budget, and what to beware of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.statistics import FEWEST
from compaction_eval.reports.best_words import best_line, listed, named
from compaction_eval.reports.columns import merged
from compaction_eval.reports.figures import plural, share
from compaction_eval.reports.findings import Finding, findings
from compaction_eval.reports.marks import RECENCY, Marks
from compaction_eval.reports.printable import one_line
from compaction_eval.reports.usability import usability

_TEMPTING = 1
"""Unusable rows of a budget that are named, the highest."""
_NAMED = 5


def sentence(rows: Sequence[SummaryRow], marks: Marks, shares: RowShares | None = None) -> str:
    """All of the finding, in one paragraph without line breaks."""
    return " ".join(finding_lines(rows, marks, shares))


def finding_lines(
    rows: Sequence[SummaryRow], marks: Marks, shares: RowShares | None = None
) -> list[str]:
    """The finding, a sentence or two a line: of each budget, then what holds beside it."""
    rows = merged(rows)
    found = findings(rows, marks, shares)
    if not any(finding.sound or finding.unsound for finding in found):
        return [_nothing(rows, found, marks), *_incomplete(rows)]
    lines = [f"At {one_line(one.budget)}, {best_line(one, rows)}." for one in found]
    return [*lines, *_beside(found, rows, marks)]


def beside_lines(
    rows: Sequence[SummaryRow], marks: Marks, shares: RowShares | None = None
) -> list[str]:
    """The finding without its lines on budgets, for a page that has a list of these."""
    rows = merged(rows)
    found = findings(rows, marks, shares)
    if not any(finding.sound or finding.unsound for finding in found):
        return [_nothing(rows, found, marks), *_incomplete(rows)]
    return _beside(found, rows, marks)


def _beside(found: Sequence[Finding], rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    return [
        *_tempting(found, rows, marks),
        *_recency(found, rows),
        *_empty_handed(found, rows),
        *_incomplete(rows),
    ]


def _nothing(rows: Sequence[SummaryRow], found: Sequence[Finding], marks: Marks) -> str:
    if not rows:
        return "Nothing was measured."
    if found and all(one.base.conversations == one.base.apart > 0 for one in found):
        return "Not scored: no conversation can be made to fit any of these budgets."
    if not any(marks.is_control(row) for row in rows):
        return "Nothing to compare: no strategy has a figure."
    keyed = " and what sees the answer key" if any(row.sees_answer_key for row in rows) else ""
    return f"Nothing to compare: no strategy but the controls{keyed} has a figure."


def _tempting(found: Sequence[Finding], rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    """Rows with higher figures, or all there are, and what they did wrong at that budget."""
    use = usability(rows, marks)
    lines = []
    for head, chosen in (
        ("Higher figures, but not usable", [one.tempting for one in found]),
        ("Not usable", [() if one.sound else one.unsound for one in found]),
    ):
        told = []
        for finding, wrong in zip(found, chosen, strict=True):
            names = [
                f"{named(row, rows)} ({share(finding.kept(row))}; {use.wrongs(row)})"
                for row in wrong[:_TEMPTING]
            ]
            if names:
                told.append(f"at {one_line(finding.budget)} {listed(names, len(wrong))}")
        if told:
            lines.append(f"{head}: {'; '.join(told)}.")
    return lines


def _recency(found: Sequence[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Who is shown to keep less than recency, and who isn't shown to differ, with the budgets.

    Nothing where there are too few conversations to show anything.
    """
    found = [
        one
        for one in found
        if one.recency is not None and one.kept(one.recency) and one.base.scored >= FEWEST
    ]
    if not found:
        return []
    lines = []
    for head, chosen in (
        ("Worse than plain recency", [one.below_recency for one in found]),
        ("Usable, but not shown to differ from plain recency", [_level(one) for one in found]),
    ):
        where: dict[str, list[str]] = {}
        for finding, own in zip(found, chosen, strict=True):
            for row in own:
                where.setdefault(named(row, rows), []).append(one_line(finding.budget))
        if where:
            lines.append(f"{head} ({RECENCY}): {_by_budget(where, found)}.")
    if not any(one.below_recency for one in found):
        lines.insert(0, f"Nothing is shown to be worse than plain recency ({RECENCY}).")
    return lines


def _level(finding: Finding) -> list[SummaryRow]:
    return [row for row in finding.level_with_recency if row in finding.sound]


def _empty_handed(found: Sequence[Finding], rows: Sequence[SummaryRow]) -> list[str]:
    """Who keeps nothing at all, where recency is no better or isn't there."""
    where: dict[str, list[str]] = {}
    for finding in found:
        if not finding.best and finding.sound:
            continue  # The line of the budget says so.
        for row in finding.empty_handed:
            where.setdefault(named(row, rows), []).append(one_line(finding.budget))
    if not where:
        return []
    return [f"Keeps nothing of what was asked for: {_by_budget(where, found)}."]


def _incomplete(rows: Sequence[SummaryRow]) -> list[str]:
    failed: dict[str, int] = {}
    for row in rows:
        if row.errors:
            failed[named(row, rows)] = failed.get(named(row, rows), 0) + row.errors
    if not failed:
        return []
    names = [f"{name} ({plural(count, 'cell')} failed)" for name, count in failed.items()]
    return [f"Not compared: {listed(names)}."]


def _by_budget(where: Mapping[str, Sequence[str]], found: Sequence[Finding]) -> str:
    """Names with their budgets, which are left out where they are all of them."""
    names = [
        name if len(at) == len(found) else f"{name} ({', '.join(at)})" for name, at in where.items()
    ]
    return listed(names[:_NAMED], len(names))
