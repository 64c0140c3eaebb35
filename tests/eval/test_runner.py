"""A matrix run inline, on processes, in pieces and killed: always the same cells and bytes."""

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.run_files import CELLS, MANIFEST
from compaction_eval.eval.runner import Executor, run_matrix
from compaction_eval.eval.store import read_run
from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.given import given
from compaction_eval.strategies.specs import parse_spec

SRC = Path(__file__).resolve().parents[2] / "src"
STRATEGIES = ("none", "empty", "evidence-only", "count-slice(keep=2)", "token-window")


def talk(number: int) -> Scenario:
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "look", "arguments": '{"at": "B-7"}'},
    }
    messages: Any = [{"role": "system", "content": "You help."}]
    for turn in range(3):
        messages += [
            {"role": "user", "content": f"Question {number}, part {turn}: rack B-{turn}?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": f"rack B-{turn} is {'full ' * 30}"},
            {"role": "assistant", "content": f"It is full, 第{turn}次. \ud83d"},
        ]
    said = tuple(Statement("rack", 1 + 4 * n, (f"B-{n}",), False, Place("s")) for n in range(3))
    probe = Probe("p", "update", "Which rack?", (("mid", 6), ("end", len(messages))), fact="rack")
    return Scenario(f"s{number}", "", "en", tuple(messages), statements=said, probes=(probe,))


def matrix(directory: Path, strategies: tuple[str, ...] = STRATEGIES, scenarios: int = 3) -> Matrix:
    return Matrix(
        tuple(map(talk, range(scenarios))),
        tuple(map(parse_spec, strategies)),
        (Budget.parse("30%"), Budget.parse("70%")),
        (parse_spec("extractive"),),
        directory=directory,
    )


def written(folder: Path) -> tuple[bytes, bytes]:
    return (folder / MANIFEST).read_bytes(), (folder / CELLS).read_bytes()


def test_inline_and_processes_make_the_same_cells_and_the_same_bytes(tmp_path: Path) -> None:
    small = matrix(tmp_path, (*STRATEGIES, "rolling-summary", "keep-recent-summary(keep_recent=1)"))
    inline = run_matrix(small, folder=tmp_path / "inline", executor="inline")
    spread = run_matrix(small, folder=tmp_path / "spread", executor="processes", jobs=2)
    assert inline.cells == spread.cells
    assert [cell.key for cell in inline.cells] == list(small.cells())
    assert [cell.error for cell in inline.cells] == [None] * len(inline.cells)
    assert written(tmp_path / "inline") == written(tmp_path / "spread")
    assert read_run(tmp_path / "spread").cells == spread.cells


def test_without_a_folder_a_run_returns_what_a_reader_would_read(tmp_path: Path) -> None:
    small = matrix(tmp_path)
    assert run_matrix(small, executor="inline").cells == (
        run_matrix(small, folder=tmp_path / "run", executor="inline").cells
    )


def test_every_cell_is_told_as_it_ends_those_of_before_too(tmp_path: Path) -> None:
    small = matrix(tmp_path)
    told: list[CellRecord] = []
    keys = list(small.cells())[:4]
    run_matrix(small, keys=keys, folder=tmp_path / "run", executor="inline", on_cell=told.append)
    assert [cell.key for cell in told] == keys
    assert read_run(tmp_path / "run").reused == 0
    run = run_matrix(small, folder=tmp_path / "run", executor="inline", on_cell=told.append)
    assert [cell.key for cell in told[4:]] == list(small.cells())
    assert run.cells == tuple(told[4:])
    assert run.reused == 4


def test_a_run_in_pieces_in_any_order_ends_with_the_same_bytes(tmp_path: Path) -> None:
    small = matrix(tmp_path)
    run_matrix(small, folder=tmp_path / "whole", executor="inline")
    keys = list(small.cells())
    random.Random(3).shuffle(keys)
    for start in range(0, len(keys), 7):
        piece = keys[start : start + 7]
        run = run_matrix(small, keys=piece, folder=tmp_path / "pieces", executor="inline")
        assert [cell.key for cell in run.cells] == piece
    assert written(tmp_path / "pieces") == written(tmp_path / "whole")


