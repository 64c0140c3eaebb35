"""Whose summaries the figures rest on, in a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.printable import one_line
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec

ABOUT: Mapping[str, str] = {
    "extractive": "an offline rule that copies the sentences richest in names, numbers and"
    " decisions; no forecast of what a model's summaries would keep",
    "oracle": "which copies every fact that is asked for, by the answer key; what is lost then, the"
    " strategies' selection lost",
    "scripted": "answers prepared beforehand",
    "faulty": "which fails on purpose",
}
"""What a summariser is, by its registered name."""


def summarised_by(manifest: Mapping[str, Any], rows: Sequence[SummaryRow]) -> list[str]:
    """A line for each summariser that was asked for a summary."""
    asked = {row.summarizer for row in rows if row.summary_calls}
    return [
        f"Summaries by '{one_line(one['label'])}', {_about(one)}."
        for one in manifest.get("summarizers", ())
        if one["label"] in asked
    ]


def _about(described: Mapping[str, Any]) -> str:
    if described.get("live"):
        return "a model"
    try:
        use = parse_spec(str(described.get("spec", described["label"]))).use
    except ConfigurationError:
        use = ""
    return ABOUT.get(use, "a summariser of your own")
