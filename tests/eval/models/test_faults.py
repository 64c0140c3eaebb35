"""Every fault of an endpoint, through the real client and real sockets, ends as documented."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.models.base import (
    ChatModel,
    ChatRequest,
    Outcome,
    UnusableModelError,
)
from compaction_eval.eval.models.chaos import FAULTS, OK, parse_chaos
from compaction_eval.eval.models.chaos_server import Endpoint, answering, standing_before
from compaction_eval.eval.models.keeping import keeping, replaying
from compaction_eval.eval.models.opening import ModelNames, open_models
from compaction_eval.eval.models.secret import Secret
from compaction_eval.eval.models.settings import ModelSettings
from compaction_eval.eval.models.waiting import Waiting

pytest.importorskip("openai")

KEY = "sentinel-9f3b61c0"
NAME = "openai:small"
PATIENCE = 60.0  # seconds, of which no test needs more than a few
OPTIONS = "hang=60,slow=0.1,retry-after=0"
OUTCOMES: Mapping[str, Outcome] = {
    "429": "rate-limited",
    "429-bare": "rate-limited",
    "500": "server-error",
    "503": "server-error",
    "echo": "server-error",
    "parrot": "answered",
    "context": "context-length",
    "hang": "timeout",
    "close": "connection",
    "slow": "answered",
    "cut": "connection",
    "html": "malformed",
    "bad-json": "malformed",
    "no-choices": "empty",
    "length": "cut",
    "filter": "filtered",
    "tools": "tool-calls",
    "huge": "malformed",
}
RETRIED = {
    fault
    for fault, outcome in OUTCOMES.items()
    if outcome in ("rate-limited", "server-error", "timeout", "connection", "malformed")
}


def last_words(request: Mapping[str, Any]) -> str:
    return f"You asked: {request['messages'][-1]['content']}"


def asking(text: str) -> ChatRequest:
    return ChatRequest(({"role": "user", "content": text},), "answer", whereabouts=f"at {text}")


@contextmanager
def model(
    endpoint: Endpoint,
    folder: Path,
    *,
    retries: int = 1,
    concurrency: int = 8,
    timeout: float = PATIENCE,
) -> Iterator[ChatModel]:
    """The client with a store and a cassette in a folder; it never waits before a retry."""
    settings = ModelSettings(
        endpoint.url,
        Secret(KEY),
        headers={"X-Gateway": Secret(f"gateway-{KEY}")},
        timeout=timeout,
        retries=retries,
    )
    store, record = folder / "responses.sqlite", folder / "answers.jsonl"
    with (
        keeping(endpoint.url, store=store, record=record) as wrap,
        open_models(
            ModelNames(answerer=NAME),
            settings,
            concurrency=concurrency,
            wrap=wrap,
            check=False,
            waiting=Waiting(sleep=lambda _seconds: None),
        ) as models,
    ):
        assert models.answerer is not None
        yield models.answerer


def assert_no_key(folder: Path, *texts: object) -> None:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    assert KEY not in " ".join(map(repr, texts))


def test_the_table_has_every_fault() -> None:
    """A 401 ends the run, and has a test of its own."""
    assert {*OUTCOMES, "401"} == set(FAULTS)


@pytest.mark.parametrize("fault", OUTCOMES)
def test_a_fault_that_stays_ends_as_its_outcome_and_leaks_nothing(
    fault: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    begun = time.monotonic()
    chaos = parse_chaos(f"{fault}:1,{OPTIONS}")
    timeout = 0.3 if fault == "hang" else PATIENCE
    with (
        answering(chaos, last_words) as endpoint,
        model(endpoint, tmp_path, timeout=timeout) as asked,
    ):
        reply = asked.complete(asking("port?"))
        assert reply.outcome == OUTCOMES[fault], reply.reason
        assert len(endpoint.seen) == (2 if fault in RETRIED else 1)
        assert_no_key(tmp_path, reply, *caplog.messages)
    assert (reply.outcome == "answered") == (not reply.reason)
    assert_no_key(tmp_path)
    replayed = replaying(tmp_path / "answers.jsonl")(NAME).complete(asking("port?"))
    assert replayed == reply
    # Not a measure of speed: a hang of 60 s or a server that waits for its clients is found.
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("fault", sorted(RETRIED))
def test_a_fault_that_passes_is_answered_all_the_same(fault: str, tmp_path: Path) -> None:
    chaos = parse_chaos(f"{fault},{OPTIONS}")
    timeout = 2.0 if fault == "hang" else PATIENCE
    with (
        answering(chaos, last_words) as endpoint,
        model(endpoint, tmp_path, timeout=timeout) as asked,
    ):
        assert asked.complete(asking("port?")).text == "You asked: port?"
        assert [one.fault for one in endpoint.seen] == [fault, OK]
        assert asked.complete(asking("port?")).from_store
        assert len(endpoint.seen) == 2


def test_a_key_that_is_refused_ends_the_run_without_showing_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with (
        answering(parse_chaos("401"), last_words) as endpoint,
        model(endpoint, tmp_path) as asked,
        pytest.raises(UnusableModelError, match="OPENAI_API_KEY") as told,
    ):
        asked.complete(asking("port?"))
    assert_no_key(tmp_path, str(told.value), *caplog.messages)


MIXED = "429:0.05,500:0.05,echo:0.03,close:0.05,cut:0.04,html:0.04,bad-json:0.04,seed=3"


def test_a_third_of_faults_changes_no_answer_and_no_order_changes_the_faults(
    tmp_path: Path,
) -> None:
    requests = [asking(str(number)) for number in range(150)]
    met = []
    for workers in (1, 16):
        folder = tmp_path / str(workers)
        folder.mkdir()
        with (
            answering(parse_chaos(f"{MIXED},{OPTIONS}"), last_words) as endpoint,
            model(endpoint, folder, retries=12, concurrency=16) as asked,
            ThreadPoolExecutor(workers) as pool,
        ):
            replies = list(pool.map(asked.complete, requests))
            assert [one.text for one in replies] == [f"You asked: {n}" for n in range(150)]
            met.append(sorted((one.key, one.attempt, one.fault) for one in endpoint.seen))
        assert_no_key(folder)
    assert met[0] == met[1]
    assert sum(one[2] != OK for one in met[0]) > 45
    first, second = (tmp_path / str(workers) / "answers.jsonl" for workers in (1, 16))
    assert first.read_bytes() == second.read_bytes()


def test_faults_stand_before_a_real_endpoint(tmp_path: Path) -> None:
    sent: list[Mapping[str, Any]] = []

    def remembered(request: Mapping[str, Any]) -> str:
        sent.append(request)
        return last_words(request)

    with (
        answering(parse_chaos(OK), remembered) as real,
        standing_before(parse_chaos(f"500,slow,{OPTIONS}"), real.url) as endpoint,
        model(endpoint, tmp_path) as asked,
    ):
        assert asked.complete(asking("port?")).text == "You asked: port?"
        assert [one.fault for one in endpoint.seen] == ["500", "slow"]
    assert [one["messages"] for one in sent] == [[{"role": "user", "content": "port?"}]]


def test_what_the_real_endpoint_says_comes_through_of_whatever_status(tmp_path: Path) -> None:
    with (
        answering(parse_chaos("context"), last_words) as real,
        standing_before(parse_chaos(OK), real.url) as endpoint,
        model(endpoint, tmp_path) as asked,
    ):
        assert asked.complete(asking("port?")).outcome == "context-length"
        assert asked.complete(asking("port?")).outcome == "answered"


def test_an_endpoint_that_is_not_there_is_a_broken_connection(tmp_path: Path) -> None:
    with answering(parse_chaos(OK), last_words) as gone:
        pass
    with (
        standing_before(parse_chaos(OK), gone.url) as endpoint,
        model(endpoint, tmp_path) as asked,
    ):
        assert asked.complete(asking("port?")).outcome == "connection"


def test_a_server_ends_though_clients_hang(tmp_path: Path) -> None:
    before = threading.active_count()
    with (
        answering(parse_chaos("hang:1,hang=600"), last_words) as endpoint,
        model(endpoint, tmp_path, timeout=0.3) as asked,
        ThreadPoolExecutor(3) as pool,
    ):
        replies = list(pool.map(asked.complete, map(asking, "abc")))
    assert {one.outcome for one in replies} == {"timeout"}
    assert threading.active_count() == before


def test_a_cassette_of_a_run_with_faults_holds_no_header(tmp_path: Path) -> None:
    chaos = parse_chaos(f"echo:1,{OPTIONS}")
    with answering(chaos, last_words) as endpoint, model(endpoint, tmp_path) as asked:
        asked.complete(asking("port?"))
    line = json.loads((tmp_path / "answers.jsonl").read_text().splitlines()[1])
    assert line["reply"]["outcome"] == "server-error"
    assert "gateway" not in json.dumps(line).casefold().replace("x-gateway", "")


def test_the_page_has_each_fault_with_what_it_ends_as() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "recording.md").read_text("utf-8")
    for fault, words in FAULTS.items():
        outcome = f"`{OUTCOMES[fault]}`" if fault in OUTCOMES else "the run stops"
        again = "yes" if fault in RETRIED else "no"
        assert f"| `{fault}` | {words} | {outcome} | {again} |\n" in page


def test_the_server_of_the_page_answers_as_it_says() -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs" / "recording.md").read_text("utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root / "src"), "no_proxy": "*"},
    )
    first, second, faults = done.stdout.splitlines()
    assert json.loads(first)["choices"][0]["finish_reason"] == "length"
    assert json.loads(second)["choices"][0]["message"]["content"] == "You said: Hello"
    assert faults == "['length', 'ok']"
