"""The file of finished replies, and the model that looks into it first."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from compaction_eval.eval.models.base import ChatRequest, ModelError, Outcome, Reply, StoreError
from compaction_eval.eval.models.keys import RequestKey, request_key
from compaction_eval.eval.models.reply_json import KEPT, decode_reply
from compaction_eval.eval.models.store import ResponseStore
from compaction_eval.eval.models.stored import StoredModel
from compaction_eval.strategies.errors import ConfigurationError

URL = "https://me:sk-sentinel@api.example.test/v1?key=sk-sentinel"
RENAME = "ALTER TABLE responses RENAME TO others"
FULL = Reply("answered", "9443 ✓ \ud83d", (("read", '{"path": "a"}'),), "why", 12, 3, 4)


def asking(text: str, repeat: int = 0, where: str = "") -> ChatRequest:
    return ChatRequest(
        ({"role": "user", "content": text},), "answer", repeat=repeat, whereabouts=where
    )


class Numbering:
    """Answers with the number of the request, or with what it was given."""

    def __init__(self, reply: Reply | None = None) -> None:
        self.asked: list[ChatRequest] = []
        self.reply = reply

    @property
    def name(self) -> str:
        return "openai:small"

    def complete(self, request: ChatRequest) -> Reply:
        self.asked.append(request)
        return self.reply or Reply("answered", str(len(self.asked)))


def test_what_was_answered_once_is_not_asked_again(tmp_path: Path) -> None:
    inner = Numbering(FULL)
    for expected in (False, True):  # the second time from the file
        with ResponseStore(tmp_path / "r.sqlite") as store:
            reply = StoredModel(inner, store, URL).complete(asking("port?"))
        assert (reply, reply.from_store) == (FULL, expected)
    assert len(inner.asked) == 1


def test_repeats_are_really_repeated_and_changed_prompts_are_asked(tmp_path: Path) -> None:
    inner = Numbering()
    with ResponseStore(tmp_path / "r.sqlite") as store:
        model = StoredModel(inner, store, URL)
        requests = [asking("port?"), asking("port?", 1), asking("Port?")]
        texts = [model.complete(one).text for one in requests * 2]
    assert texts == ["1", "2", "3"] * 2


def test_another_endpoint_and_another_model_are_asked_themselves(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "r.sqlite") as store:
        for url in (URL, "https://other.example.test/v1"):
            inner = Numbering()
            StoredModel(inner, store, url).complete(asking("port?"))
            assert len(inner.asked) == 1
        assert store.size() == 2


@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_only_finished_replies_are_kept(outcome: Outcome, tmp_path: Path) -> None:
    inner = Numbering(Reply(outcome, reason="as told"))
    with ResponseStore(tmp_path / "r.sqlite") as store:
        model = StoredModel(inner, store, URL)
        assert {model.complete(asking("port?")).outcome for _ in range(2)} == {outcome}
        assert store.size() == (outcome in KEPT)
    assert len(inner.asked) == 1 + (outcome not in KEPT)


@pytest.mark.parametrize("outcome", ["answered", "timeout"])
def test_eight_threads_that_ask_the_same_make_one_request(outcome: Outcome, tmp_path: Path) -> None:
    started, may_go = threading.Event(), threading.Event()

    class Slow(Numbering):
        def complete(self, request: ChatRequest) -> Reply:
            started.set()
            may_go.wait()
            return super().complete(request)

    inner = Slow(Reply(outcome, "9443"))
    waiting = threading.Barrier(8)
    with ResponseStore(tmp_path / "r.sqlite") as store, ThreadPoolExecutor(8) as pool:
        model = StoredModel(inner, store, URL)

        def ask(_number: int) -> Reply:
            if _number:
                started.wait()
                waiting.wait()
            return model.complete(asking("port?"))

        replies = [pool.submit(ask, number) for number in range(8)]
        waiting.wait()
        may_go.set()
        assert {one.result() for one in replies} == {Reply(outcome, "9443")}
    # A thread that comes after the first one ended may ask anew where nothing was kept.
    assert outcome == "timeout" or len(inner.asked) == 1


def test_an_error_reaches_all_who_wait_and_the_next_one_asks_again(tmp_path: Path) -> None:
    class Failing(Numbering):
        def complete(self, request: ChatRequest) -> Reply:
            super().complete(request)
            raise ModelError("no more")

    inner = Failing()
    with ResponseStore(tmp_path / "r.sqlite") as store:
        model = StoredModel(inner, store, URL)
        for _ in range(2):
            with pytest.raises(ModelError, match="no more"):
                model.complete(asking("port?"))
    assert len(inner.asked) == 2


def test_for_one_key_the_first_reply_stays(tmp_path: Path) -> None:
    key = request_key("openai:small", asking("port?"))
    with ResponseStore(tmp_path / "r.sqlite") as one, ResponseStore(tmp_path / "r.sqlite") as other:
        one.keep("e", key, FULL)
        other.keep("e", key, replace(FULL, text="else"))
        assert one.find("e", key) == other.find("e", key) == FULL


def test_a_model_that_was_slower_than_another_process_tells_what_that_one_kept(
    tmp_path: Path,
) -> None:
    with ResponseStore(tmp_path / "r.sqlite") as store:

        class Overtaken(Numbering):
            def complete(self, request: ChatRequest) -> Reply:
                StoredModel(Numbering(FULL), store, URL).complete(request)
                return super().complete(request)

        reply = StoredModel(Overtaken(), store, URL).complete(asking("port?"))
    assert (reply, reply.from_store) == (FULL, False)


def test_the_file_holds_no_credentials_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / ".compaction-eval" / "responses.sqlite"
    with ResponseStore(path) as store:
        StoredModel(Numbering(), store, URL).complete(asking("port?"))
        files = [one for one in path.parent.iterdir() if one.name.startswith(path.name)]
        assert len(files) > 1  # the log beside it
        assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}
        assert not any(b"sk-sentinel" in one.read_bytes() for one in files)
    assert (path.parent / ".gitignore").read_text() == "*\n"
    assert [one.name for one in path.parent.iterdir() if one.name.startswith("resp")] == [path.name]


def a_database(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for one in statements:
            connection.execute(one)


def damage(path: Path) -> None:
    """Overwrite all of a store but its header."""
    with ResponseStore(path) as store:
        for number in range(20):
            store.keep("e", RequestKey("m", str(number), 0), Reply("answered", "x" * 1000))
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    path.touch()
    with ResponseStore(path) as store:
        assert store.size() == 0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_text("port: 8443\n" * 99), "file is not a database; it was left"),
        (lambda path: a_database(path, "CREATE TABLE cookies (a)"), "database of another program"),
        (
            lambda path: (ResponseStore(path).close(), a_database(path, "PRAGMA user_version = 2")),
            r"written by a newer version of compaction-eval \(store 2, this one reads 1\)",
        ),
        (
            lambda path: (ResponseStore(path).close(), a_database(path, RENAME)),
            "no such table: responses; it was left",
        ),
        (lambda path: a_database(path, "PRAGMA application_id = 7"), "database of another program"),
        (damage, "database disk image is malformed; it was left"),
        (lambda path: path.mkdir(), "can't write there: Is a directory"),
    ],
)
def test_a_file_that_is_no_store_is_told_and_left_alone(
    spoil: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "r.sqlite"
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ConfigurationError, match=message) as told:
        ResponseStore(path)
    assert str(told.value).startswith(f"{path}: ")
    assert "\n" not in str(told.value)
    assert before == (path.read_bytes() if path.is_file() else b"")


def test_a_damaged_reply_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with ResponseStore(path) as store:
        StoredModel(Numbering(), store, URL).complete(asking("port?"))
    a_database(path, "UPDATE responses SET reply = '{}'")
    with ResponseStore(path) as store, pytest.raises(StoreError, match="no outcome None"):
        StoredModel(Numbering(), store, URL).complete(asking("port?"))


def test_a_full_disk_is_told_in_one_line_and_loses_nothing(
    tmp_path: Path, files_of_at_most: Callable[[int], AbstractContextManager[None]]
) -> None:
    path = tmp_path / "r.sqlite"
    with ResponseStore(path) as store:
        model = StoredModel(Numbering(), store, URL)
        kept = model.complete(asking("port?"))
        size = os.stat(f"{path}-wal").st_size
        long = StoredModel(Numbering(Reply("answered", "x" * 100_000)), store, URL)
        with (
            files_of_at_most(size + 5_000),
            pytest.raises(StoreError, match="replies failed"),
        ):
            long.complete(asking("host?"))
        assert model.complete(asking("port?")) == kept
    with ResponseStore(path) as store:
        assert store.size() == 1


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"outcome": "answered", "text": 3},
        {"outcome": "answered", "reason": None},
        {"outcome": "answered", "calls": [["read"]]},
        {"outcome": "answered", "calls": "no"},
        {"outcome": "answered", "tokens_in": True},
        {"outcome": "answered", "tokens_in": "3"},
        {"outcome": ["answered"]},
    ],
    ids=str,
)
def test_what_is_no_reply_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_reply(fields)
