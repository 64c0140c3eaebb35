"""Charts into a folder: an image for slides and one for pages, light and dark, and the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from compaction_eval.eval.writing import replace_file
from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.fonts import CJK, debian_package, missing_glyphs
from compaction_eval.reports.charts.rendering import IMAGES, MOST_TOLD, renderings, texts
from compaction_eval.reports.charts.theme import THEMES, Theme
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.forking import mapped

Drawing = tuple[Chart, Theme]
"""What is drawn in one go."""
Row = tuple[object, ...]
"""A row's name as in a chart's data, and its budget."""


def write_charts(
    folder: Path,
    charts: Sequence[Chart],
    *,
    run: str | None = None,
    runs: Mapping[Row, str] = MappingProxyType({}),
    jobs: int = 1,
) -> list[Path]:
    """Write each chart as `NAME.png`, `NAME.svg`, both again as `NAME-dark.…`, and `NAME.csv`.

    The data carry the id of the `run`, where it's given, or that of `runs` for a row. `jobs`
    processes draw at once, where that is safe. Returns the files in order; OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    work = [(folder, (chart, theme)) for chart in charts for theme in THEMES.values()]
    mapped(_write_images, work, jobs=jobs)
    for chart in charts:
        replace_file(folder / f"{chart.name}.csv", as_csv(chart, run, runs).encode())
    return [path for chart in charts for path in _paths(folder, chart)]


def glyph_note(charts: Sequence[Chart]) -> str | None:
    """A line about characters that are drawn as boxes here, and what mends it; None without any."""
    missing = missing_glyphs(text for chart in charts for text in texts(chart))
    if not missing:
        return None
    packages = " ".join(dict.fromkeys(map(debian_package, missing)))
    # What the extra brings has everything but Chinese characters and what goes with them.
    pip = ", or: pip install 'compaction-eval[fonts]'" if packages != CJK else ""
    more = "…" if len(missing) > MOST_TOLD else ""
    return (
        f"No font on this machine has {len(missing)} of the characters ({missing[:MOST_TOLD]}"
        f"{more}): PNG files show boxes there, SVG files and the page only where their reader's"
        f" machine has none either. On Debian and Ubuntu: apt install {packages}; elsewhere put a"
        f" font into ~/.local/share/fonts{pip}"
    )


def as_csv(
    chart: Chart, run: str | None = None, runs: Mapping[Row, str] = MappingProxyType({})
) -> str:
    """The chart's data, one line for each thing drawn; what wasn't measured is empty."""
    if run is None:
        return csv_text(chart.columns, chart.data)
    return csv_text((*chart.columns, "run"), ((*row, runs.get(row[:2], run)) for row in chart.data))


def _paths(folder: Path, chart: Chart) -> Iterator[Path]:
    for theme in THEMES.values():
        for image in IMAGES:
            yield _path(folder, chart, theme, image)
    yield folder / f"{chart.name}.csv"


def _path(folder: Path, chart: Chart, theme: Theme, image: str) -> Path:
    suffix = "" if theme.name == "light" else f"-{theme.name}"
    return folder / f"{chart.name}{suffix}.{image}"


def _write_images(place: tuple[Path, Drawing]) -> None:
    folder, drawing = place
    for image, data in renderings(*drawing).items():
        replace_file(_path(folder, *drawing, image), data)
