"""Timing: medians over several runs, and lines that set a figure beside its bound."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and the bound that it should keep."""

    what: str
    value: float
    unit: str
    bound: float
    at_least: bool = False
    """Whether the bound is a floor rather than a ceiling."""

    @property
    def kept(self) -> bool:
        """Whether the bound holds."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        share = self.value / self.bound
        return (
            f"{'ok ' if self.kept else 'OFF'}  {self.what:<66}{self.value:>12,.2f} {self.unit:<12}"
            f"{sign} {self.bound:<10,g} {share:5.2f} of the bound"
        )


def median_seconds(work: Callable[[], object], runs: int = 3) -> float:
    """Median wall time of some runs of a piece of work, in seconds."""
    return statistics.median(_seconds(work) for _ in range(runs))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def process_seconds(command: Sequence[str], runs: int = 5) -> float:
    """Median wall time of a whole process, in seconds; its output is thrown away."""
    return median_seconds(
        lambda: subprocess.run(command, check=True, capture_output=True, cwd=ROOT), runs
    )


def python(*arguments: str) -> list[str]:
    """A command line for this interpreter."""
    return [sys.executable, *arguments]


def process_mebibytes(command: Sequence[str]) -> float:
    """The largest resident size of a whole process, in MiB; its output is thrown away."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_maxrss / 1024


def peak_mebibytes() -> float:
    """The largest resident size that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