def test_a_kill_before_the_lines_are_put_in_order_is_mended(tmp_path: Path) -> None:
    """All cells were in, in the order in which they ended; nothing is left to measure."""
    small = matrix(tmp_path)
    run_matrix(small, folder=tmp_path / "run", executor="inline")
    ordered = written(tmp_path / "run")
    lines = ordered[1].splitlines(keepends=True)
    (tmp_path / "run" / CELLS).write_bytes(b"".join(reversed(lines)))
    run_matrix(small, folder=tmp_path / "run", executor="inline")
    assert written(tmp_path / "run") == ordered


def test_finished_cells_arent_measured_again(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\n"
        "def noting(messages, budget):\n"
        "    with Path(__file__).with_name('calls').open('a') as calls: calls.write('x')\n"
        "    return messages\n",
        "utf-8",
    )
    small = matrix(tmp_path, ("./mine.py:noting",))
    for _ in range(2):
        run_matrix(small, folder=tmp_path / "run", executor="inline")
    assert (tmp_path / "calls").stat().st_size == 3 * 2 * (6 + 2)


def test_another_matrix_is_refused_in_the_same_folder(tmp_path: Path) -> None:
    run_matrix(matrix(tmp_path, ("none",)), folder=tmp_path / "run", executor="inline")
    with pytest.raises(ConfigurationError, match="a run with other strategies"):
        run_matrix(matrix(tmp_path, ("empty",)), folder=tmp_path / "run", executor="inline")


@pytest.mark.parametrize("executor", ["inline", "processes"])
def test_what_cant_be_loaded_is_a_configuration_error(tmp_path: Path, executor: Executor) -> None:
    with pytest.raises(ConfigurationError, match=r"unknown strategy 'token-windw'.*token-window"):
        run_matrix(matrix(tmp_path, ("token-windw",)), executor=executor, jobs=2)


def test_foreign_code_gets_a_process_of_its_own_by_default(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\ndef pid(messages, budget):\n    raise RuntimeError(os.getpid())\n", "utf-8"
    )
    run = run_matrix(matrix(tmp_path, ("./mine.py:pid", "none"), 1), jobs=1)
    reasons = [cell.error or "" for cell in run.errors]
    assert len(reasons) == 2
    assert f"RuntimeError: {os.getpid()} " not in reasons[0]


BEHAVIOUR = """
import ctypes, os, re, signal, time

def fine(messages, budget): return messages[-1:]
def leaves(messages, budget): os._exit(0)
def leaves_with_3(messages, budget): os._exit(3)
def killed(messages, budget): os.kill(os.getpid(), signal.SIGKILL)
def crashes(messages, budget): ctypes.string_at(0)
def exits(messages, budget): raise SystemExit(4)
def lies(messages, budget): return "all of it"
def sleeps(messages, budget): time.sleep(600)
def loops(messages, budget):
    while True: pass
def searches(messages, budget): re.match(r"(a+)+$", "a" * 64 + "b")
def swallows(messages, budget):
    while True:
        try: time.sleep(600)
        except Exception: pass
def swallows_all(messages, budget):
    while True:
        try: time.sleep(600)
        except BaseException: pass
def forks(messages, budget):
    if os.fork() == 0: time.sleep(3)  # the copy holds the worker's end of the pipe open
    os._exit(5)
def stops(messages, budget): os.kill(os.getpid(), signal.SIGSTOP)
def interrupts(messages, budget): raise KeyboardInterrupt
def doubles(messages, budget): return messages * 20
def bloats(messages, budget): return [{"role": "user", "content": "x" * 2_000_000}]
def says_a_number(messages, budget): return [{"role": "user", "content": 5}]
def says_nan(messages, budget): return [{"role": "user", "content": "x", "k": float("nan")}]
def tampers(messages, budget):
    import json
    json.dumps = None
    return messages
def copies_itself(messages, budget):
    if os.fork() == 0: open(__file__[:-7] + f"copy.{os.getpid()}", "w").close()
    return messages
def holds_the_interpreter(messages, budget): return sum(range(10**15))
"""
ENDED = "ended its process"
HELD_ON = f"{ENDED} (exit code 1), or held on past the limit of 0.3 s"
LIMIT = "exceeded the time limit of 0.3 s (mine.py:"


