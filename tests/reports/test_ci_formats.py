"""JUnit and SARIF have the shape that their readers ask for, whatever a gate comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from tests.reports.gated import HOSTILE, LOST, live, report, run

from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.regression import check_regression
from compaction_eval.eval.store import Run
from compaction_eval.reports.gate_report import GateReport, gate_report
from compaction_eval.reports.junit import as_junit
from compaction_eval.reports.sarif import as_sarif

NUMBERS = ("tests", "failures", "errors", "skipped")
ATTRIBUTES = {
    "testsuites": ({"name"}, {*NUMBERS}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, set()),
    "testcase": ({"classname", "name", "time"}, {"file", "line"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


def every_report(name: str) -> Iterator[GateReport]:
    """All that a gate can come to, flips and bounds and statistics, with names that are odd."""
    yield report(["correct"], ["correct"], name=name)
    yield report(*LOST, "survival=0.5", "survival=0.1", name=name)
    yield report(*LOST, name=name, flips=2)
    yield report(["not-asked"] * 2, ["not-asked", "stale"], name=name)
    yield gate_report(live(1), run([]), folder="runs/new", baseline="base.jsonl")
    whole = run(["correct"])
    cells = (replace(whole.cells[0], requests=(), probes=(), error=f"raised {name}: y"),)
    broken = Run(whole.manifest, cells)
    found = check_regression(evidence_of(broken), evidence_of(whole), ())
    yield gate_report(found, broken, folder=name, baseline=None, problems=(f"{name} failed",))


@pytest.mark.parametrize("name", ["p", HOSTILE])
def test_junit_has_the_shape_that_its_readers_know(name: str) -> None:
    """Elements and attributes of Jenkins' and GitLab's readers; numbers that add up."""
    for found in every_report(name):
        root = ET.fromstring(as_junit(found))
        assert root.tag == "testsuites"
        for element in root.iter():
            needed, possible = ATTRIBUTES[element.tag]
            assert needed <= set(element.keys()) <= needed | possible
            assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        for parent in (root, *root):
            cases = list(parent.iter("testcase"))
            counts = [
                sum(case.find(tag) is not None for case in cases)
                for tag in ("failure", "error", "skipped")
            ]
            assert [int(parent.get(one, "")) for one in NUMBERS] == [len(cases), *counts]
        assert all(len(case) <= 1 for case in root.iter("testcase"))
        passed = found.regression.outcome == "pass"
        assert passed == (root.get("failures") == root.get("errors") == "0")


def test_cases_of_several_rows_are_told_apart_by_class_and_name() -> None:
    """As GitLab does, which doesn't look at the suite."""
    one = report(*LOST)
    other = run(["correct"] * 3, label="other").cells[0]
    both = replace(one, run=replace(one.run, cells=(*one.run.cells, other)))
    cases = list(ET.fromstring(as_junit(both)).iter("testcase"))
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases) == 7


@pytest.mark.parametrize("name", ["p", HOSTILE])
def test_sarif_has_what_2_1_0_and_code_scanning_ask_for(name: str) -> None:
    """Required properties and the values of enumerations; a place in each result."""
    for found in every_report(name):
        document = json.loads(as_sarif(found))
        assert set(document) == {"$schema", "version", "runs"}
        assert document["version"] == "2.1.0"
        (only,) = document["runs"]
        driver = only["tool"]["driver"]
        assert driver["name"] == "compaction-eval"
        assert all(set(rule) == {"id", "shortDescription"} for rule in driver["rules"])
        assert (found.regression.outcome == "pass") <= all(
            one["level"] == "note" for one in only["results"]
        )
        assert (found.regression.outcome != "pass") <= bool(only["results"])
        for result in only["results"]:
            assert result["level"] in {"none", "note", "warning", "error"}
            assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["message"]["text"]
            (location,) = result["locations"]
            place = location["physicalLocation"]
            assert place["region"]["startLine"] >= 1
            assert re.fullmatch(r"[\w./%~:-]+", place["artifactLocation"]["uri"], re.ASCII)
