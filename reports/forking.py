"""Work shared out among processes that are copies of this one, so that no pipe has to carry it.

Charts hold functions, and a run's cells are large: neither is sent, both are there already.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_shared: tuple[Callable[[Any], Any], Sequence[Any]] | None = None
"""What is done to what, while a pool is at it."""


def mapped(function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int) -> list[Result]:
    """The function's result for each item, in order; `jobs` at once where copies are safe.

    That is on Linux, in a process without other threads; elsewhere one after the other, here.
    """
    global _shared
    workers = min(jobs, len(items))
    if workers < 2 or sys.platform != "linux" or threading.active_count() > 1:
        return [function(item) for item in items]
    _shared = (function, items)
    try:
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            return pool.map(_one, range(len(items)), chunksize=1)
    finally:
        _shared = None


def _one(at: int) -> Any:
    assert _shared is not None
    function, items = _shared
    return function(items[at])
