"""How large the context is, request by request, in one conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.charts.canvas import NOTE_SIZE, WIDTH, panels, room
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.naming import full_name, looks_of, row_name
from compaction_eval.reports.charts.panelling import budget_note, told_budget
from compaction_eval.reports.charts.theme import Look, Theme
from compaction_eval.reports.columns import groups, headline, merged
from compaction_eval.reports.figures import plural, tokens
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.records import variant_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = 3
FULL, BUDGET, COMPACTED = "full history", "budget", "▼ compacted"


@dataclass(frozen=True, slots=True)
class Track:
    """One strategy through the conversation's own requests."""

    name: str
    sizes: tuple[int, ...]
    """Tokens of each request."""
    full: tuple[int, ...]
    """Tokens of the full history at each."""
    compacted: tuple[int, ...]
    """Requests (counted from 1) at which something was done."""
    whole_name: str
    probes: int


def context_charts(material: Material) -> list[Chart]:
    """The longest conversation at one budget; none where nothing was sent."""
    rows = merged(material.rows)
    budget = told_budget(material)
    chosen = [
        row
        for group in groups(rows, material.marks)
        if group.budget == budget
        for row in group.rows
        if headline(row) is not None and not material.marks.is_control(row)
    ][:MOST_LINES]
    cells = [
        cell
        for cell in material.cells
        if cell.error is None and not cell.apart and cell.key.budget == budget and cell.requests
    ]
    if not chosen or not cells:
        return []
    longest = max(cells, key=lambda cell: (cell.conversation_tokens, cell.key.scenario))
    place = (longest.key.scenario, longest.key.variant)
    tracks = []
    for row in chosen:
        own = [
            cell
            for cell in cells
            if (cell.key.scenario, cell.key.variant) == place
            and cell.key.strategy == row.strategy
            and row.summarizer in ("", cell.key.summarizer)
        ]
        if own:
            tracks.append(_track(row_name(row, rows), full_name(row, rows), own[0]))
    if not tracks:
        return []
    looks = looks_of(material)
    limit = longest.budget_tokens
    scenario = variant_name(*place)

    def paint(figure: Figure, theme: Theme) -> None:
        _paint(figure, theme, tracks, limit, looks)

    number, probes = len(tracks[0].sizes), max(one.probes for one in tracks)
    chart = Chart(
        name="context-size",
        title=_title(tracks, scenario, limit),
        note=f"scenario {one_line(scenario, 60)} · {plural(number, 'request')},"
        f" {plural(probes, 'probe')} · {budget_note(material)}"
        f" ({tokens(limit)} tokens) · run {material.run_id}",
        columns=("strategy", "request", "tokens", "full_tokens", "compacted"),
        data=tuple(
            (one.whole_name, at, size, full, int(at in one.compacted))
            for one in tracks
            for at, (size, full) in enumerate(zip(one.sizes, one.full, strict=True), 1)
        ),
        paint=paint,
        size=(WIDTH, 6.0),
    )
    return [chart]


def _track(name: str, whole_name: str, cell: CellRecord) -> Track:
    line = [request for request in cell.requests if request.probe is None]
    return Track(
        name,
        tuple(request.tokens for request in line),
        tuple(request.full for request in line),
        tuple(at for at, request in enumerate(line, 1) if request.action != "none"),
        whole_name,
        len(cell.probes),
    )


def _title(tracks: Sequence[Track], scenario: str, limit: int) -> str:
    most = max(tracks, key=lambda one: len(one.compacted))
    fewest = min(tracks, key=lambda one: len(one.compacted))
    name = one_line(scenario, 40)
    if len(most.compacted) == len(fewest.compacted):
        number = plural(len(most.compacted), "compaction")
        return f"In {name}, {number} {_held(tracks, limit)} {tokens(limit)} tokens"
    return (
        f"In {name}, {plural(len(most.compacted), 'compaction')} by {most.name} and"
        f" {len(fewest.compacted):,} by {fewest.name} {_held((most, fewest), limit)}"
        f" {tokens(limit)} tokens"
    )


def _held(tracks: Sequence[Track], limit: int) -> str:
    within = all(size <= limit for track in tracks for size in track.sizes)
    return "hold the context within" if within else "don't always hold the context within"


def _paint(
    figure: Figure, theme: Theme, tracks: Sequence[Track], limit: int, looks: dict[str, Look]
) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    right = room(figure, (FULL, BUDGET, COMPACTED), NOTE_SIZE)
    axes = panels(figure, theme, [one.name for one in tracks], right=right)
    for ax, one in zip(axes, tracks, strict=True):
        steps = range(1, len(one.sizes) + 1)
        colour = looks[one.name].colour(theme)
        ax.fill_between(steps, one.full, color=theme.grid, step="mid", zorder=1)
        ax.plot(steps, one.sizes, color=colour, linewidth=1.8, drawstyle="steps-mid", zorder=3)
        ax.plot(
            one.compacted,
            [one.sizes[at - 1] for at in one.compacted],
            "v",
            color=colour,
            markersize=7,
            zorder=4,
            label="compacted",
        )
        ax.axhline(limit, color=theme.bad, linewidth=1.2, linestyle="--", zorder=2)
        ax.set_xlabel("request")
        ax.title.set_color(colour)
        ax.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes[0].set_ylim(0, max(max(one.full) for one in tracks) * 1.05)
    axes[0].yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes[0].set_ylabel("tokens of the request")
    _name(axes[-1], theme, tracks[-1], limit)


def _name(ax: Axes, theme: Theme, track: Track, limit: int) -> None:
    """Beside the last panel: what the lines are."""
    from matplotlib.transforms import blended_transform_factory

    beside = blended_transform_factory(ax.transAxes, ax.transData)
    for y, text, colour in (
        (track.full[-1], FULL, theme.muted),
        (limit, BUDGET, theme.bad),
    ):
        ax.text(1.02, y, text, transform=beside, fontsize=NOTE_SIZE, color=colour, va="center")
    ax.text(1.02, 0.02, COMPACTED, transform=ax.transAxes, fontsize=NOTE_SIZE, color=theme.ink)
