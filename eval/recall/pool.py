"""Threads that a run's questions share. They end with the process, whatever a model still does."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class Pool(Generic[T]):
    """Runs tasks in the order given, so many at once; each result goes to `finished`.

    After a task that raises, those that haven't started are dropped: `error` has what it raised,
    and a None in `finished` tells. Threads are started as they're needed.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting: deque[Callable[[], T]] = deque()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0
        self._stopping = False
        self.finished: SimpleQueue[T | None] = SimpleQueue()
        self.error: BaseException | None = None

    @property
    def waiting(self) -> int:
        """Tasks that haven't started."""
        return len(self._waiting)

    def submit(self, task: Callable[[], T]) -> None:
        """Have a task done; nothing where the pool has been stopped."""
        with self._changed:
            if self._stopping:
                return
            self._waiting.append(task)
            if self._idle < len(self._waiting) and self._threads < self._size:
                self._threads += 1
                # A daemon: an interrupted run must not wait for a server that hangs.
                threading.Thread(target=self._work, name="asking", daemon=True).start()
            self._changed.notify()

    def stop(self) -> None:
        """Start no more tasks."""
        with self._changed:
            self._stopping = True
            self._waiting.clear()
            self._changed.notify_all()

    def wait(self) -> None:
        """Until those that had started have ended, after `stop`."""
        with self._changed:
            while self._threads:
                self._changed.wait()

    def _work(self) -> None:
        try:
            while (task := self._next()) is not None:
                try:
                    self.finished.put(task())
                except BaseException as error:  # noqa: BLE001  # told where the run is
                    self.error = self.error or error
                    self.stop()
                    self.finished.put(None)
        finally:
            with self._changed:
                self._threads -= 1
                self._changed.notify_all()

    def _next(self) -> Callable[[], T] | None:
        with self._changed:
            self._idle += 1
            while not self._waiting and not self._stopping:
                self._changed.wait()
            self._idle -= 1
            return self._waiting.popleft() if self._waiting else None
