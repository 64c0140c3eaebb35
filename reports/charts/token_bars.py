"""Bars of tokens: what each part of a row took of the full history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.canvas import (
    HEAD,
    NOTE_SIZE,
    box,
    dress,
    legend,
    room,
)
from compaction_eval.reports.charts.heat import LEFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme


@dataclass(frozen=True, slots=True)
class Flow:
    """One row's tokens; the first four add up to the full history's."""

    name: str
    kept: int
    """Sent: everything but summaries, tool schemas included."""
    carried: int
    """Sent: summaries."""
    summarizing: int
    """The summariser's input and output."""
    saved: int
    """What remains of the full history: the net saving, below 0 where more was paid."""
    full: int

    def parts(self) -> tuple[float, ...]:
        """The four as shares of the full history."""
        return tuple(
            part / self.full for part in (self.kept, self.carried, self.summarizing, self.saved)
        )


def paint_flows(figure: Figure, theme: Theme, flows: Sequence[Flow]) -> None:
    from matplotlib.ticker import PercentFormatter

    left = room(figure, (flow.name for flow in flows), NOTE_SIZE)
    ax = figure.add_axes(box(figure, left, LEFT + 0.01, head=HEAD + 0.35))
    dress(ax, theme)
    ax.grid(visible=False, axis="y")
    ax.grid(axis="x", color=theme.grid, linewidth=1)
    shades = (theme.hues[0], theme.hues[3], theme.bad, theme.grid)
    names = ("history kept", "summaries carried", "the summariser's own", "saved, net")
    for y, flow in enumerate(flows):
        start = 0.0
        for part, (width, colour) in enumerate(zip(flow.parts(), shades, strict=True)):
            if width < 0:
                ax.barh(y + 0.4, -width, left=start + width, height=0.1, color=theme.ink)
                continue
            ax.barh(
                y,
                width,
                left=start,
                height=0.72,
                color=colour,
                edgecolor=theme.background,
                linewidth=0.8,
                label=names[part] if not y else None,
            )
            if width >= 0.045:
                ax.text(
                    start + width / 2,
                    y,
                    f"{100 * width:.0f}",
                    ha="center",
                    va="center",
                    color=theme.ink_on(colour),
                    fontsize=NOTE_SIZE,
                )
            start += width
    ax.axvline(1.0, color=theme.muted, linewidth=1)
    ax.set_ylim(len(flows) - 0.4, -0.6)
    ax.set_yticks(range(len(flows)), [flow.name for flow in flows])
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set_xlabel("share of the tokens that the full history would have cost")
    ax.tick_params(axis="y", labelsize=NOTE_SIZE)
    signs = [("■", colour, name) for name, colour in zip(names, shades, strict=True)]
    if any(flow.saved < 0 for flow in flows):
        signs.append(("■", theme.ink, "paid beyond the full history"))
    legend(figure, theme, left, signs)
