"""What is on each chart: titles, lines, points and their values, not pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from tests.reports.charts.costing import costs_by_hand
from tests.reports.charts.looking import LIGHT, axes_of, lines_of, words_of

from compaction_eval.reports.charts.age_curves import Band, Curve
from compaction_eval.reports.charts.ages import ages_charts
from compaction_eval.reports.charts.all_charts import charts_of
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.charts.context_size import context_charts
from compaction_eval.reports.charts.kinds import kinds_charts
from compaction_eval.reports.charts.position_length import position_length_charts
from compaction_eval.reports.charts.sweep import Sweep, sweep_charts
from compaction_eval.reports.charts.token_flow import token_flow_charts
from compaction_eval.reports.charts.tradeoff import tradeoff_charts

Measured = Callable[..., Material]


def test_every_chart_says_what_to_see_and_what_it_rests_on(material: Material) -> None:
    charts = charts_of(material)
    assert [chart.name for chart in charts] == [
        "tradeoff-survival",
        "tradeoff-reuse",
        "budget-sweep",
        "survival-by-age",
        "kinds",
        "token-flow",
        "context-size",
    ]
    for chart in charts:
        written = " ".join(" ".join(words_of(chart)).split())
        assert chart.title in written
        assert chart.note in written
        assert f"run {material.run_id}" in chart.note
        assert len(chart.title) > 30
        assert any("%" in one or "token" in one or "share" in one for one in words_of(chart))


def test_the_tradeoff_has_a_line_for_each_strategy_with_the_figures_of_the_table(
    material: Material,
) -> None:
    chart = tradeoff_charts(material)[0]
    drawn = lines_of(chart)
    for row in material.rows:
        assert (row.retained_tokens, row.survival) in drawn[row.strategy]
    assert {name for name in drawn if name != "frontier"} == {r.strategy for r in material.rows}


def test_what_reads_the_answer_key_is_named_and_never_on_the_frontier(measured: Measured) -> None:
    chart = tradeoff_charts(measured(("checkout-latency",), strategies=("evidence-only", "none")))[
        0
    ]
    assert "reads the answer key: evidence-only" in chart.note
    assert not any(row[-1] for row in chart.data)
    assert chart.title == "At 40%, no strategy that could be chosen has a figure (1 conversation)"


def test_the_sweep_goes_over_the_budgets_in_order(material: Material) -> None:
    (chart,) = sweep_charts(material)
    drawn = lines_of(chart)
    assert set(drawn) == {row.strategy for row in material.rows}
    for name, points in drawn.items():
        assert [x for x, _ in points] == [20.0, 40.0]
        assert [y for _, y in points] == [r.survival for r in material.rows if r.strategy == name]


def test_the_area_is_the_mean_over_the_budgets() -> None:
    sweep = Sweep("mine", ("10%", "20%", "40%"), (10, 20, 40), (0.0, 0.4, 0.8), control=False)
    assert sweep.area == pytest.approx((10 * 0.2 + 20 * 0.6) / 30)


def test_a_single_budget_is_no_sweep(measured: Measured) -> None:
    one = measured(("checkout-latency",), budgets=("30%",), strategies=("none",))
    assert sweep_charts(one) == []
    assert sweep_charts(replace(one, rows=[])) == []


@pytest.mark.parametrize(
    ("shares", "half_life"),
    [
        ((0.9, 0.7, 0.6), None),
        ((0.4, 0.7, 0.6), 250.0),
        ((0.9, 0.6, 0.4), math.sqrt(250 * 500) * 2**0.5),
        ((0.9, 0.5, 0.0), math.sqrt(250 * 500)),
    ],
)
def test_the_half_life_is_read_off_the_drawn_line(
    shares: tuple[float, ...], half_life: float | None
) -> None:
    edges = ((0, 250), (250, 500), (500, 1000))
    bands = tuple(Band(*edge, share, 20) for edge, share in zip(edges, shares, strict=True))
    assert Curve("mine", "30%", bands, control=False).half_life == (
        half_life if half_life is None else pytest.approx(half_life)
    )


def test_ages_come_in_bands_that_double_and_rest_on_enough_verdicts(material: Material) -> None:
    (chart,) = ages_charts(material)
    for name, budget, start, stop, share, verdicts, _ in chart.data:
        assert name in {row.strategy for row in material.rows} - {"none", "empty"}
        assert budget in ("20%", "40%")
        assert isinstance(start, int)
        assert isinstance(stop, int)
        assert isinstance(share, float)
        assert isinstance(verdicts, int)
        assert stop + 1 == (2 * start or 250)
        assert 0 <= share <= 1
        assert verdicts >= 10


def test_the_kinds_are_those_of_the_probes_and_none_keeps_all(material: Material) -> None:
    (chart,) = kinds_charts(material)
    kinds = {probe.kind for cell in material.cells for probe in cell.probes}
    assert {row[2] for row in chart.data} <= kinds
    assert {row[3] for row in chart.data if row[0] == "none"} == {1.0}
    assert "100" in words_of(chart)


def test_the_tokens_add_up_to_the_full_history(material: Material) -> None:
    (chart,) = token_flow_charts(material)
    by_name = {row.strategy: row for row in material.rows if row.budget == "40%"}
    for name, _, kept, carried, own, saved, full in chart.data:
        row = by_name[str(name)]
        assert isinstance(kept, int)
        assert isinstance(carried, int)
        assert isinstance(own, int)
        assert isinstance(saved, int)
        assert kept + carried + own + saved == full == row.full_tokens
        assert kept + carried == row.sent_tokens
        assert saved == row.saved_net
        assert (carried > 0) == bool(row.summary_calls)


def test_one_conversation_is_shown_request_by_request_under_its_budget(material: Material) -> None:
    (chart,) = context_charts(material)
    cell = next(
        cell
        for cell in material.cells
        if cell.key.strategy == "rolling-summary"
        and cell.key.budget == "40%"
        and cell.key.scenario == "checkout-latency"
        and cell.key.variant == "noise=12"
    )
    line = [request for request in cell.requests if request.probe is None]
    own = [row for row in chart.data if row[0] == "rolling-summary"]
    assert [(size, full) for _, _, size, full, _ in own] == [(r.tokens, r.full) for r in line]
    assert [bool(done) for *_, done in own] == [r.action != "none" for r in line]
    assert f"{cell.budget_tokens:,} tokens" in chart.note
    assert "budget" in words_of(chart)


def test_depth_and_length_are_shown_for_scenarios_that_vary_both(measured: Measured) -> None:
    needle = measured(
        ("TAG:needle",), budgets=("30%",), strategies=("rolling-summary", "token-window")
    )
    (chart,) = position_length_charts(needle)
    assert len(chart.data) == 2 * 5 * 4
    recency = {row[2:4]: row[4] for row in chart.data if row[0] == "token-window"}
    assert recency[100, 112] == 1.0
    assert recency[0, 112] == 0.0


def test_other_scenarios_have_no_depth(material: Material) -> None:
    assert position_length_charts(material) == []


def test_a_ring_stands_where_half_are_lost_in_each_panel(material: Material) -> None:
    (chart,) = ages_charts(material)
    known = {(row[0], row[1]): row[6] for row in chart.data}
    first = {(row[0], row[1]): row[4] for row in reversed(chart.data)}
    expected = {
        life for key, life in known.items() if life is not None and float(first[key] or 0) >= 0.5
    }
    assert expected
    rings = {
        float(line.get_xdata()[0])
        for ax in axes_of(chart)
        for line in ax.get_lines()
        if line.get_linestyle() == "None" and tuple(line.get_ydata()) == (0.5,)
    }
    assert rings == expected


def test_a_single_age_is_no_curve(measured: Measured) -> None:
    one = measured(
        ("blank-summary-accepted",), budgets=("50%",), strategies=("none", "count-slice")
    )
    assert ages_charts(one) == []


def test_what_cannot_be_chosen_is_hollow_and_passed_over_in_the_title(material: Material) -> None:
    worse = [
        replace(row, survival=0.99, over_budget_requests=3)
        if row.strategy == "count-slice(keep=6)"
        else row
        for row in material.rows
    ]
    chart = tradeoff_charts(replace(material, rows=worse))[0]
    assert "usable" in chart.title
    assert "count-slice" not in chart.title
    assert "hollow: refused by the API or over budget" in chart.note
    hollow = [
        line
        for ax in axes_of(chart)
        for line in ax.get_lines()
        if line.get_markerfacecolor() == LIGHT.background
    ]
    assert len(hollow) == 2
    assert all(line.get_ydata()[0] == 0.99 for line in hollow)


def test_the_context_says_what_its_signs_are(material: Material) -> None:
    (chart,) = context_charts(material)
    assert {"full history", "budget", "▼ compacted"} <= set(words_of(chart))
    assert "probes" in chart.note


def test_paying_more_than_is_saved_is_shown_and_explained(material: Material) -> None:
    dear = [
        replace(row, summary_tokens_in=row.full_tokens) if row.summary_calls else row
        for row in material.rows
    ]
    (chart,) = token_flow_charts(replace(material, rows=dear))
    assert min(int(row[5] or 0) for row in chart.data) < 0
    assert "paid beyond the full history" in words_of(chart)
    (sound,) = token_flow_charts(material)
    assert "paid beyond the full history" not in words_of(sound)


def test_every_column_of_the_data_is_in_the_documentation(
    answered: Material, measured: Measured
) -> None:
    needle = measured(("TAG:needle",), budgets=("30%",), strategies=("token-window",))
    page = (Path(__file__).resolve().parents[3] / "docs" / "reading-a-report.md").read_text("utf-8")
    _, _, part = page.partition("### Data behind a chart")
    priced = replace(answered, costs=costs_by_hand(answered))
    charts = (*charts_of(priced), *charts_of(needle))
    assert "money" in [chart.name for chart in charts]
    for chart in charts:
        for column in chart.columns:
            assert f"`{column}`" in part, (chart.name, column)
