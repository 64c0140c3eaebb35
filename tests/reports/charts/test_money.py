"""The chart of money: what its bars and lines stand at, and what its title says."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

pytest.importorskip("matplotlib")

from tests.reports.charts.costing import costs_by_hand
from tests.reports.charts.looking import places_of

from compaction_eval.eval.cost.caches import NoCache
from compaction_eval.reports.charts.all_charts import charts_of
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.money import money_charts
from compaction_eval.reports.charts.rendering import draw
from compaction_eval.reports.charts.theme import THEMES
from compaction_eval.reports.figures import usd


@pytest.fixture(scope="module")
def chart(material: Material) -> Chart:
    (found,) = money_charts(replace(material, costs=costs_by_hand(material)))
    assert found is not None
    return found


def test_without_prices_there_is_no_such_chart(material: Material) -> None:
    assert money_charts(material) == []
    assert "money" not in [one.name for one in charts_of(material)]


def test_bars_and_lines_stand_where_the_data_say(chart: Chart) -> None:
    (ax,) = draw(chart, THEMES["light"]).axes
    ends = [patch.get_x() + patch.get_width() for patch in ax.patches]
    diamonds = [line.get_xdata()[0] for line in ax.get_lines() if line.get_marker() == "D"]
    across = [line.get_xdata()[0] for line in ax.get_lines() if line.get_marker() != "D"]
    records = [dict(zip(chart.columns, line, strict=True)) for line in chart.data]
    assert ends[1::2] == pytest.approx([one["usd"] for one in records])
    assert diamonds == [one["usd_without_cache"] for one in records]
    assert across == [records[0]["full_usd"], records[0]["full_usd_without_cache"]]
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [one["strategy"] for one in records]
    # The full history is the line, so it is no bar; the cheapest comes first.
    assert set(names) == {"rolling-summary", "count-slice(keep=6)", "empty", "token-window"}
    assert ends[1::2] == sorted(ends[1::2])


def test_it_says_what_it_rests_on(chart: Chart, material: Material) -> None:
    for part in ("3 conversations", material.run_id, "nobody:by-hand on 2026-11-01", "openai"):
        assert part in chart.note
    words = [text.get_text() for ax in draw(chart, THEMES["dark"]).axes for text in ax.texts]
    assert {"full history with the cache", "full history without"} <= set(words)


def test_its_title_is_the_finding(material: Material, chart: Chart) -> None:
    # Those that could be chosen: two summarise or slide, one hardly sends anything.
    records = [dict(zip(chart.columns, line, strict=True)) for line in chart.data]
    dear = {one["strategy"] for one in records if float(one["usd"]) > float(one["full_usd"])}
    assert dear == {"rolling-summary", "token-window"}
    assert chart.title == (
        "At 40%, 2 of 3 strategies cost more than the full history does with a prompt cache"
    )
    (bare,) = money_charts(replace(material, costs=costs_by_hand(material, NoCache())))
    assert bare is not None
    assert "than the full history" not in bare.title


def test_each_bar_has_its_figures_beside_it_and_nothing_lies_on_them(chart: Chart) -> None:
    records = [dict(zip(chart.columns, line, strict=True)) for line in chart.data]
    (ax,) = draw(chart, THEMES["light"]).axes
    beside = [text for text in ax.texts if text.get_ha() == "right" and text.get_position()[1] >= 0]
    for y, one in enumerate(records):
        level = [text for text in beside if text.get_position()[1] == y]
        assert [text.get_text() for text in level] == [
            usd(Decimal(str(one[key]))) for key in ("usd", "usd_without_cache")
        ]
    edges, texts = places_of(chart)
    assert all(place.x0 >= 0 and place.x1 <= edges.x1 for _, place in texts)
    for at, (_, place) in enumerate(texts):
        for _, other in texts[at + 1 :]:
            across = min(place.x1, other.x1) - max(place.x0, other.x0)
            assert across <= 1 or min(place.y1, other.y1) - max(place.y0, other.y0) <= 3


def test_one_line_stands_for_the_full_history_where_the_cache_saves_nothing(
    material: Material,
) -> None:
    (bare,) = money_charts(replace(material, costs=costs_by_hand(material, NoCache())))
    (ax,) = draw(bare, THEMES["light"]).axes
    across = [line for line in ax.get_lines() if line.get_marker() != "D"]
    assert len(across) == 1
    assert "full history with the cache and without" in [text.get_text() for text in ax.texts]
