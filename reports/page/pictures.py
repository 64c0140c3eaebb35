"""The charts on the page: drawn for light and dark, and as pictures of their own within it.

A picture brought in as data can't run anything, load anything, or share an id with another one.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compaction_eval.reports.charts.canvas import HEAD
from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.rendering import render
from compaction_eval.reports.charts.theme import THEMES, Theme
from compaction_eval.reports.forking import mapped
from compaction_eval.reports.page.text import shown

MOST_LINES = 200
"""Lines of a chart's data that the page holds; the file beside a chart has all."""
TITLE = HEAD - 0.12
"""Inches at the top of a chart that hold nothing but its title."""
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
    head: float
    """The share of the width that the title on it is high: it stands above it too on a phone."""
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    lines_left_out: int


def drawn(charts: Sequence[Chart], *, jobs: int = 1) -> dict[tuple[str, str], bytes]:
    """Each chart as SVG, by its name and theme."""
    work = [(chart, theme) for chart in charts for theme in THEMES.values()]
    images = mapped(_draw, work, jobs=jobs)
    return {(c.name, theme.name): image for (c, theme), image in zip(work, images, strict=True)}


def _draw(drawing: tuple[Chart, Theme]) -> bytes:
    return render(*drawing, "svg")


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
            head=round(TITLE / chart.size[0], 4),
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
