"""The sheet that charts are drawn on: title, note, and panels in one look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.theme import Theme
from compaction_eval.reports.charts.wrapping import wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE_SIZE = 15.0
"""Points; on a slide that is as wide as the chart."""
TEXT_SIZE = 11.0
NOTE_SIZE = 10.0
"""The smallest writing; on a screen of 720 pixels it is 10 pixels high."""
WIDTH = 9.6
"""Inches of a chart."""
TITLE_LINES = 3
NOTE_LINES = 4
HEAD = 1.02
"""Inches at the top that belong to the title, whatever the chart's height."""
FOOT = 1.4
"""Inches at the bottom for the axis and the note."""


def points_wide(text: str, size: float, weight: str = "normal") -> float:
    """How wide a text is in points, in the fonts that are set now."""
    from matplotlib import rcParams

    return _points_wide(text, size, weight, tuple(rcParams["font.family"]))


@lru_cache(maxsize=8192)
def _points_wide(text: str, size: float, weight: str, families: tuple[str, ...]) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=families, size=size, weight=weight)
    width, *_ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)


def room(figure: Figure, names: Iterable[str], size: float, most: float = 0.6) -> float:
    """The share of a figure's width that names need beside a panel, a gap on each side included."""
    widest = max((points_wide(name, size) for name in names), default=0.0)
    return min((widest / 72 + 0.35) / figure.get_figwidth(), most)


def tall(lines: int, each: float, least: float = 6.0) -> float:
    """A chart's height in inches, so that so many lines of so many inches fit into it."""
    return max(least, HEAD + FOOT + lines * each)


def box(
    figure: Figure, left: float, right: float, *, head: float = HEAD, foot: float = FOOT
) -> tuple[float, float, float, float]:
    """The place of a panel in shares of the figure: margins at the sides are shares, others inches.

    As matplotlib wants it: left, bottom, width, height.
    """
    height = figure.get_figheight()
    return left, foot / height, 1 - left - right, 1 - (head + foot) / height


def panels(
    figure: Figure,
    theme: Theme,
    titles: Sequence[str],
    *,
    right: float = 0.16,
    left: float = 0.08,
    between: float = 0.04,
    share_y: bool = True,
) -> list[Axes]:
    """Panels side by side, each under its title; `right` is the share left free for names."""
    number = len(titles)
    start, bottom, whole, height = box(figure, left, right, head=HEAD + 0.3 * any(titles))
    width = (whole - between * (number - 1)) / number
    axes: list[Axes] = []
    for at, title in enumerate(titles):
        place = (start + at * (width + between), bottom, width, height)
        ax = figure.add_axes(place, sharey=axes[0] if axes and share_y else None)
        dress(ax, theme)
        if title:
            wide = (width + 0.8 * between) * figure.get_figwidth() * 72
            fits = points_wide(title, TEXT_SIZE) <= wide
            size = TEXT_SIZE if fits else NOTE_SIZE
            lines = wrapped(title, wide, 2, partial(points_wide, size=size))
            ax.set_title("\n".join(lines), loc="left", fontsize=size, color=theme.ink, pad=6)
        if at and share_y:
            ax.tick_params(labelleft=False)
        axes.append(ax)
    return axes


def dress(ax: Axes, theme: Theme) -> None:
    """A panel without a frame, with quiet grid lines behind everything."""
    ax.set_facecolor(theme.background)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(theme.muted)
    ax.grid(axis="y", color=theme.grid, linewidth=1)
    ax.set_axisbelow(True)
    ax.tick_params(colors=theme.ink, labelsize=TEXT_SIZE - 0.5, length=0)
    ax.xaxis.label.set(color=theme.ink, fontsize=TEXT_SIZE)
    ax.yaxis.label.set(color=theme.ink, fontsize=TEXT_SIZE)


def legend(
    figure: Figure, theme: Theme, left: float, entries: Iterable[tuple[str, str, str]]
) -> None:
    """Signs, their colours and what they mean, in a line below the title, for parts of bars."""
    entries = list(entries)
    wide = sum(0.018 + room(figure, [meaning], NOTE_SIZE) for *_, meaning in entries)
    x, y = max(0.03, min(left, 1 - wide)), 1 - (HEAD + 0.2) / figure.get_figheight()
    for sign, colour, meaning in entries:
        figure.text(x, y, sign, color=colour, fontsize=TEXT_SIZE)
        figure.text(x + 0.018, y, meaning, color=theme.ink, fontsize=TEXT_SIZE)
        x += 0.018 + room(figure, [meaning], NOTE_SIZE)


def percent_axis(ax: Axes) -> None:
    """Shares from 0 to 1 written as per cent, with room for what lies on the edge."""
    from matplotlib.ticker import PercentFormatter

    ax.set_ylim(-0.03, 1.03)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def token_axis(ax: Axes, label: str) -> None:
    """Tokens with thousands separated."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ax.set_xlabel(label)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
