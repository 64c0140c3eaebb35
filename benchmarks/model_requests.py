"""1,000 requests with 32 in flight, to an endpoint that answers each after 200 ms."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from benchmarks.measuring import ROOT, Figure, peak_mebibytes, python
from compaction_eval.eval.models.base import ChatModel, ChatRequest
from compaction_eval.eval.models.opening import ModelNames, open_models
from compaction_eval.eval.models.settings import ModelSettings

REQUESTS, CONCURRENCY, ANSWERS_AFTER = 1_000, 32, 0.2
IDEAL = REQUESTS * ANSWERS_AFTER / CONCURRENCY
_VIEW = "The service listens on 9443, and its owner is Mei Lindqvist. " * 60


def figures() -> Iterator[Figure]:
    """Seconds by the ideal, which is 6.25; a model that is asked for the first time included."""
    with _endpoint() as url:
        settings = ModelSettings(base_url=url)
        names = ModelNames(answerer="openai:any")
        # Loads the package, which takes half a second.
        with open_models(names, settings, check=False) as models:
            assert models.answerer is not None
            _ask(models.answerer, 0)
        with open_models(names, settings, concurrency=CONCURRENCY, check=False) as models:
            assert models.answerer is not None
            start = time.perf_counter()
            _ask_all(models.answerer)
            taken = time.perf_counter() - start
    what = f"{REQUESTS:,} requests, {CONCURRENCY} in flight, each answered after 200 ms"
    yield Figure(f"{what}, by the ideal", taken / IDEAL, "x", 1.15)
    yield Figure("memory at its peak", peak_mebibytes(), "MiB", 200)


def _ask_all(model: ChatModel) -> None:
    with ThreadPoolExecutor(CONCURRENCY) as pool:
        outcomes = list(pool.map(lambda number: _ask(model, number), range(REQUESTS)))
    assert set(outcomes) == {"answered"}


def _ask(model: ChatModel, number: int) -> str:
    request = ChatRequest(
        messages=(
            {"role": "system", "content": "Answer with the number only."},
            {"role": "user", "content": _VIEW},
            {"role": "user", "content": f"Which port was it in version {number}?"},
        ),
        purpose="answer",
        max_tokens=100,
        seed=1,
    )
    return model.complete(request).outcome


@contextmanager
def _endpoint() -> Iterator[str]:
    command = python("-m", "benchmarks.answering", str(ANSWERS_AFTER))
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        server.stdin.close()
