"""What is on a chart, as a test sees it: lines by name, and all that is written."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.text import Text

from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.rendering import draw, set_up
from compaction_eval.reports.charts.theme import THEMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

LIGHT = THEMES["light"]


def axes_of(chart: Chart) -> list[Axes]:
    """A chart's panels."""
    with set_up(chart, LIGHT):
        return draw(chart, LIGHT).axes


def lines_of(chart: Chart) -> dict[str, list[tuple[float, float]]]:
    """The named lines of a chart's panels, as points."""
    found: dict[str, list[tuple[float, float]]] = {}
    for ax in axes_of(chart):
        for line in ax.get_lines():
            name = str(line.get_label())
            if not name.startswith("_"):
                points = zip(line.get_xdata(), line.get_ydata(), strict=True)
                found.setdefault(name, []).extend((float(x), float(y)) for x, y in points)
    return found


def words_of(chart: Chart) -> list[str]:
    """All that is written on a chart."""
    with set_up(chart, LIGHT):
        figure = draw(chart, LIGHT)
    texts = [*figure.texts, *(text for ax in figure.axes for text in ax.texts)]
    labels = [label for ax in figure.axes for label in (ax.get_xlabel(), ax.get_ylabel())]
    return [text.get_text() for text in texts] + labels


def places_of(chart: Chart) -> tuple[Bbox, list[tuple[str, Bbox]]]:
    """The picture's edges, and where each text on it lies, in pixels."""
    drawn: list[Text] = []
    original = Text.draw

    def draw_and_tell(text: Text, renderer: RendererAgg, *rest: object) -> None:
        drawn.append(text)
        original(text, renderer, *rest)

    with set_up(chart, LIGHT), patch.object(Text, "draw", draw_and_tell):
        figure = draw(chart, LIGHT)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        texts = [
            (text.get_text(), Text.get_window_extent(text, renderer))
            for text in drawn
            if text.get_text().strip()
        ]
        return figure.bbox, texts
