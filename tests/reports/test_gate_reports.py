"""A gated run for CI systems: well-formed whatever a transcript says, never failing in silence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.reports.gated import HOSTILE, LOST, live, report, run

from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.regression import check_regression
from compaction_eval.eval.store import Run
from compaction_eval.reports.annotations import MOST, annotation, github_annotations
from compaction_eval.reports.gate_files import WRITERS, write_gate
from compaction_eval.reports.gate_lines import told_apart
from compaction_eval.reports.gate_page import gate_page
from compaction_eval.reports.gate_report import gate_report, headline
from compaction_eval.reports.gate_text import MOST as MOST_SHOWN
from compaction_eval.reports.gate_text import gate_text
from compaction_eval.reports.junit import as_junit
from compaction_eval.reports.sarif import as_sarif


@pytest.mark.parametrize(
    ("value", "bound", "told"),
    [
        (0.949, 0.95, ("0.9490", "0.95")),
        (0.94999999, 0.95, ("0.94999999", "0.95")),
        (0.95, 0.95, ("0.9500", "0.95")),
        (1.0, 0.95, ("1.0000", "0.95")),
    ],
)
def test_a_figure_has_the_digits_that_tell_it_from_its_bound(
    value: float, bound: float, told: tuple[str, str]
) -> None:
    assert told_apart(value, bound) == told


def test_counts_have_no_decimals_unless_their_bound_has() -> None:
    assert told_apart(1234.0, 1200.0, 0) == ("1,234", "1,200")
    assert told_apart(119.0, 118.5, 0) == ("119", "118.5")


def test_each_loss_says_which_line_and_which_compaction() -> None:
    lines = list(gate_text(report(*LOST)))
    assert lines == [
        "2 verdicts got worse since base.jsonl:",
        "scenarios/a b.yaml:10  a[noise=2]  p0@end  mine at 30% with none  correct -> missing, "
        "lost at request before message 4 (summarize)",
        "scenarios/a b.yaml:11  a[noise=2]  p1@end  mine at 30% with none  correct -> stale, "
        "lost at the question itself, at the end (no compaction)",
    ]


def test_beyond_twenty_losses_are_counted_by_strategy() -> None:
    lines = list(gate_text(report(["correct"] * 30, ["missing"] * 30)))
    assert len(lines) == 1 + MOST_SHOWN + 2
    assert lines[-2:] == ["… and 10 more:", "  10 of mine at 30% with none"]


def test_gates_that_pass_are_counted_where_there_are_many() -> None:
    few = list(gate_text(report(["correct"] * 2, ["correct"] * 2, *["survival=0.5"] * 3)))
    assert [line.partition(" ")[0] for line in few] == ["PASS"] * 3
    bounds = ["survival=0.5"] * 30 + ["survival=1"]
    many = list(gate_text(report(["correct", "missing"], ["correct", "missing"], *bounds)))
    assert many[0] == "PASS 30 gate checks; a result file lists them"
    assert [line.partition(" ")[0] for line in many[1:]] == ["FAIL"]


def test_a_run_that_doesnt_say_where_its_probes_stand_is_told_without_a_line() -> None:
    found = report(*LOST)
    bare = Run({**found.run.manifest, "places": {}}, found.run.cells)
    without = gate_report(found.regression, bare, folder="r", baseline="b")
    assert [line.partition("  ")[0] for line in list(gate_text(without))[1:]] == ["(no file)"] * 2
    for write in WRITERS.values():
        assert "None" not in write(without)


def test_junit_has_a_case_for_each_verdict_and_a_failure_for_each_loss() -> None:
    root = ET.fromstring(as_junit(report(*LOST, "survival=0.5")))
    assert root.tag == "testsuites"
    row, gates = root
    assert (row.get("name"), row.get("tests"), row.get("failures")) == (
        "mine at 30% with none",
        "3",
        "2",
    )
    first, _, third = row
    assert (first.get("classname"), first.get("name")) == (
        "a[noise=2]",
        "p0@end, mine at 30% with none",
    )
    assert (first.get("file"), first.get("line")) == ("scenarios/a b.yaml", "10")
    (failure,) = first
    assert failure.get("message") == (
        "correct -> missing, lost at request before message 4 (summarize)"
    )
    assert list(third) == []
    assert [(case.get("name"), len(case)) for case in gates] == [
        ("fail-under survival=0.5", 1),
        ("verdict", 1),
    ]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "4", "0")


def test_losses_that_are_allowed_are_no_failures_anywhere(tmp_path: Path) -> None:
    found = report(*LOST, flips=2)
    root = ET.fromstring(as_junit(found))
    assert (root.get("failures"), len(list(root.iter("system-out")))) == ("0", 2)
    assert github_annotations(found, None, tmp_path) == []
    levels = {one["level"] for one in json.loads(as_sarif(found))["runs"][0]["results"]}
    assert levels == {"note"}


def test_a_run_that_didnt_pass_has_no_silent_report(tmp_path: Path) -> None:
    """Also where no verdict and no gate failed: a scenario is gone, or the run isn't whole."""
    whole = run(["correct"])
    cells = (replace(whole.cells[0], requests=(), probes=(), error="raised X: y"),)
    broken = Run(whole.manifest, cells)
    regression = check_regression(evidence_of(broken), evidence_of(whole), ())
    found = gate_report(regression, broken, folder="r", baseline="b", problems=("1 cell failed",))
    root = ET.fromstring(as_junit(found))
    assert (root.get("failures"), root.get("errors")) == ("0", "2")
    assert github_annotations(found, None, tmp_path) == [
        "::error title=Compaction::INCOMPLETE: 1 cell failed"
    ]
    assert json.loads(as_sarif(found))["runs"][0]["results"][0]["ruleId"] == "run"
    assert "INCOMPLETE" in gate_page(found)


