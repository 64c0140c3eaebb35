"""Cells on several worker processes: a cell that crashes or hangs takes only itself down."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait

from pebble import ProcessExpired, ProcessPool

from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.records import CellKey
from compaction_eval.eval.worker import Workshop
from compaction_eval.strategies.tokens import TokenCounter

_workshop: Workshop | None = None
"""A worker's own; set once, when its process starts."""


def measure_on(
    workers: int,
    matrix: Matrix,
    keys: Sequence[CellKey],
    known: dict[str, int],
    time_limit: float | None,
) -> Iterator[tuple[CellKey, str]]:
    """Measure cells on that many processes; yields each cell's line as it ends, in any order.

    `known` holds the token counts that the parent has made already. A worker that ends while it
    measures makes an error line of that cell, and another takes its place.
    """
    with ProcessPool(
        max_workers=workers,
        initializer=_start,
        initargs=(matrix, known, time_limit),
        context=multiprocessing.get_context("spawn"),
    ) as pool:
        running: dict[Future[str], CellKey] = {}
        waiting = iter(keys)
        try:
            while True:
                # A short queue only: what is queued in a pool can't be told from what runs.
                while len(running) < 2 * workers and (key := next(waiting, None)) is not None:
                    running[pool.schedule(_measure, args=(key,))] = key
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    key = running.pop(future)
                    yield key, _line(future, key, matrix, known, time_limit)
        finally:
            pool.stop()  # type: ignore[no-untyped-call]  # the library leaves it without types


def _line(
    future: Future[str],
    key: CellKey,
    matrix: Matrix,
    known: dict[str, int],
    time_limit: float | None,
) -> str:
    try:
        return future.result()
    except ProcessExpired as error:
        limit = "" if time_limit is None else f", or held on past the limit of {time_limit:g} s"
        reason = f"ended its process ({_ending(error.exitcode)}){limit}"
    workshop = Workshop(matrix, TokenCounter(matrix.encoding, known), None, hard=False)
    return encode_cell(workshop.fail(key, reason))


def _ending(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def _start(matrix: Matrix, known: dict[str, int], time_limit: float | None) -> None:
    global _workshop  # a worker process has nowhere else to keep it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    _workshop = Workshop(matrix, TokenCounter(matrix.encoding, known), time_limit, hard=True)


def _measure(key: CellKey) -> str:
    assert _workshop is not None
    return encode_cell(_workshop.measure(key))
