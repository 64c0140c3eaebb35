"""What a report says of each strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compaction_eval.eval.following_budget import budget_blind
from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.about_strategies import UNMOVED, about_strategies
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.table import table
from compaction_eval.strategies.describing import about_spec
from compaction_eval.strategies.loading import BUILT_IN


def at(cell: CellRecord, strategy: str, budget: str, **changes: object) -> CellRecord:
    return replace(cell, key=replace(cell.key, strategy=strategy, budget=budget), **changes)  # type: ignore[arg-type]  # fields of a cell


def test_every_built_in_strategy_has_a_line() -> None:
    for name in BUILT_IN["strategies"]:
        assert about_spec(name) != name
        assert "\n" not in about_spec(name)


def test_settings_are_those_of_the_spec() -> None:
    does = "Keeps system messages and the last `keep` others. Knows neither budget nor tool calls."
    assert about_spec("count-slice") == f"{does} Settings: keep=10."
    assert about_spec("count-slice(keep=4)") == f"{does} Given as: count-slice(keep=4)"


def test_one_s_own_stands_for_itself_and_is_not_imported() -> None:
    assert about_spec("./nowhere.py:f(a=1)") == "./nowhere.py:f(a=1)"
    assert about_spec("not a (spec") == "not a (spec"


def test_what_sends_the_same_at_each_budget_does_not_follow_it(cell: CellRecord) -> None:
    other = tuple(replace(one, view=((0, 1),)) for one in cell.requests)
    cells = [
        *(at(cell, "still", budget) for budget in ("15%", "30%")),
        at(cell, "moving", "15%"),
        at(cell, "moving", "30%", requests=other),
        at(cell, "once", "15%"),
        at(cell, "failed", "15%"),
        at(cell, "failed", "30%", requests=(), error="it broke"),
    ]
    assert budget_blind(cells) == {"still"}
    manifest = {"strategies": [{"label": "still", "spec": "./mine.py:f"}]}
    told = about_strategies(manifest, cells)
    assert told["still"] == f"./mine.py:f. {UNMOVED}"
    assert told["moving"] == "moving"


def test_the_table_of_the_page_has_the_line(row: Callable[..., object]) -> None:
    (line,) = table([row("a")], Marks(), {"a": "Does <b>."}).lines  # type: ignore[list-item]  # a made row
    assert line.about == "Does <b>."
