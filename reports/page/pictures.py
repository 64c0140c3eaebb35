"""The charts on the page: drawn for light and dark, and as pictures of their own within it.

A picture brought in as data can't run anything, load anything, or share an id with another one.
"""

from __future__ import annotations

import base64
import multiprocessing
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.rendering import render
from compaction_eval.reports.charts.theme import THEMES
from compaction_eval.reports.page.text import shown

MOST_LINES = 200
"""Lines of a chart's data that the page holds; the file beside a chart has all."""
_INCH = 96
"""Pixels of a page."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart on the page."""

    name: str
    title: str
    note: str
    light: str
    """Addresses that hold the picture itself."""
    dark: str
    width: int
    height: int
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    lines_left_out: int


_waiting: Sequence[tuple[Chart, str]] = ()
"""What the processes of a pool are to draw: charts hold functions, which no pipe carries."""


def drawn(charts: Sequence[Chart], *, jobs: int = 1) -> dict[tuple[str, str], bytes]:
    """Each chart as SVG, by its name and theme."""
    global _waiting
    work = [(chart, theme) for chart in charts for theme in THEMES]
    if jobs < 2 or sys.platform != "linux" or threading.active_count() > 1:
        images = [_draw(chart, theme) for chart, theme in work]
    else:
        _waiting = work
        try:
            with multiprocessing.get_context("fork").Pool(jobs) as pool:
                images = pool.map(_waited, range(len(work)), chunksize=1)
        finally:
            _waiting = ()
    return {(c.name, theme): image for (c, theme), image in zip(work, images, strict=True)}


def _waited(at: int) -> bytes:
    return _draw(*_waiting[at])


def _draw(chart: Chart, theme: str) -> bytes:
    return render(chart, THEMES["dark" if theme == "dark" else "light"], "svg")


def pictures(
    charts: Sequence[Chart], images: Mapping[tuple[str, str], bytes]
) -> tuple[Picture, ...]:
    """The charts with what stands beside them: words for who can't see them, and their data."""
    return tuple(
        Picture(
            name=chart.name,
            title=shown(chart.title),
            note=shown(chart.note),
            light=_address(images[chart.name, "light"]),
            dark=_address(images[chart.name, "dark"]),
            width=round(chart.size[0] * _INCH),
            height=round(chart.size[1] * _INCH),
            columns=chart.columns,
            lines=tuple(tuple(map(_figure, line)) for line in chart.data[:MOST_LINES]),
            lines_left_out=max(len(chart.data) - MOST_LINES, 0),
        )
        for chart in charts
    )


def _address(image: bytes) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(image).decode()


def _figure(value: str | int | float | None) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "" if value is None else shown(str(value))