@pytest.mark.parametrize(
    "reasons",
    [
        {
            "leaves": f"{ENDED} (exit code 0)",
            "leaves_with_3": f"{ENDED} (exit code 3)",
            "killed": f"{ENDED} (signal SIGKILL)",
            "crashes": f"{ENDED} (signal SIGSEGV)",
            "exits": "raised SystemExit: 4 (mine.py:",
            "lies": "returned a value of type str instead of a list of messages",
            "interrupts": "raised KeyboardInterrupt (mine.py:",
            "tampers": "raised TypeError",
        },
        {
            "doubles": "returned ",
            "bloats": "returned 2,000,000 characters for ",
            "says_a_number": "returned a message whose content is of type int (place 1)",
            "says_nan": "returned a message that isn't JSON (place 1)",
        },
        {"sleeps": LIMIT, "loops": LIMIT, "searches": LIMIT, "swallows": LIMIT},
        {
            "swallows_all": HELD_ON,
            "holds_the_interpreter": HELD_ON,
            "stops": "held on past the time limit of 0.3 s and was ended",
        },
    ],
    ids=["ends", "returns what nobody sends", "hangs", "hangs for good"],
)
def test_what_a_strategy_does_to_its_process_is_an_error_of_its_cells_alone(
    tmp_path: Path, reasons: dict[str, str]
) -> None:
    (tmp_path / "mine.py").write_text(BEHAVIOUR, "utf-8")
    names = ("fine", *reasons)
    small = matrix(tmp_path, tuple(f"./mine.py:{name}" for name in names), 1)
    small = replace(small, budgets=small.budgets[:1])
    run = run_matrix(small, folder=tmp_path / "run", jobs=2, time_limit=0.3)
    found = {cell.key.strategy.split(":")[1]: cell.error for cell in run.cells}
    assert found.pop("fine") is None
    assert {name: (error or "").startswith(reasons[name]) for name, error in found.items()} == (
        dict.fromkeys(reasons, True)
    ), found
    assert read_run(tmp_path / "run").cells == run.cells


SUMMARIZERS = """
import os, time
def leaves(request): os._exit(0)
def loops(request):
    while True: pass
"""


@pytest.mark.parametrize("wrapped", ["{}", "faulty(inner=faulty(inner={}, every=9), every=9)"])
def test_a_summariser_from_outside_is_guarded_also_inside_of_another(
    tmp_path: Path, wrapped: str
) -> None:
    (tmp_path / "mine.py").write_text(SUMMARIZERS, "utf-8")
    names = ("leaves", "loops")
    specs = tuple(parse_spec(wrapped.format(f"./mine.py:{name}")) for name in names)
    small = matrix(tmp_path, ("rolling-summary",), 1)
    small = replace(small, budgets=small.budgets[:1], summarizers=specs)
    leaves, loops = run_matrix(small, jobs=1, time_limit=0.3).cells
    assert leaves.error == f"{ENDED} (exit code 0)"
    told = {request.fallback for request in loops.requests} - {None}
    assert told == {"the summariser exceeded the time limit of 0.3 s (mine.py:5)"}


def test_a_worker_that_left_a_copy_of_itself_is_replaced_for_the_next_cell(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BEHAVIOUR, "utf-8")
    small = matrix(tmp_path, ("./mine.py:forks", "./mine.py:fine"), 1)
    run = run_matrix(replace(small, budgets=small.budgets[:1]), jobs=1)
    assert [cell.error for cell in run.cells] == ["ended its process (exit code 5)", None]


