"""A gated run as JUnit XML: a test case for each verdict, and for each gate on each row.

The shape is the one that Jenkins and GitLab read: `testsuites`, a `testsuite` for each strategy,
budget and summariser, its cases with at most one of `failure`, `error` and `skipped`.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from compaction_eval.eval.evidence import place_of
from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports import gate_lines
from compaction_eval.reports.gate_report import GateReport, headline, membership
from compaction_eval.reports.losses import Loss, probe_of, row_of, scenario_of
from compaction_eval.reports.printable import one_line, printable

_COUNTED = ("failure", "error", "skipped")
_PLURALS = {"failure": "failures", "error": "errors", "skipped": "skipped"}

Place = tuple[CellKey, str, str]


def as_junit(report: GateReport) -> str:
    """The whole file. Characters that XML can't hold are escaped as `\\x1b`."""
    root = ET.Element("testsuites", name="compaction-eval")
    lost = {(one.flip.key, one.flip.probe, one.flip.place): one for one in report.losses}
    suites: dict[tuple[str, str, str], ET.Element] = {}
    for cell in report.run.cells:
        row = (cell.key.strategy, cell.key.budget, cell.key.summarizer)
        if row not in suites:
            suites[row] = _suite(root, f"{row[0]} at {row[1]} with {row[2]}")
        _cases(suites[row], cell, lost, report)
    _gates(_suite(root, "gates"), report)
    for suite in root:
        _count(suite)
    for name in ("tests", *_PLURALS.values()):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(root, "testsuite", name=one_line(name))


def _cases(
    suite: ET.Element, cell: CellRecord, lost: Mapping[Place, Loss], report: GateReport
) -> None:
    # Readers that tell cases apart by class and name alone would take rows for one another.
    row = f", {row_of(cell.key)}"
    scenario = scenario_of(cell.key)
    if cell.error is not None:
        case = _case(suite, scenario, f"measured{row}")
        _says(case, "error", "not measured", cell.error)
    for probe in cell.probes:
        name = probe_of(probe.kind, probe.probe, place_of(probe))
        case = _case(suite, scenario, f"{name}{row}")
        _place(case, cell, probe, report)
        loss = lost.get((cell.key, probe.probe, place_of(probe)))
        if loss is not None and report.losses_fail:
            _says(case, "failure", f"{loss.change}, {loss.lost}", _story(loss))
        elif loss is not None:
            ET.SubElement(case, "system-out").text = printable(_story(loss))
        elif probe.verdict in UNASKED:
            ET.SubElement(case, "skipped", message=probe.verdict)


def _place(case: ET.Element, cell: CellRecord, probe: ProbeRecord, report: GateReport) -> None:
    place = probe_place(report.run.manifest, cell.key.scenario, probe.probe)
    if place is not None:
        case.set("file", one_line(place[0]))
        case.set("line", str(place[1]))


def _story(loss: Loss) -> str:
    place = f"{loss.file}:{loss.line}: " if loss.file else ""
    what = f"\n{loss.what}" if loss.what else ""
    return f"{place}{loss.scenario}, {loss.probe}, {loss.row}: {loss.change}, {loss.lost}{what}"


def _gates(suite: ET.Element, report: GateReport) -> None:
    """The gates, and whatever else decides, so that no failing run has only passing cases."""
    for result in report.regression.results:
        case = _case(suite, gate_lines.row(result), gate_lines.rule(result))
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
            _says(case, kind, f"{result.judgement}: {gate_lines.finding(result)}", told)
    case = _case(suite, "run", "verdict")
    outcome = report.regression.outcome
    if outcome != "pass":
        kind = "failure" if outcome == "fail" else "error"
        _says(case, kind, headline(report), "\n".join([*report.problems, *membership(report, 100)]))


def _case(suite: ET.Element, group: str, name: str) -> ET.Element:
    return ET.SubElement(
        suite, "testcase", classname=one_line(group), name=one_line(name), time="0"
    )


def _says(case: ET.Element, kind: str, message: str, text: str) -> None:
    ET.SubElement(case, kind, message=one_line(message), type=kind).text = printable(text)


def _count(suite: ET.Element) -> None:
    suite.set("tests", str(len(suite)))
    for kind in _COUNTED:
        number = sum(case.find(kind) is not None for case in suite)
        suite.set(_PLURALS[kind], str(number))
    suite.set("time", "0")
