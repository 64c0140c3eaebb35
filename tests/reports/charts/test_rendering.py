"""Charts as files: the same bytes, sound images, and no name that does anything."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from tests.reports.charts.answering import renamed

from compaction_eval.reports.charts.all_charts import charts_of
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.charts.rendering import render
from compaction_eval.reports.charts.theme import MARKERS, THEMES, looks
from compaction_eval.reports.charts.tradeoff import tradeoff_charts
from compaction_eval.reports.charts.wrapping import wrapped
from compaction_eval.reports.charts.writing import as_csv, write_charts

HOSTILE = ("<script>alert(1)</script>", "$\\frac{1}{0}$", "=cmd|' /C calc'!A0", "\u202egnp.exe")


def test_the_same_run_gives_the_same_bytes_however_many_draw(
    material: Material, tmp_path: Path
) -> None:
    charts = charts_of(material)[:2]
    first = write_charts(tmp_path / "one", charts)
    second = write_charts(tmp_path / "two", charts, jobs=2)
    assert [path.name for path in first] == [path.name for path in second]
    assert len(first) == 10
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_an_image_is_one_and_both_themes_differ(material: Material) -> None:
    chart = tradeoff_charts(material)[0]
    light = render(chart, THEMES["light"], "png")
    dark = render(chart, THEMES["dark"], "png")
    assert light.startswith(b"\x89PNG\r\n")
    assert light != dark


def test_hostile_names_are_words_and_nothing_else(material: Material) -> None:
    chart = tradeoff_charts(renamed(material, HOSTILE))[0]
    image = render(chart, THEMES["light"], "svg")
    tree = ElementTree.fromstring(image)
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert "script" not in tags
    assert not any(name.startswith("on") for element in tree.iter() for name in element.attrib)
    written = "".join(element.text or "" for element in tree.iter())
    assert "<script>alert(1)</script>"[:24] in written
    assert "$\\frac{1}{0}$" in written
    assert "\u202e" not in image.decode()


def test_no_cell_of_the_data_is_a_formula(material: Material) -> None:
    for chart in charts_of(renamed(material, HOSTILE)):
        rows = list(csv.reader(as_csv(chart).splitlines()))
        names = {row[0] for row in rows[1:]}
        assert chart.name == "context-size" or any("cmd" in name for name in names)
        assert not any(name.startswith(("=", "+", "-", "@")) for name in names)


def test_eight_strategies_differ_in_hue_and_shape_and_more_in_the_line() -> None:
    found = looks({f"s{number}": False for number in range(10)} | {"none": True})
    first = [found[f"s{number}"] for number in range(8)]
    assert len({one.hue for one in first}) == len({one.marker for one in first}) == len(MARKERS)
    assert found["s8"].hue == found["s0"].hue
    assert found["s8"].line != found["s0"].line
    assert found["none"].colour(THEMES["dark"]) == THEMES["dark"].muted


def test_a_long_title_takes_two_lines_at_most_and_wide_letters_count_double() -> None:
    assert wrapped("one two three", 7, 2) == ["one two", "three"]
    assert wrapped("滚动摘要保留最多", 8, 2) == ["滚动摘要", "保留最多"]
    assert wrapped("a " * 50, 10, 2)[-1].endswith("…")
