"""The store under several processes, and under processes that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from compaction_eval.eval.models.base import Reply
from compaction_eval.eval.models.keys import RequestKey
from compaction_eval.eval.models.store import ResponseStore

ROOT = Path(__file__).resolve().parents[3]
WRITER = """
import sys
from pathlib import Path
from compaction_eval.eval.models.base import Reply
from compaction_eval.eval.models.keys import RequestKey
from compaction_eval.eval.models.store import ResponseStore

path, who, first, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
print("ready", flush=True)
sys.stdin.readline()
with ResponseStore(path) as store:
    for number in range(first, first + count):
        store.keep("e", RequestKey("m", str(number), 0), Reply("answered", who + "!" * 2000))
        print(number, flush=True)
"""


def writer(path: Path, who: str, first: int, count: int) -> subprocess.Popen[str]:
    """A process that keeps replies, each acknowledged by a line, once it is told to start."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), who, str(first), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def start(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def found(store: ResponseStore, number: int) -> Reply | None:
    return store.find("e", RequestKey("m", str(number), 0))


def test_after_each_kill_every_acknowledged_reply_is_there(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    acknowledged: list[int] = []
    for attempt, lines in enumerate((0, 1, 7, 40, 150)):
        process = writer(path, "a", attempt * 100_000, 100_000)
        start(process)
        assert process.stdout is not None
        acknowledged += [int(process.stdout.readline()) for _ in range(lines)]
        os.kill(process.pid, signal.SIGKILL)
        acknowledged += map(int, process.stdout)
        process.communicate()
        with ResponseStore(path) as store:
            missing = [number for number in acknowledged if found(store, number) is None]
            assert missing == []
            assert store.size() - len(acknowledged) in range(attempt + 2)  # kept, not yet told
    assert len(acknowledged) >= 198


def test_processes_that_start_at_once_share_a_new_file_and_agree_on_each_reply(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r.sqlite"
    count = 200
    processes = [writer(path, who, 0, count) for who in "abcd"]
    for process in processes:
        start(process)
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    with ResponseStore(path) as store:
        assert store.size() == count
        replies = [found(store, number) for number in range(count)]
        assert all(one is not None and one.text.strip("!") in "abcd" for one in replies)
