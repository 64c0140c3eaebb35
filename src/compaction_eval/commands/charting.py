"""What `report --out DIR` and `report -o page.html` write: charts with their data, and the page."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from compaction_eval.commands.written_files import tidied
from compaction_eval.eval.manifest import run_id
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.eval.writing import check_folder
from compaction_eval.reports.columns import merged
from compaction_eval.reports.difficulty_files import Report, write_report
from compaction_eval.reports.figures import plural
from compaction_eval.reports.joined_words import run_of
from compaction_eval.reports.marks import Marks
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from compaction_eval.eval.cost.figures import Costs
    from compaction_eval.reports.charts.chart import Chart, Material

PAGE = ".html"
PAGE_NAME = f"page{PAGE}"
NEEDED = ("matplotlib", "jinja2")


def check_drawing(option: str) -> None:
    """Raise ConfigurationError where what draws charts and pages isn't installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigurationError(
            f"{option}: charts and the page are made with {' and '.join(NEEDED)}; not installed:"
            f" {', '.join(missing)}; pip install 'compaction-eval[reports]'"
        )


def check_charting(folder: Path) -> None:
    """Raise ConfigurationError where charts can't be drawn, or can't be put into that folder."""
    check_drawing("--out")
    check_folder(folder)


@contextmanager
def _run_left_alone() -> Iterator[None]:
    """A large run isn't searched for garbage again and again, which would take a fifth of the time.

    Nor is it copied by the processes that draw and pack, since a search writes to what it visits.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@dataclass(slots=True)
class Drawing:
    """The charts of a run; each is drawn once, however many files want it."""

    run: Run
    rows: Sequence[SummaryRow]
    marks: Marks
    most: float
    """Megabytes of a page."""
    costs: Costs | None = None
    _charts: list[Chart] | None = None
    _images: dict[tuple[str, str], bytes] = field(default_factory=dict)

    def write_folder(self, folder: Path, report: Report) -> list[str]:
        """Write everything, and return lines that say what is there. Raises OSError."""
        from compaction_eval.reports.charts.theme import THEMES
        from compaction_eval.reports.charts.writing import glyph_note, write_charts

        with _run_left_alone():
            charts = self._drawable()
            files = write_charts(
                folder,
                charts,
                run=run_id(self.run.manifest),
                runs=self._runs(),
                jobs=os.cpu_count() or 1,
            )
        for chart in charts:
            for theme in THEMES:
                suffix = "" if theme == "light" else f"-{theme}"
                file = folder / f"{chart.name}{suffix}.svg"
                self._images[chart.name, theme] = file.read_bytes()
        tables = [write_report(folder / name, report) for name in ("report.md", "report.csv")]
        notes = self.write_page(folder / PAGE_NAME)
        names = ", ".join([PAGE_NAME, *(path.name for paths in tables for path in paths)])
        there = f"{names} and {plural(len(charts), 'chart')}"
        lines = [f"Written: {path_text(folder)}{os.sep}: {there}"]
        lines += [f"  {chart.name}: {chart.title}" for chart in charts]
        note = glyph_note(charts)
        page = folder / PAGE_NAME
        left = tidied(folder, [*files, page, *(path for paths in tables for path in paths)])
        return [*lines, *left, *notes, *([note] if note else [])]

    def write_page(self, path: Path) -> list[str]:
        """Write the page, and return lines that say what isn't on it. Raises OSError."""
        from compaction_eval.eval.recovery import recovered
        from compaction_eval.eval.writing import replace_file
        from compaction_eval.reports.page.assembling import assemble
        from compaction_eval.reports.page.pictures import drawn

        with _run_left_alone():
            charts = self._drawable()
            if not self._images:
                self._images = drawn(charts, jobs=os.cpu_count() or 1)
            found = recovered(self.run.manifest)
            page = assemble(self._material(), found, charts, self._images, most=self.most)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, page.data)
        return [*page.notes]

    def _runs(self) -> dict[tuple[object, ...], str]:
        """The runs that each row of the charts was measured in."""
        from compaction_eval.reports.charts.naming import full_name

        rows = merged(self.rows)
        return {(full_name(row, rows), row.budget): run_of(self.run.manifest, row) for row in rows}

    def _drawable(self) -> list[Chart]:
        from compaction_eval.reports.charts.all_charts import charts_of

        if self._charts is None:
            self._charts = charts_of(self._material())
        return self._charts

    def _material(self) -> Material:
        from compaction_eval.reports.charts.chart import Material

        manifest = self.run.manifest
        return Material(
            run_id(manifest), manifest, self.rows, self.run.cells, self.marks, self.costs
        )
