"""The files that `run -o FILE` writes, by suffix: results, and the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compaction_eval.commands.charting import PAGE, Drawing, check_drawing
from compaction_eval.commands.unwritten import noting
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page import DEFAULT_SIZE
from compaction_eval.reports.results import WRITERS, Results, check_output, write_results
from compaction_eval.strategies.paths import path_text

SUFFIXES = (*WRITERS, PAGE)


@dataclass(slots=True)
class Written:
    """What came of it."""

    unwritten: dict[Path, str] = field(default_factory=dict)
    """Of files that can't be written, the reason in a line."""
    notes: list[str] = field(default_factory=list)
    """What isn't on the page, and why."""


def check_result_file(path: Path) -> None:
    """Raise ConfigurationError where the file can't be written, before anything is measured."""
    check_output(path, SUFFIXES)
    if path.suffix.lower() == PAGE:
        check_drawing(path_text(path))


def write_result_files(
    paths: Sequence[Path], run: Run, rows: Sequence[SummaryRow], marks: Marks
) -> Written:
    """Write each file in its suffix's format; one that can't be written stops no other."""
    written = Written()
    results = Results(run.manifest, rows, run.cells, marks)
    drawing = Drawing(run, rows, marks, DEFAULT_SIZE)
    for path in paths:
        with noting(path, written.unwritten):
            if path.suffix.lower() == PAGE:
                written.notes += drawing.write_page(path)
            else:
                write_results(path, results)
    return written
