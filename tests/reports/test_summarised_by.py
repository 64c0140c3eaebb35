"""Whose summaries the figures rest on."""

from __future__ import annotations

from collections.abc import Callable

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.summarised_by import summarised_by

Row = Callable[..., SummaryRow]


def manifest(*labels: str, live: bool = False) -> dict[str, object]:
    return {"summarizers": [{"label": one, "spec": one, "live": live} for one in labels]}


def test_the_offline_rule_is_told_to_be_no_forecast_of_a_model(row: Row) -> None:
    (line,) = summarised_by(
        manifest("extractive(limit=300)"), [asked(row, "extractive(limit=300)")]
    )
    assert line.startswith("Summaries by 'extractive(limit=300)', an offline rule that copies")
    assert line.endswith("no forecast of what a model's summaries would keep.")


def test_what_was_never_asked_for_a_summary_is_not_named(row: Row) -> None:
    rows = [asked(row, "oracle"), row("block-truncation", summarizer="extractive")]
    (line,) = summarised_by(manifest("extractive", "oracle"), rows)
    assert "by the answer key" in line
    assert summarised_by(manifest("extractive"), rows[1:]) == []
    assert summarised_by({}, rows) == []


def test_a_model_and_a_summariser_of_ones_own_are_called_that(row: Row) -> None:
    rows = [asked(row, "openai:mini"), asked(row, "./mine.py:\x1bshort")]
    assert summarised_by(manifest("openai:mini", live=True), rows) == [
        "Summaries by 'openai:mini', a model."
    ]
    assert summarised_by(manifest("./mine.py:\x1bshort"), rows) == [
        "Summaries by './mine.py:\\x1bshort', a summariser of your own."
    ]


def asked(row: Row, summarizer: str) -> SummaryRow:
    return row("rolling-summary", summarizer=summarizer, summary_calls=4)