def test_no_copy_that_a_strategy_forks_outlives_the_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BEHAVIOUR, "utf-8")
    small = matrix(tmp_path, ("./mine.py:copies_itself", "./mine.py:fine"), 1)
    run = run_matrix(replace(small, budgets=small.budgets[:1]), jobs=1)
    assert [cell.error for cell in run.cells] == [None, None]
    copies = [int(name.suffix[1:]) for name in tmp_path.glob("copy.*")]
    assert len(copies) > 3
    assert [pid for pid in copies if _runs_on(pid)] == []


def _runs_on(pid: int) -> bool:
    """Whether a process is there and stays; one that was killed may take a moment to go."""
    end = time.monotonic() + 10
    while _runs(pid):
        if time.monotonic() > end:
            return True
        time.sleep(0.05)
    return False


def _runs(pid: int) -> bool:
    """Whether a process is there and has not merely not been waited for yet."""
    shown = subprocess.run(("ps", "-o", "stat=", "-p", str(pid)), capture_output=True, text=True)
    return bool(shown.stdout.strip()) and not shown.stdout.strip().startswith("Z")


def test_errors_of_a_run_are_tried_again_when_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\n"
        "def once(messages, budget):\n"
        "    mark = Path(__file__).with_name('mark')\n"
        "    if not mark.exists():\n"
        "        mark.touch()\n"
        "        raise RuntimeError('no luck')\n"
        "    return messages\n",
        "utf-8",
    )
    small = matrix(tmp_path, ("./mine.py:once",), 1)
    first = run_matrix(small, folder=tmp_path / "run", executor="inline")
    assert len(first.errors) == 1
    again = run_matrix(small, folder=tmp_path / "run", executor="inline")
    assert again.errors == ()
    assert written(tmp_path / "run")[1].count(b"no luck") == 0


COMMAND = """
import pickle, sys
from pathlib import Path
from compaction_eval.eval.runner import run_matrix

if __name__ == "__main__":
    matrix = pickle.loads(Path("matrix.pickle").read_bytes())
    run_matrix(matrix, folder=Path(sys.argv[1]), executor=sys.argv[2], jobs=2, time_limit=60)
"""


def started(small: Matrix, folder: Path, executor: str, seed: str = "0") -> subprocess.Popen[bytes]:
    """A process that runs a matrix into a folder, for us to kill."""
    directory = small.directory
    (directory / "command.py").write_text(COMMAND, "utf-8")
    (directory / "matrix.pickle").write_bytes(pickle.dumps(small))
    return subprocess.Popen(
        [sys.executable, "command.py", str(folder), executor],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(SRC), "PYTHONHASHSEED": seed},
    )


def test_bytes_dont_hang_on_the_seed_of_hashes(tmp_path: Path) -> None:
    small = matrix(tmp_path, (*STRATEGIES, "rolling-summary", "window-summary", "count-summary"))
    here, one, two = (tmp_path / name for name in ("here", "one", "two"))
    runs = [started(small, one, "inline", "1"), started(small, two, "processes", "31337")]
    run_matrix(small, folder=here, executor="inline")
    assert [run.wait() for run in runs] == [0, 0]
    assert written(one) == written(two) == written(here)


def children(pid: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    try:
        own = set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return set()
    return own.union(*map(children, own))


def alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


def gone(pids: set[int], seconds: float = 5.0) -> bool:
    """Whether all of some processes end by themselves."""
    until = time.monotonic() + seconds
    while alive(pids) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pids)


def finished(folder: Path) -> int:
    """Cells in the folder so far."""
    try:
        return (folder / CELLS).read_bytes().count(b"\n")
    except OSError:
        return 0


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")


