"""Cells whose summaries a model writes: what it is asked, and what its replies and faults make."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from tests.eval.recall.conftest import Scripted, matrix, reading

from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.manifest import manifest_of, run_id
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.models.base import ChatRequest, LimitReachedError, Outcome, Reply
from compaction_eval.eval.recall.recalling import Asked
from compaction_eval.eval.run_files import CELLS
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import Run
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.given import given
from compaction_eval.strategies.specs import Spec, parse_spec

SUMMARY = "Staging listens on 8443, and Tom gives a lift."
STRATEGIES = ("none", "count-summary(max_messages=3)", "rolling-summary")


def writing(request: ChatRequest) -> str:
    """A summary where one is wanted, else an answer from what is before it."""
    return SUMMARY if request.purpose == "summary" else reading(request)


def asking(*strategies: str, summarizers: tuple[Spec, ...] = (), **more: Any) -> Matrix:
    plain = matrix(*(strategies or STRATEGIES), **more)
    one = summarizers or (parse_spec("model"),)
    return Matrix(plain.scenarios, plain.strategies, plain.budgets, one, plain.repeats)


def run_with(model: Scripted, size: int = 4, **more: Any) -> Run:
    return run_matrix(asking(), asked=Asked(model, None, size), **more)


def fallbacks(run: Run) -> set[str]:
    return {r.fallback for cell in run.cells for r in cell.requests if r.fallback is not None}


def test_a_summary_is_asked_for_with_its_cell_and_repeat_and_no_answer_key() -> None:
    model = Scripted(writing)
    run_matrix(asking(repeats=2), asked=Asked(model))
    summaries = [one for one in model.asked if one.purpose == "summary"]
    assert {one.repeat for one in summaries} == {0, 1}
    assert {one.whereabouts for one in summaries} >= {
        "talk0 / rolling-summary / 40% / model / a summary"
    }
    for one in summaries:
        assert (one.temperature, one.tools, one.schema) == (0.0, (), None)
        assert one.max_tokens is not None
        assert "Which Redis port?" not in str(one.messages)
        assert "6379" not in str(one.messages)


def test_forks_at_one_place_that_want_the_same_summary_ask_once() -> None:
    model = Scripted(writing)
    run = run_matrix(asking(STRATEGIES[1], scenarios=1), asked=Asked(model))
    summaries = [one for one in model.asked if one.purpose == "summary"]
    assert len({str(one.messages) for one in summaries}) == len(summaries)
    assert sum(r.summary_calls for cell in run.cells for r in cell.requests) > len(summaries)


def test_the_same_records_come_of_any_number_of_threads(tmp_path: Path) -> None:
    for size in (1, 2, 16):
        run_with(Scripted(writing), size, folder=tmp_path / str(size))
    one, *others = ((tmp_path / str(size) / CELLS).read_bytes() for size in (1, 2, 16))
    assert others == [one, one]


def test_several_conversations_wait_for_their_summaries_at_once() -> None:
    together = threading.Barrier(3, timeout=20)

    def answer(request: ChatRequest) -> str:
        if request.purpose == "summary" and met < 3:
            together.wait()
        return writing(request)

    met = 0
    one = asking("count-summary(max_messages=3, name=a)", "count-summary(max_messages=3, name=b)",
                 "count-summary(max_messages=3, name=c)", scenarios=1)  # fmt: skip
    run = run_matrix(one, asked=Asked(Scripted(answer), None, 3))
    assert not run.errors


@pytest.mark.parametrize("outcome", ["cut", "filtered", "empty", "tool-calls", "refused"])
def test_what_the_model_does_is_a_fallback_with_its_reason(outcome: Outcome) -> None:
    def answer(request: ChatRequest) -> Reply | str:
        if request.purpose == "summary":
            return Reply(outcome, SUMMARY, reason="because")
        return reading(request)

    run = run_with(Scripted(answer, "openai:a"))
    assert not run.errors
    assert all(one.startswith(f"the summariser openai:a: {outcome}: ") for one in fallbacks(run))
    assert fallbacks(run)


@pytest.mark.parametrize(
    "outcome", ["rate-limited", "server-error", "timeout", "connection", "malformed"]
)
def test_what_passes_makes_an_error_that_the_next_run_mends(
    outcome: Outcome, tmp_path: Path
) -> None:
    down = True

    def answer(request: ChatRequest) -> Reply | str:
        if down and request.purpose == "summary":
            return Reply(outcome, reason="no luck")
        return writing(request)

    model = Scripted(answer, "openai:a")
    run = run_with(model, folder=tmp_path)
    assert {cell.error for cell in run.cells} == {
        None, f"the summariser openai:a: {outcome}: no luck",
    }  # fmt: skip
    assert not fallbacks(run)
    assert evidence_of(run).incomplete
    down = False
    again = run_with(model, folder=tmp_path)
    assert not again.errors
    assert again.reused == len(again.cells) - len(run.errors)
    assert again.cells == run_with(Scripted(writing, "openai:a")).cells


def test_a_limit_ends_the_run_and_keeps_what_is_finished(tmp_path: Path) -> None:
    left = 3
    lock = threading.Lock()

    def answer(request: ChatRequest) -> str:
        nonlocal left
        with lock:
            if request.purpose == "summary" and left == 0:
                raise LimitReachedError("--max-requests is reached")
            left -= request.purpose == "summary"
        return writing(request)

    stopped = threading.Event()
    with pytest.raises(LimitReachedError):
        run_matrix(asking(), asked=Asked(Scripted(answer), None, 2, stopped.set), folder=tmp_path)
    assert stopped.is_set()
    left = 1_000
    again = run_with(Scripted(answer), folder=tmp_path)
    assert not again.errors
    assert again.reused > 0


def test_a_model_that_is_asked_for_summaries_only_answers_no_probe() -> None:
    from compaction_eval.eval.summaries.asking import SummaryModel

    model = Scripted(writing, "openai:w")
    asked = Asked(summarizers=lambda name: SummaryModel(model))
    run = run_matrix(asking(summarizers=(parse_spec("openai:w"),)), asked=asked)
    assert {one.purpose for one in model.asked} == {"summary"}
    assert all(probe.answer is None for cell in run.cells for probe in cell.probes)
    assert "model" not in run.manifest


def test_where_no_model_is_asked_a_summarizer_that_is_one_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'model' is a model, and no models are asked"):
        run_matrix(asking())
    other = asking(summarizers=(parse_spec("openai:b"),))
    with pytest.raises(ConfigurationError, match="'openai:b': there is no such model here"):
        run_matrix(other, asked=Asked(Scripted(writing)))


def test_the_manifest_says_that_a_model_wrote() -> None:
    plain, live = manifest_of(matrix("none")), manifest_of(asking("none"))
    assert "live" not in plain["summarizers"][0]
    assert live["summarizers"][0]["live"] is True
    assert run_id(plain) != run_id(live)
    run = run_with(Scripted(writing))
    assert evidence_of(run).live


def test_an_object_of_this_process_may_use_the_model_in_the_main_thread() -> None:
    threads = set()

    def shorten(messages: Any, context: Any) -> Any:
        threads.add(threading.current_thread())
        note = context.summarize(messages[1:-1]) if len(messages) > 2 else ""
        return [messages[0], {"role": "user", "content": note}, messages[-1]]

    class Own:
        def compact(self, messages: Any, context: Any) -> Any:
            return shorten(messages, context)

    one = asking("rolling-summary", scenarios=1)
    held = Matrix(one.scenarios, (given(Own()),), one.budgets, one.summarizers)
    run = run_matrix(held, asked=Asked(Scripted(writing)))
    assert not run.errors
    assert threads == {threading.main_thread()}


def test_cells_without_summaries_are_the_same_with_and_without_the_model() -> None:
    asked = {encode_cell(c) for c in run_with(Scripted(writing)).cells if c.key.strategy == "none"}
    alone = run_matrix(asking("none"), asked=Asked(Scripted(writing)))
    assert {encode_cell(c) for c in alone.cells} == asked
