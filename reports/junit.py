"""A gated run as JUnit XML: a test case for each verdict, and for each gate on each row."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from compaction_eval.eval.evidence import place_of
from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports import gate_lines
from compaction_eval.reports.gate_report import GateReport, headline, membership
from compaction_eval.reports.junit_elements import Suites, case, put_at, says
from compaction_eval.reports.losses import Loss, probe_of, row_of, scenario_of
from compaction_eval.reports.printable import printable

Place = tuple[CellKey, str, str]


def as_junit(report: GateReport) -> str:
    """The whole file."""
    suites = Suites()
    lost = {(one.flip.key, one.flip.probe, one.flip.place): one for one in report.losses}
    for cell in report.run.cells:
        suite = suites.row((cell.key.strategy, cell.key.budget, cell.key.summarizer))
        _cases(suite, cell, lost, report)
    _gates(suites.named("gates"), report)
    return suites.text()


def _cases(
    suite: ET.Element, cell: CellRecord, lost: Mapping[Place, Loss], report: GateReport
) -> None:
    # Readers that tell cases apart by class and name alone would take rows for one another.
    row = f", {row_of(cell.key)}"
    scenario = scenario_of(cell.key)
    if cell.error is not None:
        told = case(suite, scenario, f"measured{row}")
        says(told, "error", "not measured", cell.error)
    for probe in cell.probes:
        name = probe_of(probe.kind, probe.probe, place_of(probe))
        told = case(suite, scenario, f"{name}{row}")
        put_at(told, probe_place(report.run.manifest, cell.key.scenario, probe.probe))
        loss = lost.get((cell.key, probe.probe, place_of(probe)))
        if loss is not None and report.losses_fail:
            says(told, "failure", f"{loss.change}, {loss.lost}", _story(loss))
        elif loss is not None:
            ET.SubElement(told, "system-out").text = printable(_story(loss))
        elif probe.verdict in UNASKED:
            ET.SubElement(told, "skipped", message=probe.verdict)


def _story(loss: Loss) -> str:
    place = f"{loss.file}:{loss.line}: " if loss.file else ""
    what = f"\n{loss.what}" if loss.what else ""
    return f"{place}{loss.scenario}, {loss.probe}, {loss.row}: {loss.change}, {loss.lost}{what}"


def _gates(suite: ET.Element, report: GateReport) -> None:
    """The gates, and whatever else decides, so that no failing run has only passing cases."""
    for result in report.regression.results:
        checked = case(suite, gate_lines.row(result), gate_lines.rule(result))
        told = "\n".join(
            part
            for part in (
                gate_lines.finding(result),
                gate_lines.evidence(result),
                gate_lines.statistics(result),
            )
            if part
        )
        if result.judgement != "pass":
            kind = "failure" if result.judgement == "fail" else "error"
            says(checked, kind, f"{result.judgement}: {gate_lines.finding(result)}", told)
    verdict = case(suite, "run", "verdict")
    outcome = report.regression.outcome
    if outcome != "pass":
        kind = "failure" if outcome == "fail" else "error"
        says(
            verdict, kind, headline(report), "\n".join([*report.problems, *membership(report, 100)])
        )
