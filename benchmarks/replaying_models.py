"""10,000 recorded replies of models given again, from a cassette and from a store.

Each way has a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measuring import ROOT, Figure, peak_mebibytes, python
from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply
from compaction_eval.eval.models.keeping import keeping, replaying

REPLIES = 10_000
NAME = "openai:any"
_URL = "http://127.0.0.1:8080/v1"
_VIEW = "The service listens on 9443, and its owner is Mei Lindqvist. " * 260  # 4,000 tokens


def figures() -> Iterator[Figure]:
    """Seconds after imports, opening the file included; MiB in all, and more than after 1,000."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, _, _ = _in_a_process("record", folder)
        for way in ("cassette", "store"):
            seconds, peak, growth = _in_a_process(way, folder)
            what = f"{REPLIES:,} replies to 4,000 tokens each from a {way}"
            yield Figure(what, seconds, "s", 5)
            yield Figure("memory at its peak", peak, "MiB", 120)
            yield Figure("of which grew after the first 1,000", growth, "MiB", 4)
        yield Figure(f"keeping and recording {REPLIES:,} replies", recorded, "s", 15)


def _in_a_process(way: str, folder: str) -> tuple[float, float, float]:
    """What `_measure` finds. This process stays small, since a child's peak begins with its."""
    command = python("-m", "benchmarks.replaying_models", way, folder)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    seconds, peak, growth = json.loads(done.stdout)
    return seconds, peak, growth


class _Fixed:
    name = NAME

    def complete(self, request: ChatRequest) -> Reply:
        return Reply("answered", f"It is 9443. {request.whereabouts} " * 8, tokens_in=4000)


def _request(number: int) -> ChatRequest:
    return ChatRequest(
        messages=(
            {"role": "system", "content": "Answer with the number only."},
            {"role": "user", "content": f"Version {number}. {_VIEW}"},
            {"role": "user", "content": "Which port was it?"},
        ),
        purpose="answer",
        max_tokens=100,
        seed=1,
        whereabouts=f"scenario-{number % 97} / strategy-{number % 7} / 30% / probe-{number % 5}",
    )


@contextmanager
def _opened(way: str, folder: Path) -> Iterator[ChatModel]:
    cassette, store = folder / "answers.jsonl.gz", folder / "responses.sqlite"
    if way == "cassette":
        yield replaying(cassette)(NAME)
        return
    with keeping(_URL, store=store, record=cassette if way == "record" else None) as wrap:
        yield wrap(_Fixed())


def _measure(way: str, folder: Path) -> tuple[float, float, float]:
    """Seconds, and MiB at the peak and beyond that of the first tenth."""
    early = 0.0
    start = time.perf_counter()
    with _opened(way, folder) as model:
        for number in range(REPLIES):
            if model.complete(_request(number)).from_store == (way == "record"):
                raise RuntimeError(f"reply {number} is not where it should come from: {way}")
            if number == REPLIES // 10:
                early = peak_mebibytes()
    peak = peak_mebibytes()
    return time.perf_counter() - start, peak, peak - early


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], Path(sys.argv[2]))))
