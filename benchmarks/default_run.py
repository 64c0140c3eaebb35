"""The default run as a user starts it: a cold process, every strategy, the whole library."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Figure, process_seconds, python


def figures() -> Iterator[Figure]:
    """Wall time of the default run, its run folder included."""
    with tempfile.TemporaryDirectory() as folder:
        runs = iter(range(99))

        def command() -> list[str]:
            return python("run_eval.py", "run", "-q", "--out", str(Path(folder, str(next(runs)))))

        seconds = sorted(process_seconds(command(), runs=1) for _ in range(3))[1]
    yield Figure("the default run from a cold start", seconds, "s", 20)
