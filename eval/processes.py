"""Cells on several worker processes: a cell that crashes or hangs takes only itself down.

Each worker has a pipe of its own and one cell at a time, so what it was doing when it ended is
known, and workers share nothing that one of them could leave locked.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait

from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.records import CellKey
from compaction_eval.eval.worker import Workshop
from compaction_eval.strategies.errors import ConfigurationError, reason_of
from compaction_eval.strategies.timelimit import Clock, show_on
from compaction_eval.strategies.tokens import TokenCounter

LOOK_SECONDS = 1.0
"""How often all workers are looked after. One that ends is noticed at once, unless foreign code has
forked and its copy holds the pipe open."""
GRACE_SECONDS = 2.0
"""What a worker is given, after twice the time limit, to end itself."""
LEAVE_SECONDS = 1.0
"""What workers are given at the end to leave by themselves."""

_spawn = multiprocessing.get_context("spawn")


def measure_on(
    workers: int,
    matrix: Matrix,
    keys: Sequence[CellKey],
    known: dict[str, int],
    time_limit: float | None,
) -> Iterator[tuple[CellKey, str]]:
    """Measure cells on that many processes; yields each cell's line as it ends, in any order.

    `known` holds the token counts that the parent has made already. A worker that ends while it
    measures makes an error line of that cell, and another takes its place. Raises
    ConfigurationError where a specification can't be loaded.
    """
    waiting = iter(keys)
    crew: list[_Worker] = []
    busy: dict[_Worker, CellKey] = {}
    try:
        for key in islice(waiting, workers):
            crew.append(_Worker(matrix, known, time_limit))
            crew[-1].give(key)
            busy[crew[-1]] = key
        while busy:
            wait([handle for worker in busy for handle in worker.handles], LOOK_SECONDS)
            for worker, key in tuple(busy.items()):
                line = worker.line(key)
                if line is None:
                    continue
                del busy[worker]
                following = next(waiting, None)
                if following is not None:
                    worker.give(following)
                    busy[worker] = following
                yield key, line
    finally:
        for worker in crew:
            worker.dismiss()
        for worker in crew:
            worker.end()


class _Worker:
    """A process that measures cells, and the parent's end of its pipe."""

    def __init__(self, matrix: Matrix, known: dict[str, int], time_limit: float | None):
        self.matrix = matrix
        self.known = known
        self.time_limit = time_limit
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = _spawn.Pipe()
        self._clock = _spawn.Value("d", 0.0, lock=False)
        arguments = (theirs, self._clock, self.matrix, self.known, self.time_limit)
        self._process = _spawn.Process(target=_work, args=arguments)
        with _interrupts_held():
            self._process.start()
        theirs.close()

    @property
    def handles(self) -> tuple[Connection, int]:
        """What becomes ready when there is a line, or when the process has ended."""
        return self._pipe, self._process.sentinel

    def give(self, key: CellKey) -> None:
        """Have a cell measured, by a new process where the old one has ended."""
        if not self._process.is_alive():
            self.end()
            self._start()
        # One that dies at this very moment is found dead when its line is asked for.
        with contextlib.suppress(OSError):
            self._pipe.send(key)

    def line(self, key: CellKey) -> str | None:
        """The line of the cell that was given, once there is one."""
        if self._overdue():
            self._process.kill()
            self._process.join()
        ended = not self._process.is_alive()  # asked first: it may have sent its line before
        try:
            if self._pipe.poll():
                answer = self._pipe.recv()
                if isinstance(answer, ConfigurationError):
                    raise answer
                return self._failed(key, answer.reason) if isinstance(answer, _Broken) else answer
        except (EOFError, OSError):
            self._process.join()
            ended = True
        return self._failed(key, self._ending()) if ended else None

    def _overdue(self) -> bool:
        """Whether foreign code holds on so long that its own process can't have ended it."""
        since = self._clock.value
        if self.time_limit is None or not since:
            return False
        return bool(time.monotonic() - since > 2 * self.time_limit + GRACE_SECONDS)

    def _ending(self) -> str:
        """How the process ended, in words."""
        code = self._process.exitcode or 0
        if self._overdue():
            return f"held on past the time limit of {self.time_limit:g} s and was ended"
        reason = f"ended its process ({_signal_name(-code) if code < 0 else f'exit code {code}'})"
        if code == 1 and self.time_limit is not None:
            reason += f", or held on past the limit of {self.time_limit:g} s"
        return reason

    def _failed(self, key: CellKey, reason: str) -> str:
        """The line of a cell that its process couldn't measure."""
        workshop = Workshop(
            self.matrix, TokenCounter(self.matrix.encoding, self.known), None, hard=False
        )
        return encode_cell(workshop.fail(key, reason))

    def dismiss(self) -> None:
        """Let the process leave, if nothing keeps it."""
        self._pipe.close()

    def end(self) -> None:
        """Wait for the process to leave, then make it."""
        self._pipe.close()
        self._process.join(LEAVE_SECONDS)
        self._process.kill()
        if self._process.pid is not None and hasattr(os, "killpg"):
            # What foreign code has started or forked there: the worker leads a group of its own.
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._process.close()


@dataclass(frozen=True, slots=True)
class _Broken:
    """A cell that couldn't be measured, because foreign code has broken what measures it."""

    reason: str


def _work(
    pipe: Connection,
    clock: Clock,
    matrix: Matrix,
    known: dict[str, int],
    time_limit: float | None,
) -> None:
    """A worker's life: measures what it is given until nothing more comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    if hasattr(os, "setsid"):
        os.setsid()
    # What foreign code prints goes where errors go: the table may be piped into a file.
    os.dup2(2, 1)
    show_on(clock)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    workshop = Workshop(matrix, TokenCounter(matrix.encoding, known), time_limit, hard=True)
    while True:
        try:
            key = pipe.recv()
        except (EOFError, OSError):
            return
        answer: str | ConfigurationError | _Broken
        try:
            answer = encode_cell(workshop.measure(key))
        except ConfigurationError as error:
            answer = error
        except Exception as error:  # noqa: BLE001  # our own code fails only where it was tampered with
            answer = _Broken(reason_of(error))
        try:
            pipe.send(answer)
        except OSError:
            return


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the block is left, and a process started in it never gets one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting the tracker lets interrupts through again; one that runs is left alone.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"


def _end_with_parent() -> None:
    """End this process when its parent is gone, in the midst of a cell too."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
