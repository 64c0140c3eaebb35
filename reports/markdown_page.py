"""The run in Markdown: the finding, a table for each budget, and how to read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from compaction_eval.eval.records import REUSE_KINDS, CellRecord, SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.columns import (
    Column,
    Group,
    apart_lines,
    columns_for,
    groups,
    label,
    legend,
    merged,
)
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.marks import REFERENCES, Marks
from compaction_eval.reports.printable import markdown
from compaction_eval.reports.recalled import recall_sentence, recalled_section
from compaction_eval.reports.sentence import finding_lines
from compaction_eval.reports.shown import shown_lines, shown_section
from compaction_eval.reports.summarised_by import summarised_by
from compaction_eval.reports.usability import Usability, usability


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
    findings = finding_lines(rows, marks, RowShares(cells))
    told = (*findings, recall_sentence(rows, manifest), *shown_lines(rows, manifest))
    lines += [*(f"- {markdown(line)}" for line in told if line), ""]
    lines += budget_tables(rows, marks)
    lines += recalled_section(rows, marks)
    lines += shown_section(rows, marks)
    for heading, facts in (
        ("Cells apart", apart_lines(rows, marks)),
        ("Errors", failure_lines(cells)),
        ("How to read it", legend(columns)),
        ("Lost most often", lost_most_often(cells, marks)),
        ("The run", _settings(manifest)),
    ):
        if facts:
            lines += [f"## {heading}", "", *(f"- {markdown(fact)}" for fact in facts), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def budget_tables(rows: Sequence[SummaryRow], marks: Marks) -> Iterator[str]:
    """The lines of a table for each budget, of merged rows."""
    columns, use = columns_for(rows), usability(rows, marks)
    for group in groups(rows, marks):
        yield from (f"## Budget {markdown(group.budget)}", "", f"{group.caption}.", "")
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