def test_annotations_stand_at_the_probe_as_the_repository_has_it(tmp_path: Path) -> None:
    found = report(*LOST, "survival=0.5")
    here = tmp_path / "sub"
    first, second, gate = github_annotations(found, tmp_path, here)
    assert gate.startswith("::error title=fail-under survival=0.5::mine at 30%25 with none: ")
    assert first.startswith(
        "::error file=sub/scenarios/a b.yaml,line=10,title=a[noise=2] p0@end::mine at 30%25"
    )
    assert ",line=11," in second
    outside = github_annotations(found, tmp_path / "elsewhere", here)[0]
    assert outside.startswith("::error title=a[noise=2] p0@end::")


def test_as_many_annotations_as_github_shows_are_printed_and_the_last_counts(
    tmp_path: Path,
) -> None:
    exactly = report(["correct"] * MOST, ["missing"] * MOST)
    assert len(github_annotations(exactly, None, tmp_path)) == MOST
    more = github_annotations(report(["correct"] * 30, ["missing"] * 30), None, tmp_path)
    assert len(more) == MOST
    assert more[-1].endswith("; 21 more places are in the step's log")


def test_an_annotation_is_escaped_as_the_runner_reads_it() -> None:
    told = annotation("error", "50%\r\nnext: a, b", title="a:b,c%", file="x,y:z.yaml", line=3)
    assert told == ("::error file=x%2Cy%3Az.yaml,line=3,title=a%3Ab%2Cc%25::50%25%0A%0Anext: a, b")


@pytest.mark.parametrize("suffix", WRITERS)
def test_hostile_names_break_no_format(suffix: str, tmp_path: Path) -> None:
    found = report(*LOST, "survival=0.5", name=HOSTILE)
    file = tmp_path / f"gate{suffix}"
    write_gate(file, found)
    text = file.read_text("utf-8")
    assert "\x1b" not in text
    if suffix == ".xml":
        assert len(list(ET.fromstring(text).iter("failure"))) == 4
    elif suffix == ".md":
        tables = [line for line in text.splitlines() if line.startswith("| a")]
        assert len(tables) == 2
        assert all(len(line.replace("\\|", "").split("|")) == 7 for line in tables)
        assert "<&" not in text
    else:
        assert json.loads(text)


