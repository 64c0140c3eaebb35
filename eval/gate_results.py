"""What came of one gate on one row of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.clustering import Clustering
from compaction_eval.eval.gates import Gate
from compaction_eval.eval.statistics import Interval

Judgement = Literal["pass", "fail", "inconclusive"]
Row = tuple[str, str, str]
"""Strategy, budget, summariser."""


@dataclass(frozen=True, slots=True)
class Result:
    """One gate on one row."""

    gate: Gate
    row: Row
    judgement: Judgement
    value: float
    """The figure, in its metric's unit."""
    before: float | None = None
    """The baseline's figure over the same cells, for rules on changes."""
    scenarios: int = 0
    probes: int = 0
    """Verdicts behind the figure; 0 for figures of requests."""
    interval: Interval | None = None
    """Where statistics decide: of the harmful change, or of the bounded share; 90% of it two-sided,
    so 95% to each side."""
    p_harmless: float | None = None
    """Against "the harm is at least what is allowed"."""
    p_harmful: float | None = None
    """Against "the harm is at most what is allowed", adjusted for the number of gates (Holm)."""
    clustering: Clustering | None = None
    why: str = ""
    """Of an open one: what is lacking."""
