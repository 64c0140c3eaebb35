"""Questions that got no answer for a reason that may pass: they are asked again."""

from __future__ import annotations

from compaction_eval.eval.models.base import Outcome
from compaction_eval.eval.records import CellRecord, ProbeRecord

FINAL: tuple[Outcome, ...] = (
    "answered",
    "tool-calls",
    "cut",
    "empty",
    "filtered",
    "context-length",
    "refused",
)
"""How a request ends that would end alike another time."""


def is_unanswered(probe: ProbeRecord) -> bool:
    """Whether the same question may well be answered another time."""
    answer = probe.answer
    return answer is not None and answer.verdict == "error" and answer.outcome not in FINAL


def is_open(cell: CellRecord) -> bool:
    """Whether a cell has such a question."""
    return any(map(is_unanswered, cell.probes))
