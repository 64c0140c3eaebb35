"""However strategies are called and however many there are: nothing is cut, no name is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from matplotlib.text import Text
from tests.reports.charts.answering import renamed
from tests.reports.charts.looking import LIGHT, axes_of, lines_of, places_of, words_of

from compaction_eval.reports.charts.all_charts import charts_of
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.naming import LONGEST_NAME, row_name
from compaction_eval.reports.charts.rendering import draw, set_up
from compaction_eval.reports.columns import merged

Measured = Callable[..., Material]
LONG = "our-own-strategy-with-a-name-of-sixty-letters-that-ends-in-{}"
RUNS = {
    "long": tuple(LONG.format(end) for end in ("a1", "b2", "c3")),
    "wide": ("最近十条消息保留其余全部丢弃的策略", "ローリング要約を続けるやり方", "窗口摘要压缩"),
    "capital": ("W" * 60, "M" * 60, "W" * 59 + "M"),
}


@pytest.fixture(scope="module")
def many(measured: Measured) -> Material:
    """Twenty-five strategies, whose names differ at their end."""
    kept = tuple(f"count-slice(keep={number})" for number in range(3, 18))
    limits = tuple(f"rolling-summary(summary_limit={number})" for number in range(101, 111))
    return measured(("checkout-latency",), strategies=(*kept, *limits))


def cut_off(chart: Chart) -> list[str]:
    """The texts that aren't wholly in the picture."""
    edges, texts = places_of(chart)
    inside = edges.padded(1)
    return [
        text
        for text, place in texts
        if not (inside.contains(*place.min) and inside.contains(*place.max))
    ]


def over_each_other(chart: Chart, names: set[str]) -> list[tuple[str, str]]:
    """Names of strategies that lie on one another."""
    _, texts = places_of(chart)
    own = [
        (text, place)
        for text, place in texts
        if any(text == name or text.startswith(f"{name} (") for name in names)
    ]
    return [
        (text, other)
        for at, (text, place) in enumerate(own)
        for other, there in own[at + 1 :]
        if min(place.x1, there.x1) - max(place.x0, there.x0) > 1
        and min(place.y1, there.y1) - max(place.y0, there.y0) > 0.3 * place.height
    ]


@pytest.mark.parametrize("names", RUNS.values(), ids=RUNS)
def test_no_name_leaves_the_picture(answered: Material, names: tuple[str, ...]) -> None:
    for chart in charts_of(renamed(answered, names)):
        assert cut_off(chart) == [], chart.name


def test_twenty_five_strategies_have_a_line_and_a_readable_name_each(many: Material) -> None:
    rows = merged(many.rows)
    names = {row_name(row, rows) for row in rows}
    assert len(names) == 25
    for chart in charts_of(many):
        assert cut_off(chart) == [], chart.name
        assert over_each_other(chart, names) == [], chart.name
        if chart.name in ("tradeoff-survival", "budget-sweep"):
            assert {name for name in lines_of(chart) if name != "frontier"} == names


def test_names_that_are_cut_alike_stay_apart_and_the_data_have_them_whole(
    material: Material,
) -> None:
    long = tuple(f"{'a' * 40}{number}{'z' * 40}" for number in range(3))
    other = renamed(material, long)
    rows = merged(other.rows)
    names = {row_name(row, rows) for row in rows}
    assert len(names) == 5
    assert all(len(name) <= LONGEST_NAME for name in names)
    for chart in charts_of(other):
        if chart.name in ("tradeoff-survival", "kinds", "token-flow"):
            assert {row[0] for row in chart.data} >= set(long)


def test_no_budget_is_named_over_a_point(material: Material, many: Material) -> None:
    for run in (material, many):
        chart = next(one for one in charts_of(run) if one.name == "tradeoff-survival")
        (ax,) = axes_of(chart)
        spots = [
            ax.transData.transform(spot)
            for line in ax.get_lines()
            for spot in zip(line.get_xdata(), line.get_ydata(), strict=True)
            if line.get_marker() != "None"
        ]
        _, texts = places_of(chart)
        budgets = [place for text, place in texts if text.startswith("budget ")]
        assert budgets
        assert spots
        assert not [spot for spot in spots for place in budgets if place.contains(*spot)]


def test_names_and_ids_of_five_joined_runs_have_room(material: Material) -> None:
    ids = "1bbb97a5cb, bb41bd5c34, 0a1b2c3d4e, 5f6a7b8c9d and ffeeddccbb"
    names = tuple(f"window-summary [{run}]" for run in ("before", "after", "again"))
    other = replace(renamed(material, names), run_id=ids)
    for chart in charts_of(other):
        assert cut_off(chart) == [], chart.name
        words = " ".join(" ".join(words_of(chart)).split())
        assert ids in words, chart.name
        assert "…" not in words, chart.name
        _, texts = places_of(chart)
        note = next(place for text, place in texts if "".join(text.split()).find("ffeeddccbb") >= 0)
        below = [text for text, place in texts if place.overlaps(note) and place is not note]
        assert below == [], chart.name


def test_the_smallest_writing_is_ten_pixels_high_on_a_screen_of_720(
    answered: Material, many: Material
) -> None:
    for chart in (*charts_of(answered), *charts_of(many)):
        with set_up(chart, LIGHT):
            figure = draw(chart, LIGHT)
        sizes = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text().strip()]
        assert min(sizes) * 720 / (72 * chart.size[0]) >= 10, chart.name
