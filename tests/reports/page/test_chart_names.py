"""The key of the charts is drawn as the charts are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.charts.theme import THEMES
from compaction_eval.reports.page.chart_names import chart_names
from compaction_eval.scenarios.records import Scenario


def test_each_strategy_has_its_colours_and_a_shape_of_its_own(
    material_of_cells: Callable[..., Material], cell: CellRecord, scenario: Scenario
) -> None:
    strategies = ("one", "two", "a\u202eb")
    cells = [replace(cell, key=replace(cell.key, strategy=name)) for name in strategies]
    names = chart_names(material_of_cells(cells, [scenario]))
    assert [one.name for one in names] == ["one", "two", r"a\u202eb"]
    assert [one.light for one in names] == list(THEMES["light"].hues[:3])
    assert [one.dark for one in names] == list(THEMES["dark"].hues[:3])
    assert len({one.sign for one in names}) == 3
