"""Names beside lines instead of a legend: moved apart where they would lie on each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE = 1.3
"""Height of a line of text, in heights of the font."""
_BESIDE = 1.02
"""Where names begin, in widths of the panel."""


@dataclass(frozen=True, slots=True)
class LineName:
    """A name, the point where its line ends, and the line's colour."""

    text: str
    x: float
    y: float
    colour: str


def name_lines(ax: Axes, names: Sequence[LineName], *, size: float) -> None:
    """Write names to the right of a panel of shares, each led to the end of its line.

    `size`: of the letters, in points.
    """
    places = spread([one.y for one in names], _gap(ax, size), 0.0, 1.0)
    for one, y in zip(names, places, strict=True):
        ax.annotate(
            one.text,
            xy=(one.x, one.y),
            xytext=(_BESIDE, y),
            textcoords=ax.get_yaxis_transform(),
            fontsize=size,
            color=one.colour,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": one.colour,
                "linewidth": 0.6,
                "alpha": 0.4,
                # From the name's left edge: to cut off what lies under it, or the ends, would take
                # a tenth of the time of a chart.
                "relpos": (-0.015, 0.5),
                "patchA": None,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )


def line_height(size: float) -> float:
    """Inches that a line of text of this size (points) takes."""
    return LINE * size / 72


def _gap(ax: Axes, size: float) -> float:
    """What a name needs, as a share of the panel's scale."""
    low, high = ax.get_ylim()
    return line_height(size) / (ax.bbox.height / ax.figure.dpi) * (high - low)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions as near as may be to the wanted ones, at least `gap` apart, from `low` to `high`.

    In the order given. Where there is no room for all, they stand evenly.
    """
    if not wanted:
        return []
    if gap * (len(wanted) - 1) > high - low:
        gap = (high - low) / max(len(wanted) - 1, 1)
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    # Names that touch make a heap, which lies as near as may be to what its members want.
    heaps: list[list[int]] = []
    centres: list[float] = []
    for at in order:
        heaps.append([at])
        centres.append(_clamped(wanted[at], 0, low, high))
        while len(heaps) > 1 and _touch(heaps, centres, gap):
            top = heaps.pop()
            centres.pop()
            heaps[-1] += top
            own = heaps[-1]
            centre = sum(wanted[one] for one in own) / len(own)
            centres[-1] = _clamped(centre, gap * (len(own) - 1) / 2, low, high)
    found = [0.0] * len(wanted)
    for heap, centre in zip(heaps, centres, strict=True):
        start = centre - gap * (len(heap) - 1) / 2
        for rank, at in enumerate(heap):
            found[at] = start + rank * gap
    return found


def _clamped(centre: float, half: float, low: float, high: float) -> float:
    return min(max(centre, low + half), high - half)


def _touch(heaps: Sequence[Sequence[int]], centres: Sequence[float], gap: float) -> bool:
    reach = gap * (len(heaps[-1]) + len(heaps[-2])) / 2
    return centres[-1] - centres[-2] < reach - 1e-12
