"""Measuring cells whose summaries a model writes: many wait for it at once, in this process.

One thread at a time replays, so nothing that cells share needs a lock of its own; all others wait
for answers. (Replaying takes the interpreter anyway.) Code from outside is called in the main
thread alone, the only one in which it has a time limit: cells with any come last, one by one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice

from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.recall.pool import Pool
from compaction_eval.eval.recall.recalling import Asked
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.summaries.asking import CellAsking, SummaryStopped
from compaction_eval.eval.worker import Workshop
from compaction_eval.strategies.timelimit import paused
from compaction_eval.strategies.tokens import TokenCounter

Line = tuple[CellKey, str]
AHEAD = 2
"""Cells that are begun or ready, for each thread."""


def measured_by_asking(
    matrix: Matrix,
    keys: Sequence[CellKey],
    foreign: Collection[CellKey],
    asked: Asked,
    time_limit: float | None,
) -> Generator[Line]:
    """Each cell's line as it ends; `foreign` are those with code from outside.

    Raises the ModelError that ends the run, after the cells that could still be finished.
    """
    workshop = Workshop(matrix, TokenCounter(matrix.encoding), time_limit, hard=False)
    yield from _in_threads(workshop, [key for key in keys if key not in foreign], asked)
    for key in keys:
        if key in foreign:
            asking = CellAsking(key, asked.summary_model, paused)
            yield key, encode_cell(_measured(workshop, asking))


def _in_threads(workshop: Workshop, keys: Sequence[CellKey], asked: Asked) -> Generator[Line]:
    bench = threading.Lock()
    pool: Pool[Line] = Pool(asked.concurrency)
    try:
        following = iter(keys)
        for key in islice(following, AHEAD * asked.concurrency):
            pool.submit(_task(workshop, key, asked, bench))
        for _ in keys:
            found = pool.finished.get()
            if found is None:
                break
            # One for one, so that lines don't pile up where they're taken more slowly than made.
            for key in islice(following, 1):
                pool.submit(_task(workshop, key, asked, bench))
            yield found
        if pool.error is not None:
            asked.stop()
            pool.wait()
            while not pool.finished.empty():
                late = pool.finished.get()
                if late is not None:
                    yield late
            raise pool.error
    finally:
        pool.stop()


def _task(
    workshop: Workshop, key: CellKey, asked: Asked, bench: threading.Lock
) -> Callable[[], Line]:
    """What a thread does for one cell."""

    def line() -> Line:
        asking = CellAsking(key, asked.summary_model, partial(_away_from, bench))
        with bench:
            return key, encode_cell(_measured(workshop, asking))

    return line


@contextmanager
def _away_from(bench: threading.Lock) -> Iterator[None]:
    """Let another thread replay meanwhile."""
    bench.release()
    try:
        yield
    finally:
        bench.acquire()


def _measured(workshop: Workshop, asking: CellAsking) -> CellRecord:
    """The record of a cell. Raises the ModelError that ended it."""
    record: CellRecord | None = None
    with suppress(SummaryStopped):
        record = workshop.measure(asking.key, asking.models)
    if asking.error is not None:
        raise asking.error
    if record is None or asking.fault is not None:
        return workshop.fail(asking.key, asking.fault or "the summariser was stopped")
    return record
