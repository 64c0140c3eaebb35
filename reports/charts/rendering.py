"""Charts as files: PNG and SVG, light and dark, the same bytes for the same run."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from compaction_eval.reports.charts.canvas import (
    NOTE_LINES,
    NOTE_SIZE,
    TEXT_SIZE,
    TITLE_LINES,
    TITLE_SIZE,
    points_wide,
)
from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.fonts import LATIN, families, missing_glyphs
from compaction_eval.reports.charts.theme import Theme
from compaction_eval.reports.charts.wrapping import wrapped
from compaction_eval.reports.printable import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ImageFormat = Literal["png", "svg"]
IMAGES: tuple[ImageFormat, ...] = get_args(ImageFormat)
DPI = 160
PACKING = 4
"""How hard PNG files are packed, 0 to 9: half the time of the usual 6, a few per cent larger."""
MOST_TOLD = 8
"""Characters without a font that are named; the others are counted."""
_EDGE = 0.18
"""Inches between the edge and what is written along it."""


def render(chart: Chart, theme: Theme, image: ImageFormat) -> bytes:
    """The chart as an image file."""
    return renderings(chart, theme, (image,))[image]


def renderings(
    chart: Chart, theme: Theme, images: Sequence[ImageFormat] = IMAGES
) -> dict[ImageFormat, bytes]:
    """The chart, drawn once, as image files; one more costs half of what the first did."""
    found: dict[ImageFormat, bytes] = {}
    with set_up(chart, theme):
        figure = draw(chart, theme)
        for image in images:
            file = io.BytesIO()
            # No clock and no version in the file.
            said = {"Date": None, "Creator": None} if image == "svg" else {"Software": None}
            metadata = {"Title": one_line(chart.title), **said}
            packing: dict[str, Any] = (
                {"pil_kwargs": {"compress_level": PACKING}} if image == "png" else {}
            )
            figure.savefig(file, format=image, dpi=DPI, metadata=metadata, **packing)
            found[image] = file.getvalue()
    return found


def draw(chart: Chart, theme: Theme) -> Figure:
    """The chart as a figure, for whoever wants to look at what is on it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=chart.size, facecolor=theme.background)
    width, height = chart.size
    room = 0.94 * width * 72
    bold = partial(points_wide, size=TITLE_SIZE, weight="bold")
    plain = partial(points_wide, size=NOTE_SIZE)
    figure.text(
        0.03,
        1 - _EDGE / height,
        "\n".join(wrapped(one_line(chart.title), room, TITLE_LINES, bold)),
        fontsize=TITLE_SIZE,
        fontweight="bold",
        color=theme.ink,
        va="top",
        linespacing=1.15,
    )
    figure.text(
        0.03,
        0.7 * _EDGE / height,
        "\n".join(wrapped(one_line(_note(chart)), room, NOTE_LINES, plain)),
        fontsize=NOTE_SIZE,
        color=theme.muted,
        va="bottom",
    )
    chart.paint(figure, theme)
    return figure


def texts(chart: Chart) -> list[str]:
    """All that may be written on a chart and isn't the same on each."""
    values = (value for row in chart.data for value in row if isinstance(value, str))
    return list(dict.fromkeys((chart.title, chart.note, *values)))


def _note(chart: Chart) -> str:
    """The chart's note, and which characters are boxes in it."""
    missing = missing_glyphs(texts(chart))
    if not missing:
        return chart.note
    more = "…" if len(missing) > MOST_TOLD else ""
    return f"{chart.note} · where this was drawn, no font had {missing[:MOST_TOLD]}{more}"


@contextmanager
def set_up(chart: Chart, theme: Theme) -> Iterator[None]:
    """The drawing library with a chart's fonts and a theme's colours.

    What it says of fonts is left out: the note says it once, and in other words.
    """
    from matplotlib import rc_context

    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), rc_context(_settings(theme, chart)):
            warnings.filterwarnings("ignore", r"(?s).*Glyph .* missing from")
            yield
    finally:
        log.setLevel(level)


def _settings(theme: Theme, chart: Chart) -> Any:
    return {
        # The generic name is for readers of the SVG, whose machine may have other fonts.
        "font.family": [*families("".join(texts(chart))), "sans-serif"],
        "font.sans-serif": [LATIN],
        "font.size": TEXT_SIZE,
        "text.color": theme.ink,
        "axes.labelcolor": theme.ink,
        # Names are anyone's text: a dollar sign in one is no formula.
        "text.parse_math": False,
        "axes.unicode_minus": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "compaction-eval",
    }
