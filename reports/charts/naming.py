"""Names, looks and notes that all charts of a run share."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.charts.theme import Look, looks
from compaction_eval.reports.columns import label, merged
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line

LONGEST_NAME = 26
"""Terminal columns of a name beside a line."""


def row_name(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    """The row's name, short enough to stand beside a line."""
    return one_line(label(row, rows), LONGEST_NAME)


def looks_of(material: Material) -> dict[str, Look]:
    """A look for each row's name, the same in every chart of the run."""
    rows = merged(material.rows)
    return looks({row_name(row, rows): material.marks.is_control(row) for row in rows})


def evidence_note(material: Material, rows: Sequence[SummaryRow]) -> str:
    """What the figures rest on: scenarios, probes, and which run it was."""
    scenarios = max((row.scenarios for row in rows), default=0)
    probes = max((row.probes for row in rows), default=0)
    parts = [plural(scenarios, "scenario"), f"{plural(probes, 'probe')} a row"]
    keyed = " · reads the answer key: " + ", ".join(_keyed(rows)) if _keyed(rows) else ""
    return f"{' · '.join(parts)} · run {material.run_id}{keyed}"


def _keyed(rows: Sequence[SummaryRow]) -> list[str]:
    return list(dict.fromkeys(row_name(row, rows) for row in rows if row.sees_answer_key))
