"""A heat map: which strategy keeps which kind of fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.store import Run
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import paint_heat
from compaction_eval.reports.charts.naming import evidence_note, row_name
from compaction_eval.reports.charts.panelling import shown_budgets
from compaction_eval.reports.columns import merged
from compaction_eval.reports.difficulty import Split, splits
from compaction_eval.reports.dimensions import DIMENSIONS
from compaction_eval.reports.figures import share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme


def kinds_chart(material: Material) -> Chart | None:
    """Strategy by kind at the middle budget; None where nothing was asked."""
    rows = merged(material.rows)
    (budget,) = shown_budgets(rows, 1) or [""]
    run = Run(material.manifest, tuple(material.cells))
    found = [
        one
        for one in splits(run, material.rows, DIMENSIONS["kind"], material.marks)
        if one.budget == budget and one.groups
    ]
    if not found:
        return None
    split = found[0]
    order = sorted(
        range(len(split.columns)),
        key=lambda at: (material.marks.is_control(split.columns[at]), -_overall(split, at)),
    )
    names = [row_name(split.columns[at], rows) for at in order]
    kinds = [group.name for group in split.groups]
    shares = [[group.figures[at].share for group in split.groups] for at in order]

    def paint(figure: Figure, theme: Theme) -> None:
        paint_heat(figure, theme, names, kinds, shares, across="kind of probe")

    return Chart(
        name="kinds",
        title=_title(split),
        note=evidence_note(material, [row for row in rows if row.budget == budget]),
        columns=("strategy", "budget", "kind", "share", "scenarios", "verdicts"),
        data=tuple(
            (name, budget, group.name, figure.share, figure.scenarios, figure.probes)
            for name, at in zip(names, order, strict=True)
            for group in split.groups
            for figure in (group.figures[at],)
        ),
        paint=paint,
        size=(11.0, 6.2),
    )


def _overall(split: Split, at: int) -> float:
    return split.overall.figures[at].share or 0.0


def _title(split: Split) -> str:
    columns: Sequence[int] = split.contenders or split.compared
    means = [
        (mean, group.name) for group in split.groups if (mean := group.mean(columns)) is not None
    ]
    if not means:
        return f"What is kept at a budget of {split.budget}, by kind of probe"
    (low, hardest), (high, easiest) = min(means), max(means)
    if len(means) == 1:
        return (
            f"At a budget of {split.budget}, {share(low)} of {hardest} probes are kept on average"
        )
    return (
        f"At a budget of {split.budget}, {hardest} probes lose most ({share(low)} kept on average)"
        f" and {easiest} probes least ({share(high)})"
    )
