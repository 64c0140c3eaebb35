"""A run as JUnit XML: a test case for each cell, with its figures as properties.

A run judges nothing, so a lost fact is no failure (`gate` says what fails): a cell in error is an
`error`, one that stands apart is `skipped`, and what was lost stands in `system-out`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from compaction_eval.eval.evidence import place_of
from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.junit_elements import Suites, add_properties, case, put_at, says
from compaction_eval.reports.losses import probe_of, row_of, scenario_of
from compaction_eval.reports.printable import printable

if TYPE_CHECKING:
    from compaction_eval.reports.results import Results

FIGURES = (
    "survival",
    "stale",
    "mixed",
    "recall",
    "reuse",
    "probes",
    "retained_tokens",
    "sent_tokens",
    "saved_net",
    "requests",
    "invalid_requests",
    "over_budget_requests",
)
"""Columns of the summary that are told as properties."""


def run_junit(results: Results) -> str:
    """The whole file, with a newline at its end."""
    suites = Suites()
    for row in results.rows:
        suite = suites.row((row.strategy, row.budget, row.summarizer))
        add_properties(suite, _figures(row))
    for cell in results.cells:
        suite = suites.row((cell.key.strategy, cell.key.budget, cell.key.summarizer))
        _cell(suite, cell, results.manifest)
    return suites.text()


def _cell(suite: ET.Element, cell: CellRecord, manifest: Mapping[str, Any]) -> None:
    # Readers that tell cases apart by class and name alone would take rows for one another.
    told = case(suite, scenario_of(cell.key), row_of(cell.key))
    put_at(told, probe_place(manifest, cell.key.scenario, ""))
    if cell.error is not None:
        says(told, "error", "not measured", cell.error)
        return
    # Its own figures, as if it were the whole run; where it stands apart it has none.
    (row,) = summary_rows(Run(manifest, (cell,)))
    add_properties(told, _figures(row))
    if cell.apart:
        why = "apart: system messages and newest block alone exceed the budget in most requests"
        ET.SubElement(told, "skipped", message=why)
    lost = _lost(cell)
    if lost:
        ET.SubElement(told, "system-out").text = printable("\n".join(lost))


def _figures(row: SummaryRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in FIGURES}


def _lost(cell: CellRecord) -> Sequence[str]:
    """`missing host@end, lost at request #2`, a line for each verdict that counts."""
    return [
        f"{one.verdict} {probe_of(one.kind, one.probe, place_of(one))}"
        + ("" if one.lost_at is None else f", lost at request #{one.lost_at}")
        for one in cell.probes
        if not one.free and one.verdict != "correct" and one.verdict not in UNASKED
    ]
