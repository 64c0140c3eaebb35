"""How long to wait before asking again: exponential back-off with full jitter, or as told.

Full jitter: Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog (2015): a uniform
draw between 0 and the exponential bound, so that many clients don't come back at once.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST, LONGEST = 0.5, 60.0
"""Seconds: the bound of the first wait, which doubles, and that of every wait that nobody asked
for."""


@dataclass(slots=True)
class Waiting:
    """Clock, chance and sleep of a run; tests bring their own."""

    clock: Callable[[], float] = time.monotonic
    """Seconds from any point."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    """The date, which Retry-After may give."""
    chance: Callable[[], float] = random.random
    """From 0 to 1."""
    stopping: threading.Event = field(default_factory=threading.Event)
    sleep: Callable[[float], object] | None = None
    """None: wait for `stopping`."""

    def before(self, retry: int, headers: Mapping[str, str]) -> float:
        """Seconds to wait before a retry, counted from 0."""
        told = self._told(headers)
        if told is None:
            return self.chance() * min(LONGEST, FIRST * 2.0 ** min(retry, 30))
        # A little later than told, and not all at once.
        return max(0.0, told) + self.chance() * FIRST

    def wait(self, seconds: float) -> None:
        """Wait, or until the run is stopped."""
        if self.sleep is not None:
            self.sleep(seconds)
        else:
            self.stopping.wait(seconds)

    def _told(self, headers: Mapping[str, str]) -> float | None:
        """What Retry-After says, in seconds: a number or an HTTP date (RFC 9110, 10.2.3)."""
        for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
            text = headers.get(name, "").strip()
            try:
                number = float(text) * unit
            except ValueError:
                continue
            return number if 0 <= number < float("inf") else None
        try:
            date = parsedate_to_datetime(headers.get("retry-after", ""))
        except (ValueError, TypeError, OverflowError):
            return None
        return (date.replace(tzinfo=date.tzinfo or UTC) - self.now()).total_seconds()
