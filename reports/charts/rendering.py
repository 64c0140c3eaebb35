"""Charts as files: PNG and SVG, light and dark, the same bytes for the same run."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from rich.cells import cell_len

from compaction_eval.reports.charts.canvas import NOTE_SIZE, TEXT_SIZE, TITLE_LINES, TITLE_SIZE
from compaction_eval.reports.charts.chart import Chart
from compaction_eval.reports.charts.fonts import families
from compaction_eval.reports.charts.theme import Theme
from compaction_eval.reports.printable import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ImageFormat = Literal["png", "svg"]
IMAGES: tuple[ImageFormat, ...] = get_args(ImageFormat)
DPI = 160
_COLUMNS_PER_INCH = 7.2
"""Latin letters of a title to an inch."""


def render(chart: Chart, theme: Theme, image: ImageFormat) -> bytes:
    """The chart as an image file."""
    return renderings(chart, theme, (image,))[image]


def renderings(
    chart: Chart, theme: Theme, images: Sequence[ImageFormat] = IMAGES
) -> dict[ImageFormat, bytes]:
    """The chart, drawn once, as image files; one more costs half of what the first did."""
    from matplotlib import rc_context

    found: dict[ImageFormat, bytes] = {}
    with rc_context(_settings(theme)), warnings.catch_warnings():
        # Told once for all charts, with what mends it.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        figure = draw(chart, theme)
        for image in images:
            file = io.BytesIO()
            # No clock and no version in the file.
            said = {"Date": None, "Creator": None} if image == "svg" else {"Software": None}
            figure.savefig(
                file, format=image, dpi=DPI, metadata={"Title": one_line(chart.title), **said}
            )
            found[image] = file.getvalue()
    return found


def draw(chart: Chart, theme: Theme) -> Figure:
    """The chart as a figure, for whoever wants to look at what is on it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=chart.size, facecolor=theme.background)
    lines = wrapped(one_line(chart.title), int(chart.size[0] * _COLUMNS_PER_INCH), TITLE_LINES)
    figure.text(
        0.03,
        0.97,
        "\n".join(lines),
        fontsize=TITLE_SIZE,
        fontweight="bold",
        color=theme.ink,
        va="top",
        linespacing=1.15,
    )
    figure.text(0.03, 0.02, one_line(chart.note), fontsize=NOTE_SIZE, color=theme.muted)
    chart.paint(figure, theme)
    return figure


def _settings(theme: Theme) -> Any:
    return {
        "font.family": list(families()),
        "font.size": TEXT_SIZE,
        "text.color": theme.ink,
        "axes.labelcolor": theme.ink,
        # Names are anyone's text: a dollar sign in one is no formula.
        "text.parse_math": False,
        "axes.unicode_minus": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "compaction-eval",
    }


def wrapped(text: str, columns: int, most: int) -> Sequence[str]:
    """The text in at most `most` lines of so many terminal columns; an ellipsis where it's longer.

    Broken between words, or anywhere in a word that is wider than a line.
    """
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if cell_len(joined) <= columns:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for char in word:
            if cell_len(lines[-1] + char) > columns:
                lines.append("")
            lines[-1] += char
    if len(lines) > most:
        lines = lines[:most]
        lines[-1] = lines[-1][: columns - 1].rstrip() + "…"
    return lines
