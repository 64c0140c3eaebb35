"""Result files for programs and people: `-o FILE`, in the format that the suffix names.

Bytes depend on the records alone: no clock, floats as `repr` writes them, a newline at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from compaction_eval.eval.records import REUSE_KINDS, AnswerRecord, CellRecord, SummaryRow
from compaction_eval.eval.writing import check_folder, replace_file
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.marks import Marks
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.paths import path_text

SCHEMA = "compaction-eval/results/1"


@dataclass(frozen=True, slots=True)
class Results:
    """A finished run, as the writers need it."""

    manifest: Mapping[str, Any]
    rows: Sequence[SummaryRow]
    cells: Sequence[CellRecord]
    marks: Marks


def verdicts(cells: Sequence[CellRecord], rows: Sequence[SummaryRow]) -> Iterator[dict[str, Any]]:
    """One object per verdict, cells in the run's order, probes in the order asked."""
    on_key = {(r.strategy, r.budget, r.summarizer) for r in rows if r.sees_answer_key}
    for cell in cells:
        key = cell.key
        sees_key = (key.strategy, key.budget, key.summarizer) in on_key
        for probe in cell.probes:
            yield {
                "scenario": key.scenario,
                "variant": key.variant,
                "strategy": key.strategy,
                "budget": key.budget,
                "summarizer": key.summarizer,
                "repeat": key.repeat,
                "probe": probe.probe,
                "kind": probe.kind,
                "at": probe.place,
                "position": probe.at,
                "verdict": probe.verdict,
                "share": probe.share,
                "age_tokens": probe.age_tokens,
                "age_messages": probe.age_messages,
                "age_compactions": probe.age_compactions,
                "source": probe.source,
                "source_tokens": probe.source_tokens,
                "request": probe.request,
                "lost_at": probe.lost_at,
                "free": probe.free,
                "own": probe.own,
                "where": probe.where if probe.kind in REUSE_KINDS else None,
                "chance": probe.chance,
                "recoverable": probe.recoverable,
                **_answer(probe.answer),
                "apart": cell.apart,
                "sees_answer_key": sees_key,
            }


def _answer(answer: AnswerRecord | None) -> dict[str, Any]:
    """What a model answered; null where none was asked."""
    if answer is None:
        return dict.fromkeys(("recall", "recalled", "recall_share", "outcome", "answer", "judge"))
    return {
        "recall": answer.verdict,
        "recalled": None if answer.verdict == "error" else answer.right,
        "recall_share": answer.share,
        "outcome": answer.outcome,
        "answer": answer.text,
        "judge": answer.judge,
    }


def as_json(results: Results) -> str:
    """`schema`, `manifest`, `summary` and `probes`."""
    document = {
        "schema": SCHEMA,
        "manifest": dict(results.manifest),
        "summary": [asdict(row) for row in results.rows],
        "probes": list(verdicts(results.cells, results.rows)),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def as_jsonl(results: Results) -> str:
    """One verdict a line."""
    found = verdicts(results.cells, results.rows)
    return "".join(json.dumps(verdict, ensure_ascii=False) + "\n" for verdict in found)


def as_csv(results: Results) -> str:
    """The summary rows under their field names; what was not measured is an empty cell."""
    names = [field.name for field in fields(SummaryRow)]
    return csv_text(names, ([getattr(row, name) for name in names] for row in results.rows))


def as_markdown(results: Results) -> str:
    """The table, the finding and the run's details, for people."""
    from compaction_eval.reports.markdown_page import markdown_page

    return markdown_page(results.manifest, results.rows, results.cells, results.marks)


def as_junit(results: Results) -> str:
    """JUnit XML with a test case for each cell, its figures as properties, for CI."""
    from compaction_eval.reports.run_junit import run_junit

    return run_junit(results)


WRITERS: Mapping[str, Callable[[Results], str]] = {
    ".json": as_json,
    ".jsonl": as_jsonl,
    ".csv": as_csv,
    ".md": as_markdown,
    ".xml": as_junit,
}


def check_output(path: Path, suffixes: Collection[str] = tuple(WRITERS)) -> None:
    """Raise ConfigurationError where no result file can be written, before anything is measured."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        hint = f"{did_you_mean(suffix, suffixes)} (known: {', '.join(suffixes)})"
        raise ConfigurationError(
            f"{path_text(path)}: no result format has the suffix '{suffix}'{hint}"
        )
    if os.path.isdir(path):
        raise ConfigurationError(f"{path_text(path)}: is a folder; name a file")
    try:
        check_folder(path.resolve().parent)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path_text(path)}: {error}") from error


def write_results(path: Path, results: Results) -> None:
    """Write the file in its suffix's format, with its folders where they're missing.

    Raises OSError; then what was there before still is.
    """
    put_text(path, WRITERS[path.suffix.lower()](results))


def put_text(path: Path, text: str) -> None:
    """Write a file at once, with its folders where they're missing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Half a surrogate pair, which real transcripts hold, has no UTF-8; its escape is valid JSON.
    replace_file(path, text.encode("utf-8", errors="backslashreplace"))
