"""The chart of ages: what it hints at, what is small, and what a panel without points says."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("matplotlib")

from tests.reports.charts.looking import axes_of, lines_of, places_of, words_of

from compaction_eval.reports.charts.age_curves import FEW_PROBES, Band, Curve
from compaction_eval.reports.charts.age_panels import FEW, GAP, paint_ages
from compaction_eval.reports.charts.ages import ages_charts
from compaction_eval.reports.charts.canvas import WIDTH
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.measures import SURVIVAL
from compaction_eval.reports.charts.theme import Theme, looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@pytest.fixture(scope="module")
def without_middle(material: Material) -> Chart:
    """The chart, nothing being asked of what is 1,000 to 1,999 tokens old."""
    cells = [
        replace(
            cell,
            probes=tuple(
                probe
                for probe in cell.probes
                if probe.age_tokens is None or not 1000 <= probe.age_tokens < 2000
            ),
        )
        for cell in material.cells
    ]
    (chart,) = ages_charts(replace(material, cells=cells))
    return chart


def test_bands_without_a_neighbour_are_stretches_of_their_own() -> None:
    bands = (Band(0, 250, 0.9, 40), Band(250, 500, 0.8, 40), Band(1000, 2000, 0.3, 12))
    curve = Curve("mine", "30%", bands, control=False)
    assert curve.stretches == [bands[:2], bands[2:]]
    assert [band.rests_on_few for band in bands] == [False, False, True]


def test_a_line_ends_at_a_gap_and_is_only_hinted_at_across_it(without_middle: Chart) -> None:
    drawn = lines_of(without_middle)
    starts = {row[2] for row in without_middle.data if row[0] == "rolling-summary"}
    assert {500, 2000} <= starts
    assert 1000 not in starts
    gaps = [
        line
        for ax in axes_of(without_middle)
        for line in ax.get_lines()
        if str(line.get_label()).startswith(GAP)
    ]
    assert len(gaps) == len({row[:2] for row in without_middle.data if row[2] == 2000})
    assert all(len(line.get_xdata()) == 2 for line in gaps)
    # What is said to be the curve's line goes up to the gap, in both panels.
    before = {row[1:3] for row in without_middle.data if row[0] == "rolling-summary"}
    assert len(drawn["rolling-summary"]) == len([one for one in before if one[1] != 2000])
    assert "faint dots: across ages without a point" in without_middle.note


def test_points_on_few_verdicts_are_small(material: Material) -> None:
    asked_often = [
        replace(
            cell,
            probes=tuple(
                probe
                for probe in cell.probes
                for _ in range(4 if probe.age_tokens is not None and probe.age_tokens < 1000 else 1)
            ),
        )
        for cell in material.cells
    ]
    (chart,) = ages_charts(replace(material, cells=asked_often))
    few = {round(float(row[4] or 0), 9) for row in chart.data if int(row[5] or 0) < FEW_PROBES}
    enough = [row for row in chart.data if int(row[5] or 0) >= FEW_PROBES]
    assert few
    assert enough
    points = [
        line
        for ax in axes_of(chart)
        for line in ax.get_lines()
        if str(line.get_label()).startswith("_") and line.get_linestyle() == "None"
    ]
    small = [line for line in points if str(line.get_label()).startswith(FEW)]
    assert {round(float(y), 9) for line in small for y in line.get_ydata()} == few
    large = min(line.get_markersize() for line in points if line not in small)
    assert all(line.get_markersize() < large for line in small)
    assert f"small: fewer than {FEW_PROBES} verdicts" in chart.note


def test_a_budget_without_figures_has_a_panel_that_says_why(material: Material) -> None:
    cells = [
        replace(cell, apart=True) if cell.key.budget == "20%" else cell for cell in material.cells
    ]
    rows = [
        replace(row, survival=None, reuse=None, scenarios=0) if row.budget == "20%" else row
        for row in material.rows
    ]
    (chart,) = ages_charts(replace(material, cells=cells, rows=rows))
    first, second = axes_of(chart)
    assert first.get_title(loc="left") == "budget 20%"
    assert not first.get_lines()
    assert not first.get_xticklabels()
    told = " ".join(" ".join(words_of(chart)).split())
    assert "not scored: all 2 conversations are infeasible there" in told
    assert second.get_lines()


def test_half_lives_in_brackets_are_those_of_the_budget_in_the_title(material: Material) -> None:
    (chart,) = ages_charts(material)
    assert chart.title.startswith("At 40%")
    assert "in brackets that at 40%" in chart.note
    lives = {row[0]: row[6] for row in chart.data if row[1] == "40%"}
    for name, life in lives.items():
        named = next(text for text in words_of(chart) if text.startswith(f"{name} ("))
        if life is None:
            assert named == f"{name} (never half)"
        elif isinstance(life, float) and life < 1000:
            assert named.endswith(f"{life:.0f})")


@pytest.mark.parametrize("name", ["short", "a-name-of-twenty-six-letters", "W" * 20])
def test_labels_of_ages_never_touch(name: str) -> None:
    edges = (0, *(250 * 2**at for at in range(6)))
    bands = tuple(Band(start, stop, 0.6, 40) for start, stop in pairwise(edges))
    budgets = ("15%", "30%", "50%")
    curves = [Curve(name, budget, bands, control=False) for budget in budgets]
    known = looks({name: False})

    def paint(figure: Figure, theme: Theme) -> None:
        paint_ages(figure, theme, curves, {}, budgets, "30%", SURVIVAL, known)

    chart = Chart("ages", "Title", "Note", (), (), paint, (WIDTH, 6.0))
    _, texts = places_of(chart)
    labels = {
        (round(place.x0), round(place.x1))
        for text, place in texts
        if text in ("250", "500", "1k", "2k", "4k", "8k")
    }
    assert len(labels) >= 9
    assert all(end < start for (_, end), (start, _) in pairwise(sorted(labels)))
