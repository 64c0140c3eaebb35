"""A job that is cancelled from outside ends as one that is interrupted: it tidies up first."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

TERMINATED = 128 + signal.SIGTERM


@contextmanager
def tidy_when_cancelled() -> Iterator[None]:
    """While it lasts, SIGTERM raises SystemExit with code 143 instead of ending the process."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may ask for signals
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