def test_hostile_names_start_no_command_and_no_line(tmp_path: Path) -> None:
    found = report(*LOST, name=HOSTILE)
    for line in (*gate_text(found), *github_annotations(found, None, tmp_path)):
        assert line.isprintable()
        assert line.startswith("::error file=") or not line.lstrip().startswith("::")
    assert headline(found).isprintable()


def test_places_in_the_diff_come_before_gates_where_not_all_can_be_annotated(
    tmp_path: Path,
) -> None:
    gates = [f"survival={bound / 100}" for bound in range(50, 70)]
    told = github_annotations(report(*LOST, *gates), None, tmp_path)
    assert len(told) == MOST
    assert [line.partition(" file=")[1] != "" for line in told] == [True] * 2 + [False] * 8
    assert "20 of 20 gate checks failed" in told[-1]


def test_the_page_has_the_table_of_the_run_folded() -> None:
    page = gate_page(report(*LOST))
    assert page.index("| p0@end |") < page.index("<summary>The figures of this run")
    assert "\n| mine | 33.3% |" in page


def test_a_page_of_thousands_of_gates_fits_and_shows_what_failed() -> None:
    gates = [f"survival={bound / 10_000}" for bound in range(4000)]
    page = gate_page(report(["missing"] * 2, ["missing", "correct"], *gates, "survival=0.6"))
    assert "| FAIL | fail-under survival=0.6 |" in page
    assert "… and 3,501 more." in page
    assert len(page) < 200_000


def test_sarif_names_a_rule_a_place_and_what_stays_the_same_from_run_to_run() -> None:
    (only,) = json.loads(as_sarif(report(*LOST)))["runs"]
    rules = [rule["id"] for rule in only["tool"]["driver"]["rules"]]
    for result in only["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
    first, second = only["results"]
    assert (first["ruleId"], second["ruleId"]) == ("lost", "stale")
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "scenarios/a%20b.yaml"},
        "region": {"startLine": 10},
    }
    assert first["partialFingerprints"] != second["partialFingerprints"]


@pytest.mark.parametrize(("lost", "outcome"), [(0, "pass"), (1, "inconclusive"), (12, "fail")])
def test_of_live_runs_the_statistics_are_told(lost: int, outcome: str, tmp_path: Path) -> None:
    regression = live(lost)
    assert regression.outcome == outcome
    found = gate_report(regression, run([]), folder="runs/new", baseline="base.jsonl")
    gate, statistics = list(gate_text(found))[-2:]
    assert gate.startswith(f"{outcome.upper()} fail-on-drop survival=5pp: 1.0000 -> ")
    assert "against 0.05 (mine at 30% with none; 80 probes in 20 scenarios)" in gate
    assert "90% interval " in statistics
    assert "p for harmless " in statistics
    assert "80 probes tell as much as" in statistics
    assert ("more scenarios or replicates would tell" in statistics) == (lost == 1)
    levels = [line.partition(" ")[0] for line in github_annotations(found, None, tmp_path)]
    assert levels == {"pass": [], "inconclusive": ["::warning"], "fail": ["::error"]}[outcome]
    assert "which statistics weigh" in headline(found)


def test_many_losses_are_folded_in_markdown() -> None:
    few, many = report(*LOST), report(["correct"] * 30, ["missing"] * 30)
    assert "got worse</summary>" not in gate_page(few)
    page = gate_page(many)
    assert page.index("## Compaction: FAIL") < page.index(
        "<summary>30 verdicts got worse</summary>"
    )
    assert page.count("\n| a") == 30


def test_gates_that_pass_are_folded_where_they_are_many() -> None:
    passing = [f"survival={bound / 100}" for bound in range(20)]
    page = gate_page(report(*LOST, "survival=0.9", *passing))
    failed, folded = page.split("<summary>20 more gate checks passed</summary>")
    assert failed.count("| FAIL |") == 1
    assert "| PASS |" not in failed
    assert folded.count("| PASS |") == 20
