"""A time limit for code from outside, which may loop for ever.

The soft limit interrupts Python code; the hard one ends the process, for code that holds the
interpreter (a loop inside a C function) and so is never interrupted. Threads but the main one have
no limit, so foreign code isn't called in any: where a model summarises, conversations with foreign
code in them are replayed one after the other in the main thread, the others in threads.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import FrameType
from typing import Protocol, TextIO

AGAIN_SECONDS = 0.5
"""The interruption is repeated this often, in case `except:` or a destructor swallowed it."""
_active = False
"""Whether the main thread is in a limited block: timer and handler are the process's only ones."""


_clock: Clock | None = None
"""Where a worker shows its parent since when it is in a limited block."""


class Clock(Protocol):
    """A number that two processes share: `time.monotonic()`, or 0 outside of a limited block."""

    value: float


def show_on(clock: Clock) -> None:
    """Show from now on when this process is in a block with a hard limit.

    For a parent that can end it from outside: a stopped process can't even end itself.
    """
    global _clock
    _clock = clock


class TimeLimitExceeded(BaseException):
    """The limit has passed. Not an Exception, so that `except Exception` can't swallow it."""


@contextmanager
def time_limit(seconds: float | None, *, hard: bool = False) -> Iterator[None]:
    """Raise TimeLimitExceeded in the block after so many seconds.

    Within another limit the outer one governs (a strategy from outside that calls a summariser
    from outside). Does nothing for None and outside of the main thread, the only one that handles
    signals; without SIGALRM there is no soft limit. With `hard`, for a worker process alone, the
    process ends with exit code 1 when the block runs for twice the time and a second.
    """
    global _active
    foreign_thread = threading.current_thread() is not threading.main_thread()
    if seconds is None or foreign_thread or _active:
        yield
        return
    _active = True
    if hard and _clock is not None:
        _clock.value = time.monotonic()
    if hard:
        faulthandler.dump_traceback_later(seconds * 2 + 1, exit=True, file=_nowhere())
    try:
        with _alarm(seconds):
            yield
    finally:
        _active = False
        if hard and _clock is not None:
            _clock.value = 0.0
        if hard:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def paused() -> Iterator[None]:
    """Stop the clock of the soft limit around, if there is one, while something of ours waits.

    For a model that is asked in the midst of foreign code: its answer takes as long as it takes.
    """
    if not _active or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    left, every = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, every)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    # Whoever set an alarm before (a test runner's own limit) finds it again, as far as it has run.
    due, every = signal.setitimer(signal.ITIMER_REAL, 0)
    began = time.monotonic()
    previous = signal.signal(signal.SIGALRM, _interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN_SECONDS)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # Again: the alarm may have struck within the line above, before it was switched off.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        if due:
            left = max(due - (time.monotonic() - began), 1e-6)
            signal.setitimer(signal.ITIMER_REAL, left, every)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise TimeLimitExceeded


@lru_cache(maxsize=1)
def _nowhere() -> TextIO:
    """Where the tracebacks go: a user isn't shown any. Open until the process ends."""
    return open(os.devnull, "w", encoding="utf-8")
