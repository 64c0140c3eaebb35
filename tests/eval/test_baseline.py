"""Baseline files: the same bytes for the same figures, and no silent reading of a broken one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.baseline import SCHEMA, baseline_text, read_baseline, write_baseline
from compaction_eval.eval.evidence import Evidence, Totals, evidence_of
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.metrics import METRICS
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.summary import summary_rows
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec


@pytest.fixture
def evidence(by_hand: Any) -> Evidence:
    """Two scenarios under two strategies."""
    totals = Totals(requests=3, sent_tokens=120, full_tokens=200)
    found: Evidence = by_hand({"b": "+-s", "a": "+n"}, strategies=("mine", "empty"), totals=totals)
    return found


@pytest.fixture
def file(tmp_path: Path, evidence: Evidence) -> Path:
    """Their baseline."""
    path = tmp_path / "base.jsonl"
    write_baseline(path, evidence)
    return path


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    """A small part of what is shipped."""
    return Matrix(
        tuple(select(["milestone-rounds", "bracketed-messages"])),
        tuple(map(parse_spec, ("count-slice", "rolling-summary", "none", "empty"))),
        (Budget.parse("30%"), Budget.parse("2000")),
        (parse_spec("extractive"),),
    )


def test_what_is_read_is_what_was_written(file: Path, evidence: Evidence) -> None:
    read = read_baseline(file)
    assert {cell.key: cell for cell in read.cells} == {cell.key: cell for cell in evidence.cells}
    assert (read.circumstances, read.live) == (evidence.circumstances, evidence.live)
    assert set(read.scenarios) == set(evidence.scenarios)
    assert set(read.strategies) == set(evidence.strategies)
    assert baseline_text(read) == file.read_text("utf-8")


def test_it_is_one_line_for_each_verdict_and_aggregate_in_a_stable_order(
    evidence: Evidence,
) -> None:
    text = baseline_text(evidence)
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["schema"] == SCHEMA
    verdicts = [line for line in lines if isinstance(line, list)]
    assert len(verdicts) == sum(len(cell.outcomes) for cell in evidence.cells)
    metrics = [line for line in lines if isinstance(line, dict) and "metric" in line]
    assert len(metrics) == 2 * sum(not metric.of_answers for metric in METRICS.values())
    for shuffled in (evidence.cells[::-1], evidence.cells[1:] + evidence.cells[:1]):
        again = replace(evidence, cells=shuffled, scenarios=evidence.scenarios[::-1])
        assert baseline_text(again) == text


def test_one_changed_verdict_changes_its_line_and_its_rows_figures_alone(by_hand: Any) -> None:
    texts = [baseline_text(by_hand({"a": signs, "b": "++"})).splitlines() for signs in ("+-", "--")]
    changed = [old for old, new in zip(*texts, strict=True) if old != new]
    assert [next(iter(json.loads(line))) for line in changed] == ["metric", "a", "lines"]


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_bytes_are_the_same_for_any_number_of_workers(matrix: Matrix, jobs: int) -> None:
    alone = baseline_text(evidence_of(run_matrix(matrix, executor="inline")))
    shuffled = replace(matrix, scenarios=matrix.scenarios[::-1])
    run = run_matrix(shuffled, executor="processes", jobs=jobs)
    assert baseline_text(evidence_of(run)) == alone


def test_its_figures_are_those_of_the_table(matrix: Matrix) -> None:
    run = run_matrix(matrix, executor="inline")
    evidence = evidence_of(run)
    rows = summary_rows(run)
    assert len(rows) == 8
    told = 0
    for row in rows:
        cells = [
            cell
            for cell in evidence.cells
            if (cell.key.strategy, cell.key.budget) == (row.strategy, row.budget)
        ]
        for metric in METRICS.values():
            if hasattr(row, metric.name):
                assert metric.value(cells, lambda _: True) == getattr(row, metric.name)
                told += 1
        summaries = METRICS["summary_tokens"].value(cells, lambda _: True)
        assert summaries == (row.summary_tokens_in or 0) + (row.summary_tokens_out or 0)
    assert told >= 8 * 12


def test_an_incomplete_run_becomes_no_baseline(tmp_path: Path, evidence: Evidence) -> None:
    path = tmp_path / "base.jsonl"
    failed = replace(evidence.cells[0], error=True)
    broken = replace(evidence, cells=(failed, *evidence.cells[1:]), missing=3)
    with pytest.raises(ConfigurationError, match="1 cells with an error and 3 cells not measured"):
        write_baseline(path, broken)
    assert not path.exists()


def test_a_place_that_cant_be_written_is_told(tmp_path: Path, evidence: Evidence) -> None:
    with pytest.raises(ConfigurationError, match="can't be written"):
        write_baseline(tmp_path, evidence)
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="is no folder"):
        write_baseline(tmp_path / "file" / "base.jsonl", evidence)


def refusal(file: Path, text: str | bytes) -> str:
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ConfigurationError) as refused:
        read_baseline(file)
    return str(refused.value)


def digested(lines: list[str]) -> str:
    """Lines with the digest that makes them a whole file."""
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return "\n".join([*lines, json.dumps({"lines": len(lines), "sha256": digest})]) + "\n"


def test_a_file_that_is_no_baseline_is_refused_with_its_place(file: Path) -> None:
    for text in ("", "{}", "hello\n", "[1, 2]\n", "[" * 100_000):
        assert refusal(file, text).startswith(f"{file}:1:1: is no baseline")
    assert "isn't UTF-8" in refusal(file, b"\xff\xfe")
    file.unlink()
    with pytest.raises(ConfigurationError, match="can't be read: No such file"):
        read_baseline(file)


def test_a_newer_schema_is_refused_with_both_ways_out(file: Path) -> None:
    text = file.read_text("utf-8").replace(SCHEMA, "compaction-eval/baseline/2", 1)
    told = refusal(file, text)
    assert told.startswith(f"{file}:1:1: has the schema compaction-eval/baseline/2")
    assert "write it anew with `compaction-eval baseline" in told
    assert "or use the version that wrote it" in told


def test_a_file_that_was_cut_off_is_refused_wherever_it_ends(file: Path) -> None:
    whole = file.read_text("utf-8")
    lines = whole.splitlines()
    for keep in (1, 5, len(lines) - 1):
        told = refusal(file, "\n".join(lines[:keep]) + "\n")
        assert told.startswith(f"{file}:{keep}:1: is cut off")
    for size in (len(whole) - 3, len(whole) // 2):
        assert "is cut off" in refusal(file, whole[:size])


def test_an_edited_verdict_is_found_by_the_figure_that_it_belies(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if '"missing"' in line)
    row = max(n for n, line in enumerate(lines[:at]) if '"row"' in line)
    lines[at] = lines[at].replace("missing", "correct")
    told = refusal(file, "\n".join(lines) + "\n")
    assert told.startswith(f"{file}:{row + 2}:1: was changed after it was written")
    assert "write it anew with" in told


def test_a_merge_that_left_its_marks_is_found_by_its_line(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    told = refusal(file, "\n".join([*lines[:9], "<<<<<<< HEAD", *lines[9:]]) + "\n")
    assert told.startswith(f"{file}:10:1: was changed after it was written")


@pytest.mark.parametrize(
    "line",
    ["{", "5", "null", "[]", '{"row": 1}', '["a", "", 0, "p", "end", "recall", "great"]'],
)
def test_a_strange_line_is_told_with_its_place(file: Path, line: str) -> None:
    lines = file.read_text("utf-8").splitlines()[:-1]
    told = refusal(file, digested([*lines[:4], line, *lines[4:]]))
    assert told.startswith(f"{file}:5:1: is no line of a baseline")


def test_line_ends_of_another_system_are_no_change(file: Path, evidence: Evidence) -> None:
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert baseline_text(read_baseline(file)) == baseline_text(evidence)


@pytest.mark.parametrize("held", [b"id: hotel\ntitle: A stay\n", b'{"key": {}}\n', b"\xff\xfe\x00"])
def test_a_file_that_holds_something_else_is_not_written_over(
    evidence: Evidence, tmp_path: Path, held: bytes
) -> None:
    path = tmp_path / "hotel.yaml"
    path.write_bytes(held)
    with pytest.raises(ConfigurationError, match="holds something else than a baseline"):
        write_baseline(path, evidence)
    assert path.read_bytes() == held


@pytest.mark.parametrize("before", ["", "<<<<<<< HEAD\n", "\ufeff"])
def test_a_baseline_is_written_anew_however_broken_it_is(
    evidence: Evidence, tmp_path: Path, before: str
) -> None:
    path = tmp_path / "base.jsonl"
    write_baseline(path, evidence)
    whole = path.read_text("utf-8")
    for broken in (
        "",
        "\n",
        before + whole[: len(whole) // 2],
        whole.replace("baseline/1", "baseline/9"),
    ):
        path.write_text(broken, "utf-8")
        write_baseline(path, evidence)
        assert path.read_text("utf-8") == whole
