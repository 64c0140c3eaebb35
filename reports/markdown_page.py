"""The run in Markdown: the finding and the best at each budget; all else is folded below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from compaction_eval.eval.records import REUSE_KINDS, CellRecord, SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.best_table import best_table
from compaction_eval.reports.columns import (
    Column,
    Group,
    apart_lines,
    columns_for,
    groups,
    label,
    merged,
)
from compaction_eval.reports.details import details, listed
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gaps import gap_lines
from compaction_eval.reports.legend import legend
from compaction_eval.reports.marks import REFERENCES, Marks
from compaction_eval.reports.printable import markdown
from compaction_eval.reports.recalled import recall_sentence, recalled_section
from compaction_eval.reports.sentence import finding_lines
from compaction_eval.reports.shown import shown_lines, shown_section
from compaction_eval.reports.summarised_by import summarised_by
from compaction_eval.reports.usability import Usability, usability

_OPEN = 10
"""Errors that are shown at once."""


def markdown_page(
    manifest: Mapping[str, Any],
    rows: Sequence[SummaryRow],
    cells: Sequence[CellRecord],
    marks: Marks,
) -> str:
    """The whole page, with a newline at its end."""
    rows = merged(rows)
    columns = columns_for(rows)
    lines = ["# What compaction kept, and what it saved", ""]
    for line in summarised_by(manifest, rows):
        lines += [markdown(line), ""]
    shares = RowShares(cells)
    findings = finding_lines(rows, marks, shares)
    told = (*findings, recall_sentence(rows, manifest), *shown_lines(rows, manifest))
    gaps = gap_lines(manifest, cells)
    lines += [*(f"- {markdown(line)}" for line in (*gaps, *told) if line), ""]
    lines += best_table(rows, marks, shares)
    lines += _errors(failure_lines(cells))
    strategies = len({row.strategy for row in rows})
    lines += details(
        f"All figures: {plural(strategies, 'strategy', 'strategies')} at"
        f" {plural(len({row.budget for row in rows}), 'budget')}",
        [
            *budget_tables(rows, marks),
            *listed("Infeasible replays", apart_lines(rows, marks), 3),
            *listed("How to read it", legend(columns), 3),
        ],
    )
    lines += recalled_section(rows, marks)
    lines += shown_section(rows, marks)
    for summary, facts in (
        ("Lost most often", lost_most_often(cells, marks)),
        ("The run", _settings(manifest)),
    ):
        lines += details(summary, [f"- {markdown(fact)}" for fact in facts])
    return "\n".join(lines).rstrip("\n") + "\n"


def _errors(failures: Sequence[str]) -> list[str]:
    """The first of them in sight, the rest folded."""
    lines = listed("Errors", failures[:_OPEN])
    more = [f"- {markdown(failure)}" for failure in failures[_OPEN:]]
    return [*lines, *details(f"{plural(len(more), 'more error')}", more)]


def budget_tables(rows: Sequence[SummaryRow], marks: Marks) -> Iterator[str]:
    """The lines of a table for each budget, of merged rows."""
    columns, use = columns_for(rows), usability(rows, marks)
    for group in groups(rows, marks):
        yield from (f"### Budget {markdown(group.budget)}", "", f"{group.caption}.", "")
        yield from _table(group, columns, rows, use)
        yield ""


def _table(
    group: Group, columns: Sequence[Column], rows: Sequence[SummaryRow], use: Usability
) -> Iterable[str]:
    yield "| " + " | ".join(["strategy", *(column.title for column in columns)]) + " |"
    yield "|---" + "|---:" * len(columns) + "|"
    for row in group.rows:
        name = markdown(label(row, rows))
        notes = [
            note
            for note, holds in (
                ("control", use.marks.is_control(row)),
                ("sees the answer key", row.sees_answer_key),
                ("recorded", use.marks.is_recorded(row)),
                ("not usable", use.is_broken(row)),
            )
            if holds
        ]
        if notes:
            name += f" *({', '.join(notes)})*"
        yield "| " + " | ".join([name, *(column.value(row) for column in columns)]) + " |"


def lost_most_often(cells: Iterable[CellRecord], marks: Marks, most: int = 10) -> list[str]:
    """The written probes that most views lost, those of the references `none`, `empty` apart."""
    asked: dict[tuple[str, str], int] = {}
    lost: dict[tuple[str, str], int] = {}
    for cell in cells:
        if cell.apart or marks.registered_name(cell.key.strategy) in REFERENCES:
            continue
        for probe in cell.probes:
            if probe.kind in REUSE_KINDS or probe.verdict in UNASKED:
                continue
            which = (cell.key.scenario, probe.probe)
            asked[which] = asked.get(which, 0) + 1
            lost[which] = lost.get(which, 0) + (probe.verdict != "correct")
    worst = sorted(
        (which for which in asked if lost[which]), key=lambda w: (-lost[w] / asked[w], w)
    )
    return [f"{s}, {p}: lost in {lost[s, p]:,} of {asked[s, p]:,} views" for s, p in worst[:most]]


def _settings(manifest: Mapping[str, Any]) -> list[str]:
    """The manifest's plain values; its lists and mappings are in the run folder."""
    return [
        f"{name}: {value}"
        for name, value in manifest.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    ]
