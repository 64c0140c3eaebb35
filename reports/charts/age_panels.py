"""The panels of the chart of ages: curves, gaps, half-lives, and words where nothing is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compaction_eval.reports.charts.age_curves import (
    HALF,
    Curve,
)
from compaction_eval.reports.charts.canvas import (
    NOTE_SIZE,
    TEXT_SIZE,
    panels,
    percent_axis,
    points_wide,
    room,
)
from compaction_eval.reports.charts.labelling import LineName, name_lines
from compaction_eval.reports.charts.measures import Measure
from compaction_eval.reports.charts.theme import Look, Theme
from compaction_eval.reports.charts.wrapping import wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP, FEW, ENOUGH = "_gap", "_few", "_points"
"""How the parts of a curve that aren't its line are labelled; matplotlib leaves out what has an
underscore."""


def paint_ages(
    figure: Figure,
    theme: Theme,
    curves: Sequence[Curve],
    empty: Mapping[str, str],
    budgets: Sequence[str],
    told: str,
    measure: Measure,
    looks: dict[str, Look],
) -> None:
    last = {one.name: one for one in curves}
    texts = [_text(name, curves, told) for name in last]
    titles = [f"budget {budget}" for budget in budgets]
    right = room(figure, texts, NOTE_SIZE)
    axes = panels(figure, theme, titles, right=right, left=0.085)
    percent_axis(axes[0])
    axes[0].set_ylabel(f"share of {measure.axis}")
    ticks = sorted({band.stop for curve in curves for band in curve.bands})
    for ax, budget in zip(axes, budgets, strict=True):
        if budget in empty:
            _say(ax, theme, empty[budget])
            continue
        _age_axis(ax, ticks)
        ax.axhline(HALF, color=theme.muted, linewidth=0.8, linestyle=(0, (2, 3)))
        for curve in curves:
            if curve.budget == budget:
                _draw(ax, theme, curve, looks[curve.name])
    names = [
        LineName(text, one.bands[-1].middle, one.bands[-1].share, looks[one.name].colour(theme))
        for text, one in zip(texts, last.values(), strict=True)
    ]
    name_lines(axes[-1], names, size=NOTE_SIZE)


def _age_axis(ax: Axes, ticks: Sequence[int]) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    ax.set_xscale("log", base=2)
    ax.set_xticks(_ticks_with_room(ax, ticks))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda at, _: _short(at)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("age in tokens")


def _ticks_with_room(ax: Axes, ticks: Sequence[int]) -> Sequence[int]:
    """A tick for each doubling, or for every other one where their labels would touch.

    The youngest and the oldest band reach half a doubling or so beyond the ticks.
    """
    each = ax.bbox.width / ax.figure.dpi * 72 / (len(ticks) + 0.5)
    widest = max((points_wide(_short(at), TEXT_SIZE) for at in ticks), default=0.0)
    return ticks if widest + 4 <= each else ticks[::2]


def _say(ax: Axes, theme: Theme, why: str) -> None:
    """A panel in which there is nothing to draw says why."""
    ax.set_xticks([])
    ax.text(
        0.5,
        0.5,
        "\n".join(wrapped(why, 22, 6)),
        transform=ax.transAxes,
        ha="center",
        va="center",
        fontsize=NOTE_SIZE,
        color=theme.muted,
        bbox={"facecolor": theme.background, "edgecolor": "none", "pad": 2},
    )


def _draw(ax: Axes, theme: Theme, curve: Curve, look: Look) -> None:
    """Points and lines between neighbours; across a gap in the ages the line is only hinted at."""
    colour = look.colour(theme)
    for at, stretch in enumerate(curve.stretches):
        ax.plot(
            [band.middle for band in stretch],
            [band.share for band in stretch],
            color=colour,
            linestyle=look.line,
            linewidth=1.2 if curve.control else 1.7,
            label=f"_{curve.name}" if at else curve.name,
        )
    for before, after in zip(curve.stretches, curve.stretches[1:], strict=False):
        ends = (before[-1], after[0])
        ax.plot(
            [band.middle for band in ends],
            [band.share for band in ends],
            color=colour,
            linestyle=(0, (1, 4)),
            linewidth=0.9,
            label=f"{GAP} {curve.name}",
        )
    for few, size in ((False, 4.5), (True, 2.5)):
        own = [band for band in curve.bands if band.rests_on_few == few]
        ax.plot(
            [band.middle for band in own],
            [band.share for band in own],
            color=colour,
            marker=look.marker,
            markersize=size,
            linestyle="",
            label=f"{FEW if few else ENOUGH} {curve.name}",
        )
    _mark_half(ax, theme, curve, look)


def _mark_half(ax: Axes, theme: Theme, curve: Curve, look: Look) -> None:
    """A ring where the line falls through the half."""
    life = curve.half_life
    if life is not None and curve.bands[0].share >= HALF:
        ax.plot(
            [life],
            [HALF],
            marker="o",
            markersize=6,
            markerfacecolor=theme.background,
            markeredgecolor=look.colour(theme),
            linestyle="",
            zorder=4,
        )


def _text(name: str, curves: Sequence[Curve], told: str) -> str:
    """A name with the half-life at the budget of the title."""
    own = next((one for one in curves if (one.name, one.budget) == (name, told)), None)
    return name if own is None else f"{name} ({_half(own)})"


def _half(curve: Curve) -> str:
    """The half-life in words."""
    life = curve.half_life
    if life is None:
        return "never half"
    young = curve.bands[0].share < HALF
    return f"half {'<' * young}{_short(life)}"


def _short(number: float) -> str:
    """`250`, `1k`, `1.5k`, `64k`."""
    if number < 1000:
        return f"{number:.0f}"
    return f"{number / 1000:.1f}".removesuffix(".0") + "k"
