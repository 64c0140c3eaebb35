"""Shares as a table of shades, each with its figure written in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import NOTE_SIZE, TEXT_SIZE
from compaction_eval.reports.charts.theme import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def paint_heat(
    figure: Figure,
    theme: Theme,
    down: Sequence[str],
    along: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    *,
    across: str,
    beside: str = "",
    box: tuple[float, float, float, float] = (0.2, 0.13, 0.77, 0.7),
) -> None:
    """One row for each of `down`; a share that nobody measured is left blank with a dash."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    ax = figure.add_axes(box)
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
                color=_ink(theme, share),
            )
    ax.set_xlim(0, max(len(along), 1))
    ax.set_ylim(max(len(down), 1), 0)
    ax.set_xticks([at + 0.5 for at in range(len(along))], [_folded(name) for name in along])
    ax.set_yticks([at + 0.5 for at in range(len(down))], list(down))
    ax.tick_params(length=0, colors=theme.ink, labelsize=NOTE_SIZE)
    ax.set_xlabel(f"{across} (figures in per cent)", fontsize=TEXT_SIZE, color=theme.ink)
    ax.set_ylabel(beside, fontsize=TEXT_SIZE, color=theme.ink)
    ax.set_facecolor(theme.background)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _ink(theme: Theme, share: float | None) -> str:
    """Writing that can be read on the shade."""
    if share is None:
        return theme.muted
    return theme.ink if share < 0.55 else theme.background


def _folded(name: str) -> str:
    """`tool-argument` in two lines."""
    first, hyphen, rest = name.partition("-")
    return f"{first}-\n{rest}" if hyphen else name