@linux
@pytest.mark.parametrize(("executor", "kills"), [("inline", 14), ("processes", 6)])
def test_a_run_that_was_killed_ends_with_the_bytes_of_one_that_wasnt(
    tmp_path: Path, executor: str, kills: int
) -> None:
    """SIGKILL at seeded moments: before the first cell, between cells, while one is written."""
    (tmp_path / "mine.py").write_text(
        "import time\n"
        "def slow(messages, budget):\n"
        "    time.sleep(0.002)\n"
        "    return messages[-2:]\n",
        "utf-8",
    )
    small = matrix(tmp_path, ("./mine.py:slow", *STRATEGIES))
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run_matrix(small, folder=whole, executor="inline")
    moments = random.Random(f"{executor} {kills}")
    stopped = 0
    while stopped < kills:
        before = finished(killed)
        run = started(small, killed, executor)
        target = before + moments.choice([0, 1, 1, 2, 3])
        while run.poll() is None and finished(killed) < target:
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 0.01))
        workers = children(run.pid)
        run.kill()
        if run.wait() == -signal.SIGKILL:
            stopped += 1
        else:  # it was done already: the folder is right, and the next run begins anew
            assert written(killed) == written(whole)
            for file in killed.iterdir():
                file.unlink()
        assert gone(workers), "workers must not outlive their parent"
    assert started(small, killed, executor).wait() == 0
    assert written(killed) == written(whole)


@linux
def test_workers_end_with_their_parent_in_the_midst_of_a_cell_too(tmp_path: Path) -> None:
    """The time limit is a minute: nothing but the parent's end makes them go."""
    (tmp_path / "mine.py").write_text(BEHAVIOUR, "utf-8")
    small = matrix(tmp_path, ("./mine.py:swallows_all",))
    run = started(small, tmp_path / "run", "processes")
    until = time.monotonic() + 20
    while len(children(run.pid)) < 3 and time.monotonic() < until:  # two workers and a tracker
        time.sleep(0.02)
    time.sleep(0.5)
    workers = children(run.pid)
    assert len(alive(workers)) == 3
    run.kill()
    run.wait()
    assert gone(workers)


@linux
def test_no_worker_is_left_when_the_caller_gives_up(tmp_path: Path) -> None:
    def gives_up(cell: CellRecord) -> None:
        raise KeyboardInterrupt

    before = children(os.getpid())
    with pytest.raises(KeyboardInterrupt):
        run_matrix(matrix(tmp_path), executor="processes", jobs=2, on_cell=gives_up)
    assert gone(children(os.getpid()) - before - trackers())


def trackers() -> set[int]:
    """multiprocessing's own helper, which stays for the next pool."""
    from multiprocessing import resource_tracker

    pid = resource_tracker._resource_tracker._pid  # type: ignore[attr-defined]  # nowhere else
    return {pid} if pid else set()


MASK = """
import re
from pathlib import Path
from compaction_eval.eval.processes import _Worker

if __name__ == "__main__":
    worker = _Worker(None, {}, None)  # starts at once, and needs its matrix only for a cell
    status = Path(f"/proc/{worker._process.pid}/status").read_text()
    worker.end()
    print(int(re.search(r"SigBlk:\\s*(\\w+)", status)[1], 16) >> 1 & 1)  # signal 2 is SIGINT
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_an_interrupt_cant_reach_a_worker_that_is_starting(tmp_path: Path) -> None:
    """Also the first one, with which Python starts its resource tracker."""
    script = tmp_path / "start.py"
    script.write_text(MASK, "utf-8")
    command = [sys.executable, str(script)]
    path = {**os.environ, "PYTHONPATH": str(SRC)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=path)
    assert done.stdout.split() == ["1"]


def test_an_object_of_this_process_is_measured_here_or_refused(tmp_path: Path) -> None:
    def keep(messages: list[Any], budget: int) -> list[Any]:
        return messages[-2:]

    held = replace(matrix(tmp_path, ()), strategies=(given(keep), given(keep, "again")))
    with pytest.raises(ConfigurationError, match="'keep' is an object of this process"):
        run_matrix(held, executor="processes")
    run = run_matrix(held)
    assert [one["label"] for one in run.manifest["strategies"]] == ["keep", "again"]
    assert [cell.error for cell in run.cells] == [None] * len(run.cells)


def test_an_object_named_like_a_control_is_none(tmp_path: Path) -> None:
    def empty(messages: list[Any], budget: int) -> list[Any]:
        return messages

    run = run_matrix(replace(matrix(tmp_path, ()), strategies=(given(empty),)))
    assert [one.is_control for one in evidence_of(run).strategies] == [False]
    assert {probe.verdict for cell in run.cells for probe in cell.probes} == {"correct"}
