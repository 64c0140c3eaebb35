"""A run that asks a model: survival as without, answers beside it, and nothing finished is lost."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.eval.recall.conftest import Scripted, matrix, question, reading

from compaction_eval.eval.encoding import decode_cell, encode_cell
from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.gates import parse_gate
from compaction_eval.eval.judging import judge
from compaction_eval.eval.manifest import manifest_of, run_id
from compaction_eval.eval.models.base import ChatRequest, LimitReachedError, Reply
from compaction_eval.eval.recall.pool import Pool
from compaction_eval.eval.recall.recalling import Asked
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.run_files import CELLS, MANIFEST
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import Run, read_run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.strategies.errors import ConfigurationError


def without_answers(cells: tuple[CellRecord, ...]) -> list[CellRecord]:
    return [replace(c, probes=tuple(replace(p, answer=None) for p in c.probes)) for c in cells]


def run_with(model: Scripted, judge: Scripted | None = None, **more: Any) -> Run:
    return run_matrix(matrix(), asked=Asked(model, judge, 4), **more)


def verdicts(run: Run, strategy: str) -> list[tuple[str, str]]:
    return [
        (probe.verdict, probe.answer.verdict)
        for cell in run.cells
        if cell.key.strategy == strategy and cell.key.scenario == "talk0"
        for probe in cell.probes
        if probe.answer is not None
    ]


def test_asking_changes_nothing_of_what_survived(reader: Scripted) -> None:
    asked = run_with(reader)
    assert without_answers(asked.cells) == list(run_matrix(matrix()).cells)
    for row, plain in zip(summary_rows(asked), summary_rows(run_matrix(matrix())), strict=True):
        assert row.survival == plain.survival
        assert plain.recall is plain.answers is plain.kept_recalled is None


def test_every_written_probe_is_asked_its_own_view_and_graded(reader: Scripted) -> None:
    run = run_with(reader)
    assert len(reader.asked) == sum(len(cell.probes) for cell in run.cells)
    assert verdicts(run, "none") == [
        ("correct", "correct"), ("correct", "correct"), ("not-asked", "wrong"),
        ("not-asked", "wrong"),
    ]  # fmt: skip
    assert verdicts(run, "empty") == [
        ("missing", "abstained"), ("missing", "abstained"), ("not-asked", "abstained"),
        ("not-asked", "abstained"),
    ]  # fmt: skip
    alone = [one for one in reader.asked if len(one.messages) == 1]
    assert {question(one) for one in alone} == {"Which port?", "Who drives?", "Which Redis port?"}


def test_a_row_tells_recall_and_whose_fault_it_is() -> None:
    run = run_with(Scripted(lambda r: "9443" if len(r.messages) == 1 else "I don't know."))
    rows = {row.strategy: row for row in summary_rows(run)}
    full, bare = rows["none"], rows["empty"]
    assert (full.kept_recalled, full.kept_missed, full.lost_recalled, full.lost_missed) == (
        0, 4, 0, 0,
    )  # fmt: skip
    assert (bare.kept_recalled, bare.kept_missed, bare.lost_recalled, bare.lost_missed) == (
        0, 0, 2, 2,
    )  # fmt: skip
    # Of four questions those two on which nothing holds are answered rightly by not knowing.
    assert (full.recall, full.recall_pooled, full.answers) == (0.5, 0.5, 8)
    assert bare.recall == 0.25


@pytest.mark.parametrize("concurrency", [1, 16])
def test_the_same_bytes_whatever_the_order_of_the_answers(tmp_path: Path, concurrency: int) -> None:
    slow = threading.Event()

    def answer(request: ChatRequest) -> str:
        slow.wait(0.002 * (len(request.whereabouts) % 5))
        return reading(request)

    for name, size in (("one", 1), ("other", concurrency)):
        run_matrix(matrix(), asked=Asked(Scripted(answer), None, size), folder=tmp_path / name)
    for file in (CELLS, MANIFEST):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


def test_each_repeat_is_asked_again(reader: Scripted) -> None:
    run_matrix(matrix("none", scenarios=1, repeats=3), asked=Asked(reader))
    assert sorted({one.repeat for one in reader.asked}) == [0, 1, 2]
    assert len(reader.asked) == 3 * 4


def test_a_limit_ends_the_run_and_keeps_what_is_finished(tmp_path: Path) -> None:
    left = [5]

    def limited(request: ChatRequest) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise LimitReachedError("--max-requests 5 is reached")
        return reading(request)

    folder = tmp_path / "run"
    one_at_a_time = Asked(Scripted(limited), None, 1)
    with pytest.raises(LimitReachedError, match="max-requests"):
        run_matrix(matrix(), asked=one_at_a_time, folder=folder)
    assert len(read_run(folder).cells) == 1
    left[0] = 1_000
    told: list[CellRecord] = []
    finished = run_matrix(matrix(), asked=one_at_a_time, folder=folder, on_cell=told.append)
    assert finished.reused == 1
    assert len(told) == len(finished.cells) == 6
    whole = run_with(Scripted(reading))
    assert finished.cells == whole.cells


def test_what_failed_for_a_passing_reason_is_asked_again_and_the_rest_is_not(
    tmp_path: Path,
) -> None:
    faults = {"talk0": Reply("timeout", reason="no reply"), "talk1": Reply("context-length")}
    model = Scripted(lambda r: faults[r.whereabouts[:5]])
    folder = tmp_path / "run"
    run = run_with(model, folder=folder)
    assert len(run.unanswered) == 12
    assert evidence_of(run).incomplete
    row = summary_rows(run)[0]
    assert (row.recall, row.answers, row.answer_errors, row.answer_context_errors) == (
        None, 0, 8, 4,
    )  # fmt: skip
    again = Scripted(reading)
    mended = run_with(again, folder=folder)
    assert {one.whereabouts[:5] for one in again.asked} == {"talk0"}
    assert not mended.unanswered
    assert not evidence_of(mended).incomplete
    assert summary_rows(mended)[0].answer_errors == 4


def test_a_judge_stands_beside_the_matchers_and_replaces_nothing(reader: Scripted) -> None:
    lenient = Scripted(lambda _: '{"reason": "fine", "verdict": "correct"}', "openai:judge")
    run = run_with(reader, lenient)
    plain = {row.strategy: row for row in summary_rows(run_with(Scripted(reading)))}
    for row in summary_rows(run):
        assert row.recall == plain[row.strategy].recall
        assert row.judged == row.answers
        assert row.judge_less == 0
        assert row.judge_more == (row.answers or 0) - round((row.recall or 0) * (row.answers or 0))
    assert {one.purpose for one in lenient.asked} == {"judge"}
    sent = json.dumps([one.messages for one in lenient.asked])
    assert not any(name in sent for name in ("token-window", "empty", "some more words"))


def test_who_is_asked_is_part_of_what_a_run_is() -> None:
    plain = manifest_of(matrix())
    assert "model" not in plain
    asked = manifest_of(matrix(model="openai:a"))
    assert (asked["model"], asked["judge"]) == ("openai:a", None)
    ids = {run_id(manifest_of(matrix(**one))) for one in ({}, {"model": "openai:a"},
           {"model": "openai:b"}, {"model": "openai:a", "judge": "openai:b"})}  # fmt: skip
    assert len(ids) == 4


def test_what_a_model_lacks_is_noted_and_is_no_other_run(tmp_path: Path, reader: Scripted) -> None:
    folder = tmp_path / "run"
    lacking = {"openai:scripted": {"seed": False}}
    asked = Asked(reader, lacking=lambda: lacking)
    plain = run_with(reader).manifest
    assert run_matrix(matrix(), asked=asked, folder=folder).manifest == plain
    assert read_run(folder).manifest["lacking"] == lacking
    assert run_matrix(matrix(), asked=Asked(reader), folder=folder).reused == 6


def test_answers_are_written_and_read_back(reader: Scripted) -> None:
    for cell in run_with(reader).cells:
        assert decode_cell(encode_cell(cell)) == cell


def test_recall_is_gated_as_any_share_and_a_run_that_asked_nobody_says_so(
    reader: Scripted,
) -> None:
    evidence = evidence_of(run_with(reader))
    assert evidence.answered
    assert not evidence.live  # nobody but the answerer was a model, so views are the same again
    gate = parse_gate("fail-under", "recall[strategy=none,kind=update]=0.5")
    (result,) = judge([gate], evidence)
    assert (result.value, result.judgement, result.probes) == (2 / 3, "pass", 6)
    with pytest.raises(ConfigurationError, match=r"no model was asked.*survival"):
        judge([gate], evidence_of(run_matrix(matrix())))


def test_a_baseline_of_a_live_run_holds_its_recall(reader: Scripted, tmp_path: Path) -> None:
    from compaction_eval.eval.baseline import read_baseline, write_baseline

    evidence = evidence_of(run_with(reader), "run")
    file = tmp_path / "b.jsonl"
    write_baseline(file, evidence)
    again = read_baseline(file)
    assert {cell.key: cell.outcomes for cell in again.cells} == {
        cell.key: cell.outcomes for cell in evidence.cells
    }
    assert '"recall": "correct"' in file.read_text()


def test_an_exception_of_a_task_ends_the_pool_and_drops_what_waits() -> None:
    pool: Pool[int] = Pool(2)

    def fail() -> int:
        raise LimitReachedError("enough")

    pool.submit(fail)
    assert pool.finished.get() is None
    pool.submit(lambda: 1)
    pool.wait()
    assert isinstance(pool.error, LimitReachedError)
    assert pool.finished.empty()


def test_what_waits_when_a_task_fails_is_never_started() -> None:
    pool: Pool[int] = Pool(1)
    go, started = threading.Event(), threading.Event()
    done: list[int] = []

    def fail() -> int:
        started.set()
        go.wait(60)
        raise LimitReachedError("enough")

    def late(number: int) -> int:
        done.append(number)
        return number

    pool.submit(fail)
    started.wait(60)
    for number in range(3):
        pool.submit(partial(late, number))
    assert pool.waiting == 3
    go.set()
    assert pool.finished.get() is None
    pool.wait()
    assert done == []


def test_no_more_questions_are_in_flight_than_asked_for() -> None:
    lock, most, now = threading.Lock(), [0], [0]
    pause = threading.Event()

    def answer(request: ChatRequest) -> str:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        pause.wait(0.005)
        with lock:
            now[0] -= 1
        return reading(request)

    run_matrix(matrix(), asked=Asked(Scripted(answer), None, 3))
    assert most[0] == 3


def test_an_interrupted_run_waits_for_no_model() -> None:
    hangs = threading.Event()

    def answer(request: ChatRequest) -> str:
        if request.whereabouts.startswith("talk1"):
            hangs.wait(60)
        return reading(request)

    def interrupt(_: CellRecord) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_matrix(matrix(), asked=Asked(Scripted(answer), None, 2), on_cell=interrupt)
    assert not hangs.is_set()
    hangs.set()


def test_after_a_limit_nothing_waits_to_ask_again() -> None:
    stopped = threading.Event()

    def answer(request: ChatRequest) -> str:
        if request.whereabouts.startswith("talk0 / none"):
            raise LimitReachedError("enough")
        stopped.wait(60)
        return reading(request)

    with pytest.raises(LimitReachedError):
        run_matrix(matrix(), asked=Asked(Scripted(answer), None, 8, stop=stopped.set))
    assert stopped.is_set()


def test_two_runs_are_compared_by_their_recall_too() -> None:
    from compaction_eval.eval.comparison import compare
    from compaction_eval.eval.pairing import pair

    def run(answer: str) -> Run:
        return run_matrix(matrix("none"), asked=Asked(Scripted(lambda _: answer)))

    paired = pair(evidence_of(run("I don't know.")), evidence_of(run("9443")))
    by_measure = {one.measure: one for one in compare(paired.pairs)}
    recall = by_measure["recall"]
    # Of four questions: two abstentions were right, then one port of two.
    assert (recall.before, recall.after, recall.probes) == (0.5, 0.25, 8)
    assert by_measure["survival"].change == 0
