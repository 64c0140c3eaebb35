"""What `report --out DIR` writes: all charts with their data, and the report's own tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from compaction_eval.eval.manifest import run_id
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.eval.writing import check_folder
from compaction_eval.reports.difficulty_files import Report, write_report
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import Marks
from compaction_eval.strategies.errors import ConfigurationError

DRAWING = "matplotlib"


def check_charting(folder: Path) -> None:
    """Raise ConfigurationError where charts can't be drawn, or can't be put into that folder."""
    if find_spec(DRAWING) is None:
        raise ConfigurationError(
            f"--out: charts are drawn by {DRAWING}, which isn't installed:"
            " pip install 'compaction-eval[charts]'"
        )
    check_folder(folder)


def write_folder(
    folder: Path, run: Run, rows: Sequence[SummaryRow], marks: Marks, report: Report
) -> list[str]:
    """Write everything, and return lines that say what is there. Raises OSError."""
    from compaction_eval.reports.charts.all_charts import charts_of
    from compaction_eval.reports.charts.chart import Material
    from compaction_eval.reports.charts.writing import glyph_note, write_charts

    material = Material(run_id(run.manifest), run.manifest, rows, run.cells, marks)
    charts = charts_of(material)
    write_charts(folder, charts, jobs=os.cpu_count() or 1)
    for name in ("report.md", "report.csv"):
        write_report(folder / name, report)
    lines = [f"Written: {folder}{os.sep}: report.md, report.csv and {plural(len(charts), 'chart')}"]
    lines += [f"  {chart.name}: {chart.title}" for chart in charts]
    note = glyph_note(charts)
    return [*lines, *([note] if note else [])]
