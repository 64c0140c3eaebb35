"""Which rows rest on answers of one model, where runs that asked several were put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.joined_words import has_row


def asked_alike(
    row: SummaryRow, rows: Sequence[SummaryRow], manifest: Mapping[str, Any]
) -> Sequence[SummaryRow]:
    """The rows whose questions a model was asked that was asked this row's too; all of one run's.

    Only between such controls the row's recall can be read: another model guesses and remembers
    otherwise.
    """
    parts = manifest.get("joined")
    if parts is None:
        return rows
    models = _models(row, parts)
    return [other for other in rows if not models.isdisjoint(_models(other, parts))]


def _models(row: SummaryRow, parts: Sequence[Mapping[str, Any]]) -> set[str]:
    return {part["model"] for part in parts if "model" in part and has_row(part, row)}
