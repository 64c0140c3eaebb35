"""The sheet that charts are drawn on: title, note, and panels in one look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE_SIZE = 15.0
"""Points; on a slide that is as wide as the chart."""
TEXT_SIZE = 10.5
NOTE_SIZE = 9.0
TITLE_LINES = 2
_TOP = 0.83
"""Share of the height below the title."""


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
    gaps = between * (number - 1)
    width = (1 - left - right - gaps) / number
    axes: list[Axes] = []
    for at, title in enumerate(titles):
        box = (left + at * (width + between), 0.165, width, _TOP - 0.165 - 0.05 * bool(title))
        ax = figure.add_axes(box, sharey=axes[0] if axes and share_y else None)
        dress(ax, theme)
        if title:
            ax.set_title(title, loc="left", fontsize=TEXT_SIZE, color=theme.ink, pad=6)
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
