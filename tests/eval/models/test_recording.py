"""A recording is complete however the run ends."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from compaction_eval.eval.models.base import ChatRequest, Reply, StoreError
from compaction_eval.eval.models.cassette import read_cassette, write_cassette
from compaction_eval.eval.models.keeping import replaying
from compaction_eval.eval.models.recording import Recorder, recording_to, unfinished_of
from compaction_eval.strategies.errors import ConfigurationError

ROOT = Path(__file__).resolve().parents[3]


class Saying:
    """Says the same to everything."""

    name = "openai:small"

    def __init__(self, text: str = "9443") -> None:
        self.text = text

    def complete(self, request: ChatRequest) -> Reply:
        return Reply("answered", self.text)


def asking(number: int) -> ChatRequest:
    return ChatRequest(({"role": "user", "content": f"{number}?"},), "answer")


def record(path: Path, numbers: range, text: str = "9443") -> None:
    with recording_to(path) as journal:
        for number in numbers:
            Recorder(Saying(text), journal).complete(asking(number))


def texts(path: Path) -> list[str]:
    return sorted(one.reply.text for one in read_cassette(path).values())


def test_a_second_recording_adds_to_the_first(tmp_path: Path) -> None:
    path = tmp_path / "new" / "answers.jsonl.gz"
    record(path, range(3))
    record(path, range(2, 5))
    assert len(read_cassette(path)) == 5
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_recording_in_two_parts_makes_the_same_bytes_as_at_once(tmp_path: Path) -> None:
    record(tmp_path / "a.gz", range(5))
    record(tmp_path / "b.gz", range(3, 5))
    record(tmp_path / "b.gz", range(3))
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_what_the_model_said_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    record(path, range(2), "old")
    record(path, range(1), "new")
    assert texts(path) == ["new", "old"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, StoreError, SystemExit])
def test_a_run_that_is_stopped_leaves_all_that_was_said(
    stop: type[BaseException], tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"

    def run() -> None:
        with recording_to(path) as journal:
            Recorder(Saying(), journal).complete(asking(0))
            raise stop

    with pytest.raises(stop):
        run()
    assert texts(path) == ["9443"]


def test_a_reply_that_comes_in_after_the_end_is_written_nowhere(tmp_path: Path) -> None:
    with recording_to(tmp_path / "answers.jsonl") as journal:
        pass
    other = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)  # gets the journal's old number
    try:
        Recorder(Saying(), journal).complete(asking(0))
        assert os.fstat(other).st_size == 0
    finally:
        os.close(other)


def test_without_file_locks_recording_is_refused_and_replaying_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers.jsonl"
    record(path, range(1))
    for name in ("recording", "keeping", "replaying"):
        monkeypatch.delitem(sys.modules, f"compaction_eval.eval.models.{name}")
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on Windows
    keeping = importlib.import_module("compaction_eval.eval.models.keeping")
    assert keeping.replaying(path)("openai:small").complete(asking(0)).text == "9443"
    with (
        pytest.raises(ConfigurationError, match="file locks of Unix"),
        keeping.keeping("http://127.0.0.1:9", store=None, record=path),
    ):
        pass


def test_threads_record_to_one_cassette(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with recording_to(path) as journal, ThreadPoolExecutor(8) as pool:
        model = Recorder(Saying(), journal)
        list(pool.map(model.complete, [asking(number % 40) for number in range(200)]))
    assert len(read_cassette(path)) == 40


def test_of_several_recordings_to_one_file_the_last_one_to_end_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with recording_to(path) as one:
        with recording_to(path) as other:
            Recorder(Saying(), other).complete(asking(0))
            Recorder(Saying(), one).complete(asking(1))
        assert not path.exists()
        Recorder(Saying(), one).complete(asking(2))
    assert len(read_cassette(path)) == 3


RECORDING = """
import sys
from pathlib import Path
from compaction_eval.eval.models.base import ChatRequest, Reply
from compaction_eval.eval.models.recording import Recorder, recording_to, unfinished_of

class Saying:
    name = "openai:small"
    def complete(self, request):
        return Reply("answered", "9443" * 2000)

with recording_to(Path(sys.argv[1])) as journal:
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        message = {"role": "user", "content": f"{number}?"}
        Recorder(Saying(), journal).complete(ChatRequest((message,), "answer"))
        print(number, flush=True)
"""


def recording_process(path: Path, first: int, end: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RECORDING, str(path), str(first), str(end)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )


def test_what_killed_runs_were_told_is_in_the_next_recording(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    told = 0
    for attempt in range(3):
        process = recording_process(path, attempt * 100_000, attempt * 100_000 + 99_999)
        assert process.stdout is not None
        for _ in range(10):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        told += 10 + len(list(process.stdout))
        process.communicate()
        with (tmp_path / "answers.jsonl.gz.unfinished").open("ab") as journal:
            journal.write(b'{"request":"cut sho')
    record(path, range(900_000, 900_001))
    assert len(read_cassette(path)) - told in range(1, 5)  # said, and killed before it was told
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_processes_record_to_one_cassette(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    processes = [recording_process(path, first, first + 60) for first in (0, 40, 80)]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    assert len(read_cassette(path)) == 140
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_file_that_is_no_cassette_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(ConfigurationError, match="is no cassette"):
        record(path, range(1))
    assert path.read_text() == "mine"
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="file: is no folder"):
        record(tmp_path / "file" / "answers.jsonl", range(1))


def test_a_full_disk_is_told_and_keeps_what_was_written(
    tmp_path: Path, files_of_at_most: Callable[[int], AbstractContextManager[None]]
) -> None:
    path = tmp_path / "answers.jsonl"
    write_cassette(path, {})
    with files_of_at_most(3_000), pytest.raises(StoreError, match="can't be written: File too lar"):
        record(path, range(100))
    record(path, range(900, 901))
    assert 5 < len(read_cassette(path)) < 20


def test_a_recording_that_was_killed_is_told_when_it_is_to_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    unfinished_of(path).touch()
    with pytest.raises(ConfigurationError, match=r"its recording was killed; the same run with"):
        replaying(path)
    record(path, range(1))
    assert replaying(path)("openai:small()").complete(asking(0)).text == "9443"
