"""Faults in what a person wrote: collected, each with its place, and shown one a line.

ConfigurationError      the tree's root: exit code 2, nothing has run
└── FaultsError             one or more faults, each with its place
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.scenarios.records import Place
from compaction_eval.strategies.errors import ConfigurationError, unbroken


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake: where it is, what is wrong, and how to mend it."""

    place: Place
    message: str

    def __str__(self) -> str:
        """One line, whatever names and values it speaks of."""
        return unbroken(f"{self.place}: {self.message}")


class FaultsError(ConfigurationError):
    """All faults that were found, in the order of their places."""

    def __init__(self, faults: Sequence[Fault]):
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))
