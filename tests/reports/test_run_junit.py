"""A run as JUnit XML."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.results import Results
from compaction_eval.reports.run_junit import run_junit

MANIFEST = {
    "strategies": [],
    "summarizers": [],
    "places": {"staging-port": {"file": "my/staging-port.yaml", "family": "my", "probes": {}}},
}


def written(*cells: CellRecord) -> ET.Element:
    """The file of these cells, read again."""
    rows = summary_rows(Run(MANIFEST, cells))
    return ET.fromstring(run_junit(Results(MANIFEST, rows, cells, Marks())))


def properties(element: ET.Element) -> dict[str | None, str | None]:
    return {one.get("name"): one.get("value") for one in element.findall("properties/property")}


def test_a_cell_is_a_case_with_its_figures_and_a_lost_fact_is_no_failure(cell: CellRecord) -> None:
    root = written(cell)
    (suite,) = root
    (case,) = suite.findall("testcase")
    assert suite.get("name") == "rolling-summary at 30% with extractive"
    assert (case.get("classname"), case.get("file"), case.get("line")) == (
        "staging-port",
        "my/staging-port.yaml",
        "1",
    )
    told = properties(case)
    assert float(told["survival"] or "") == 2 / 3
    assert told["probes"] == "3"
    assert "recall" not in told
    assert case.findtext("system-out") == "missing host@end, lost at request #2"
    counts = [root.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["1", "0", "0", "0"]


def test_a_suite_has_the_figures_over_all_its_scenarios(cell: CellRecord) -> None:
    kept = replace(
        cell,
        key=replace(cell.key, scenario="other"),
        probes=cell.probes[:2],
        requests=cell.requests,
    )
    (suite,) = written(cell, kept)
    assert float(properties(suite)["survival"] or "") == (2 / 3 + 1) / 2
    assert suite.get("tests") == "2"


def test_a_failed_cell_is_an_error_with_its_reason(cell: CellRecord) -> None:
    failed = replace(cell, requests=(), probes=(), error="raised RuntimeError: \x1b no luck")
    root = written(failed)
    assert root.get("errors") == "1"
    assert root.findtext(".//error") == "raised RuntimeError: \\x1b no luck"


def test_a_cell_apart_is_skipped(cell: CellRecord) -> None:
    root = written(replace(cell, apart=True))
    assert root.get("skipped") == "1"
    assert [one.tag for one in root.findall(".//testcase/*")][0:2] == ["properties", "skipped"]


def test_cells_have_names_of_their_own_whatever_row_they_are_in(cell: CellRecord) -> None:
    again = replace(cell, key=replace(cell.key, repeat=1))
    wider = replace(cell, key=replace(cell.key, budget="50%"))
    cases = written(cell, again, wider).findall(".//testcase")
    assert len({(one.get("classname"), one.get("name")) for one in cases}) == 3
