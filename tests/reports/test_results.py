"""Result files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.results import WRITERS, Results, check_output, write_results
from compaction_eval.strategies.errors import ConfigurationError

Row = Callable[..., SummaryRow]
# Names that other programs rely on, written out so that a rename in the records is noticed.
# fmt: off
SUMMARY = {
    "strategy", "budget", "summarizer", "scenarios", "probes", "survival", "stale", "mixed",
    "recall", "reuse", "survival_pooled", "stale_pooled", "mixed_pooled", "recall_pooled",
    "reuse_pooled", "retained_tokens", "sent_tokens", "full_tokens", "saved_gross",
    "saved_net", "requests", "invalid_requests", "over_budget_requests",
    "infeasible_requests", "compactions", "summary_calls", "summary_tokens_in",
    "summary_tokens_out", "fallbacks", "never_fired",
}
PROBE = {
    "scenario", "strategy", "budget", "summarizer", "probe", "kind", "at", "verdict",
    "age_tokens", "age_messages", "age_compactions",
}
# fmt: on


@pytest.fixture
def results(rows: list[SummaryRow], cell: CellRecord) -> Results:
    return Results({"schema": 1, "version": "0.1.0"}, rows, [cell], Marks())


def write(folder: Path, suffix: str, results: Results) -> str:
    path = folder / "new" / f"results{suffix}"
    write_results(path, results)
    return path.read_bytes().decode("utf-8")


def test_json_has_the_four_parts_and_every_agreed_name(tmp_path: Path, results: Results) -> None:
    document = json.loads(write(tmp_path, ".json", results))
    assert list(document) == ["schema", "manifest", "summary", "probes"]
    assert set(document["summary"][0]) >= SUMMARY
    assert set(document["probes"][0]) >= PROBE
    assert document["summary"][0]["recall"] is None
    assert [probe["at"] for probe in document["probes"]] == ["moved", "end", "end"]
    assert document["probes"][0]["age_tokens"] == 20


def test_jsonl_has_one_verdict_a_line(tmp_path: Path, results: Results) -> None:
    lines = write(tmp_path, ".jsonl", results).splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == ["correct", "correct", "missing"]


def test_csv_has_the_rows_under_their_field_names(tmp_path: Path, results: Results) -> None:
    table = list(csv.DictReader(write(tmp_path, ".csv", results).splitlines()))
    assert list(table[0]) == [field.name for field in fields(SummaryRow)]
    assert table[0]["survival"] == "0.7"
    assert table[0]["recall"] == ""
    assert len(table) == len(results.rows)


def test_every_program_can_tell_which_figures_rest_on_the_answer_key(
    tmp_path: Path, results: Results, row: Row, cell: CellRecord
) -> None:
    made = replace(results, rows=[row("rolling-summary", sees_answer_key=True), row("b")])
    document = json.loads(write(tmp_path, ".json", made))
    assert [one["sees_answer_key"] for one in document["summary"]] == [True, False]
    assert {one["sees_answer_key"] for one in document["probes"]} == {True}
    table = csv.DictReader(write(tmp_path, ".csv", made).splitlines())
    assert [one["sees_answer_key"] for one in table] == ["true", "false"]
    lines = write(tmp_path, ".jsonl", made).splitlines()
    assert {json.loads(line)["sees_answer_key"] for line in lines} == {True}


@pytest.mark.parametrize("label", ["=1+1", "+cmd", "-2", "@SUM(A1)", "＝1", "\n=1"])
def test_a_label_that_a_spreadsheet_would_run_is_text(
    tmp_path: Path, results: Results, row: Row, label: str
) -> None:
    made = replace(results, rows=[row(label, saved_net=-5)])
    (line,) = csv.DictReader(io.StringIO(write(tmp_path, ".csv", made)))
    assert line["strategy"] == "'" + label
    assert line["saved_net"] == "-5"


def test_markdown_has_the_finding_and_a_table_for_each_budget(
    tmp_path: Path, results: Results
) -> None:
    text = write(tmp_path, ".md", results)
    assert text.startswith("# ")
    findings, small, rest = text.partition("<details>")[0].split("\n\n")[1:4]
    assert "\n- At 30%, the usable strategies keep 60.0% (block-truncation) to 90.0%" in findings
    assert [line.split(" | ")[:2] for line in small.splitlines()[2:]] == [
        ["| 15%", "rolling-summary"],
        ["| 15%", "block-truncation"],
        ["| 15%", "token-window *(control)*"],
        ["| 30%", "rolling-summary"],
        ["| 30%", "block-truncation"],
        ["| 30%", "token-window *(control)*"],
    ]
    assert rest == "14 conversations, 212 probes a row."
    assert text.count("\n| strategy | survival |") == 2
    assert "| count-slice(keep=10) *(not usable)* |" in text
    assert "| evidence-only *(control, sees the answer key)* | 100% |" in text
    assert "staging-port, host: lost in 1 of 1 views" in text


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_the_same_records_give_the_same_bytes_with_a_newline_at_the_end(
    tmp_path: Path, results: Results, suffix: str
) -> None:
    first = write(tmp_path, suffix, results)
    assert first == write(tmp_path, suffix, results)
    assert first.endswith("\n")
    assert not first.endswith("\n\n")


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_half_a_surrogate_pair_in_a_name_is_written_as_valid_json(
    tmp_path: Path, results: Results, cell: CellRecord, suffix: str
) -> None:
    odd = replace(cell, key=replace(cell.key, scenario="x\ud83d"))
    text = write(tmp_path, suffix, replace(results, cells=[odd]))
    last = text.splitlines()[-1] if suffix == ".jsonl" else text
    parsed = json.loads(last)
    assert (parsed if suffix == ".jsonl" else parsed["probes"][0])["scenario"] == "x\ud83d"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("out.jsn", "did you mean '.json'? (known: .json, .jsonl, .csv, .md, .xml)"),
        ("out.html", "known: .json, .jsonl, .csv, .md, .xml"),
        ("out", "no result format has the suffix ''"),
        ("folder.json", "is a folder"),
        ("file/out.json", "is no folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_beforehand(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError) as refused:
        check_output(tmp_path / name)
    assert reason in str(refused.value)
