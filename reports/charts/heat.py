"""Shares as a table of shades, each with its figure written in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import FOOT, NOTE_SIZE, TEXT_SIZE, box, points_wide, room
from compaction_eval.reports.charts.theme import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Box = tuple[float, float, float, float]
"""Left, bottom, width and height in shares of the figure."""
WIDEST = 1.5
"""Inches that a cell may be wide."""
ROW = 0.24
"""Inches that a row needs."""

LEFT = 0.03
"""Share of the width left free beside the outermost writing."""


def heat_box(figure: Figure, down: Sequence[str], columns: int) -> Box:
    """The place of a table of shades with such names beside it, no cell wider than it need be."""
    beside = room(figure, down, NOTE_SIZE)
    wide = min(1 - beside - LEFT, columns * WIDEST / figure.get_figwidth())
    return box(figure, beside, 1 - beside - wide, foot=FOOT + 0.3)


def paint_heat(
    figure: Figure,
    theme: Theme,
    down: Sequence[str],
    along: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    *,
    across: str,
    place: Box,
    beside: str = "",
) -> None:
    """One row for each of `down`; a share that nobody measured is left blank with a dash."""
    from matplotlib.colors import LinearSegmentedColormap, to_hex
    from matplotlib.patches import Rectangle

    ax = figure.add_axes(place)
    ramp = LinearSegmentedColormap.from_list("share", theme.ramp)
    for y, row in enumerate(shares):
        for x, share in enumerate(row):
            shade = theme.background if share is None else ramp(share)
            ax.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, facecolor=shade))
            ax.text(
                x + 0.5,
                y + 0.5,
                "–" if share is None else f"{100 * share:.0f}",
                ha="center",
                va="center",
                fontsize=NOTE_SIZE,
                color=theme.muted if share is None else theme.ink_on(to_hex(shade)),
            )
    ax.set_xlim(0, max(len(along), 1))
    ax.set_ylim(max(len(down), 1), 0)
    ax.set_xticks([at + 0.5 for at in range(len(along))], [_folded(name) for name in along])
    ax.set_yticks([at + 0.5 for at in range(len(down))], list(down))
    ax.tick_params(length=0, colors=theme.ink, labelsize=NOTE_SIZE)
    if not _fit(figure, along, place):
        ax.set_xticklabels(list(along), rotation=30, ha="right", rotation_mode="anchor")
    ax.set_xlabel(f"{across} (figures in per cent)", fontsize=TEXT_SIZE, color=theme.ink)
    ax.set_ylabel(beside, fontsize=TEXT_SIZE, color=theme.ink)
    ax.set_facecolor(theme.background)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _fit(figure: Figure, along: Sequence[str], place: Box) -> bool:
    """Whether no name is wider than its column."""
    lines = [line for name in along for line in _folded(name).split("\n")]
    column = place[2] * figure.get_figwidth() * 72 / max(len(along), 1)
    return all(points_wide(line, NOTE_SIZE) <= column for line in lines)


def _folded(name: str) -> str:
    """`tool-argument` in two lines."""
    first, hyphen, rest = name.partition("-")
    return f"{first}-\n{rest}" if hyphen else name
