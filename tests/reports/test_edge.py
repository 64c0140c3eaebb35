"""The edge suite's reports: tallies, what is told first, and text that could steer a screen."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping

import pytest

from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.reports.edge import EdgeReport, EdgeScenario, selected
from compaction_eval.reports.edge_files import COLUMNS, as_csv, as_json
from compaction_eval.reports.edge_page import edge_page
from compaction_eval.reports.edge_table import print_edge, reason_lines
from compaction_eval.reports.table import console

LOOP = EdgeScenario("loop", "", "A loop", ("valid", "fits"))
NOISY = EdgeScenario("noisy", "noise=2", "Noise", ())


def cell(
    scenario: EdgeScenario,
    strategy: str,
    properties: Mapping[str, str] | None = None,
    error: str | None = None,
) -> CellRecord:
    key = CellKey(scenario.id, scenario.variant, strategy, "30%", "extractive")
    return CellRecord(key, 30, 100, properties=properties or {}, error=error)


REPORT = EdgeReport(
    {"version": "1"},
    [LOOP, NOISY],
    ["sound", "rash", "broken"],
    [
        cell(LOOP, "sound", {"valid": "", "fits": "", "counted": ""}),
        cell(LOOP, "rash", {"counted": "off by one", "valid": "an orphan", "fits": ""}),
        cell(LOOP, "broken", error="raised KeyError: 'x'"),
        cell(NOISY, "sound", {"in-order": ""}),
        cell(NOISY, "rash", {}),
        cell(NOISY, "broken", {"in-order": "message 4 stands there twice"}),
    ],
)


def test_a_tally_counts_pairs_of_scenario_and_property_where_it_applied() -> None:
    assert REPORT.tallies == {
        ("sound", "validity"): (1, 1),
        ("sound", "trigger"): (1, 1),
        ("sound", "budget"): (1, 1),
        ("sound", "order"): (1, 1),
        ("rash", "validity"): (0, 1),
        ("rash", "trigger"): (0, 1),
        ("rash", "budget"): (1, 1),
        ("broken", "order"): (0, 1),
    }


def test_what_a_scenario_is_about_is_told_before_the_rest() -> None:
    assert [one.name for one in REPORT.broken(["rash"])] == ["valid", "counted"]
    assert REPORT.broken(["sound"]) == []


def test_a_requirement_names_a_property_or_its_family() -> None:
    broken = REPORT.broken(["rash", "broken"])
    assert [one.name for one in selected(broken, ["trigger", "in-order"])] == [
        "counted",
        "in-order",
    ]


@pytest.mark.parametrize(
    ("scenario", "outcomes"),
    [(LOOP, ["yes", "no", "error"]), (NOISY, ["yes", "–", "no"])],
)
def test_a_scenario_is_held_where_all_that_it_is_about_is(
    scenario: EdgeScenario, outcomes: list[str]
) -> None:
    assert [REPORT.outcome(scenario, strategy) for strategy in REPORT.strategies] == outcomes


def test_the_page_has_both_tables_the_errors_and_the_reasons() -> None:
    page = edge_page(REPORT)
    assert "| rash | 0/1 | – | – | 0/1 | 1/1 | – | – | – |" in page
    assert "| loop | A loop | valid, fits | yes | no | error |" in page
    assert "| noisy\\[noise=2\\] | Noise | all | yes | – | no |" in page
    assert "- 1 cell of broken: raised KeyError: 'x'" in page
    assert "<summary>3 broken properties</summary>" in page
    assert "- rash, loop, valid: an orphan" in page


def test_files_have_each_verdict_once() -> None:
    table = list(csv.reader(io.StringIO(as_csv(REPORT))))
    assert tuple(table[0]) == COLUMNS
    document = json.loads(as_json(REPORT))
    assert len(table) - 1 == len(document["properties"]) == len(REPORT.verdicts) == 8
    assert document["errors"][0]["error"] == "raised KeyError: 'x'"
    tallied = document["strategies"][1]["families"]["trigger"]
    assert tallied == {"held": 0, "applied": 1}


def test_text_of_others_cant_steer_the_screen_or_the_page() -> None:
    hostile = EdgeScenario("a", "", "\x1b[31m</details><script>", ("valid",))
    reason = "'=1+1 | \x1b[2J</details>\nnext' is nowhere in the view"
    report = EdgeReport({}, [hostile], ["=x|y"], [cell(hostile, "=x|y", {"valid": reason})])
    page = edge_page(report)
    assert "\x1b" not in page
    assert "<script>" not in page
    assert page.count("</details>") == 1
    assert "=x\\|y" in page
    assert all("\x1b" not in line for line in reason_lines(report.broken(["=x|y"]), 80))
    assert "'=x|y" in as_csv(report)


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_shows_every_family_at_any_width(width: int) -> None:
    long = "block-truncation(request=keep,oversized=reduce,reserve_tokens=200)"
    cells = [
        cell(EdgeScenario(f"s{n}", "", "", ()), long, dict.fromkeys(("valid", "fits"), ""))
        for n in range(150)
    ]
    scenarios = [EdgeScenario(f"s{n}", "", "", ()) for n in range(150)]
    stream = io.StringIO()
    print_edge(EdgeReport({}, scenarios, [long], cells), [long], console(stream, width))
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].startswith(
        "Properties that held" if width > 80 else "Properties that were broken"
    )
    assert any(("150/150" if width > 80 else " 0 ") in line for line in lines)
    name = "".join(line.split("  ")[0].strip().split(" ")[0] for line in lines[3:])
    assert name == long.replace(" ", "")
