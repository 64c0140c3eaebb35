"""Charts into a folder: an image for slides and one for pages, light and dark, and the data."""

from __future__ import annotations

import csv
import io
import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from compaction_eval.eval.writing import replace_file
from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.fonts import missing_glyphs
from compaction_eval.reports.charts.rendering import render
from compaction_eval.reports.charts.theme import THEMES
from compaction_eval.reports.results import csv_cell

_waiting: Sequence[tuple[Path, Callable[[], bytes]]] = ()
"""What the processes of a pool are to write: charts hold functions, which no pipe carries."""


def write_charts(folder: Path, charts: Sequence[Chart], *, jobs: int = 1) -> list[Path]:
    """Write each chart as `NAME.png`, `NAME.svg`, both again as `NAME-dark.…`, and `NAME.csv`.

    `jobs` processes draw at once, where that is safe. Returns the files in order; OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [file for chart in charts for file in _files(folder, chart)]
    if jobs > 1 and sys.platform == "linux" and threading.active_count() == 1:
        _write_all(files, jobs)
    else:
        for path, make in files:
            replace_file(path, make())
    return [path for path, _ in files]


def glyph_note(charts: Sequence[Chart]) -> str | None:
    """A line about characters that are drawn as boxes here, and what mends it; None without any."""
    texts = [text for chart in charts for text in (chart.title, chart.note)]
    texts += [
        value for chart in charts for row in chart.data for value in row if isinstance(value, str)
    ]
    missing = missing_glyphs(texts)
    if not missing:
        return None
    return (
        f"No font on this machine has {len(missing)} of the characters ({missing[:8]}); charts show"
        " boxes there. Install one, such as the package fonts-noto-cjk or fonts-noto-color-emoji"
    )


def as_csv(chart: Chart) -> str:
    """The chart's data, one line for each thing drawn; what wasn't measured is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(chart.columns)
    writer.writerows(map(csv_cell, row) for row in chart.data)
    return text.getvalue()


def _files(folder: Path, chart: Chart) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    for theme in THEMES.values():
        suffix = "" if theme.name == "light" else f"-{theme.name}"
        for image in ("png", "svg"):
            path = folder / f"{chart.name}{suffix}.{image}"
            yield path, lambda theme=theme, image=image: render(chart, theme, image)  # type: ignore[misc]
    yield folder / f"{chart.name}.csv", lambda: as_csv(chart).encode()


def _write_all(files: Sequence[tuple[Path, Callable[[], bytes]]], jobs: int) -> None:
    global _waiting
    _waiting = files
    try:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            for _ in pool.imap_unordered(_write, range(len(files))):
                pass
    finally:
        _waiting = ()


def _write(at: int) -> None:
    path, make = _waiting[at]
    replace_file(path, make())
