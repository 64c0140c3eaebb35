"""Titles of ages, kinds and tokens claim what is shown, of strategies that one can use."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.charts.age_curves import Band, Curve
from compaction_eval.reports.charts.age_words import ages_title
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.kind_words import kinds_title
from compaction_eval.reports.charts.measures import SURVIVAL
from compaction_eval.reports.charts.panelling import budget_note, panelled, told_budget
from compaction_eval.reports.charts.token_flow import token_flow_charts
from compaction_eval.reports.charts.tradeoff import tradeoff_charts
from compaction_eval.reports.difficulty import Figure, Group, Split
from compaction_eval.reports.dimensions import DIMENSIONS

MANY = 20


def curve(name: str, *shares: float, scenarios: int = MANY, usable: bool = True) -> Curve:
    """A curve that each of so many scenarios has alike, but for a little noise."""
    bands = []
    for at, share in enumerate(shares):
        noisy = {f"s{n}": share + (0.02 if n % 2 else -0.02) for n in range(scenarios)}
        bands.append(Band(250 * at, 250 * (at + 1), share, 20, noisy))
    return Curve(name, "30%", tuple(bands), control=False, usable=usable)


def test_half_is_kept_or_lost_where_many_conversations_say_so() -> None:
    own = [curve("keeps", 0.9, 0.8), curve("loses", 0.9, 0.1)]
    assert ages_title(own, "30%", SURVIVAL) == (
        "At 30%, keeps keeps more than half of the facts at any age measured; loses keeps less than"
        " half at an age of 250 to 500 tokens"
    )
    later = [curve("a", 0.1, 0.1), curve("b", 0.1, 0.1), curve("c", 0.9, 0.1)]
    assert ages_title(later, "30%", SURVIVAL) == (
        "At 30%, a and b keep less than half of the facts at an age of 0 to 250 tokens, 1 more at a"
        " greater age"
    )


def test_a_few_conversations_or_a_hair_show_nothing() -> None:
    nothing = "At 30%, no usable strategy is shown to keep more or less than half of the facts"
    few = [curve("keeps", 0.9, 0.8, scenarios=5), curve("loses", 0.9, 0.1, scenarios=5)]
    assert ages_title(few, "30%", SURVIVAL) == nothing
    assert ages_title([curve("near", 0.505, 0.495)], "30%", SURVIVAL) == nothing


def test_what_cannot_be_used_is_in_no_title_of_ages() -> None:
    own = [curve("unusable", 0.9, 0.9, usable=False), curve("usable", 0.9, 0.9)]
    assert ages_title(own, "30%", SURVIVAL) == (
        "At 30%, usable keeps more than half of the facts at any age measured"
    )


def test_kinds_of_two_conversations_are_not_told_apart(material: Material) -> None:
    row = next(one for one in material.rows if one.strategy == "rolling-summary")
    groups = tuple(
        Group(name, (Figure(share, 2, 9),)) for name, share in (("recall", 0.2), ("update", 0.9))
    )
    split = Split(
        DIMENSIONS["kind"], "20%", "survival", (row,), (0,), (0,), groups, Group("all", ()), 0
    )
    assert kinds_title(split, SURVIVAL, RowShares(material.cells)) == (
        "At 20%, 20.0% to 90.0% of a kind's probes are kept on average, and no kind is told apart"
        " as hardest"
    )


def test_a_kind_that_each_conversation_keeps_less_is_the_hardest(material: Material) -> None:
    row = next(one for one in material.rows if one.strategy == "rolling-summary")
    cell = RowShares(material.cells).cells_of(row)[0]
    lost, kept = (
        replace(cell.probes[0], kind=kind, verdict=verdict)
        for kind, verdict in (("decision", "missing"), ("update", "correct"))
    )
    cells = [
        replace(cell, key=replace(cell.key, scenario=f"s{n}"), probes=(lost, kept))
        for n in range(MANY)
    ]
    groups = tuple(
        Group(name, (Figure(share, MANY, MANY),))
        for name, share in (("decision", 0.0), ("update", 1.0))
    )
    split = Split(
        DIMENSIONS["kind"], "20%", "survival", (row,), (0,), (0,), groups, Group("all", ()), 0
    )
    assert kinds_title(split, SURVIVAL, RowShares(cells)) == (
        "At 20%, decision probes are kept least: 0% on average"
    )


def test_tokens_are_told_from_the_least_to_the_most_of_the_usable(material: Material) -> None:
    (chart,) = token_flow_charts(material)
    one = next(dict(zip(chart.columns, row, strict=True)) for row in chart.data if row[4])
    spent, saved = (
        f"{int(one[key] or 0) / int(one['full'] or 1):.1%}" for key in ("summarizer", "saved_net")
    )
    assert chart.title == (
        f"At 40%, making summaries costs rolling-summary {spent} of the full history; {saved} is"
        " saved net"
    )


def with_nothing_at(material: Material, budget: str) -> Material:
    """The run without a figure at a budget, as where all conversations are infeasible."""
    rows = [
        replace(row, survival=None, reuse=None) if row.budget == budget else row
        for row in material.rows
    ]
    return replace(material, rows=rows)


def test_one_rule_chooses_the_budget_and_the_note_says_it(material: Material) -> None:
    assert told_budget(material) == "40%"
    assert budget_note(material) == (
        "budget 40% of the full history, the last of 2 with a usable strategy"
    )
    other = with_nothing_at(material, "40%")
    assert told_budget(other) == "20%"
    assert budget_note(other) == (
        "budget 20% of the full history, the only one with a usable strategy"
    )
    shown: list[Chart] = [*token_flow_charts(other), *tradeoff_charts(other)]
    assert all(chart.title.startswith("At 20%") for chart in shown)
    assert "budget 20%" in shown[0].note
    assert told_budget(replace(material, rows=[])) == ""


def test_the_budget_of_the_title_has_a_panel() -> None:
    budgets = ["10%", "20%", "30%", "40%"]
    assert panelled(budgets, "30%") == ["10%", "30%", "40%"]
    assert panelled(budgets, "20%") == ["10%", "20%", "40%"]
    assert panelled(budgets, "40%") == ["10%", "30%", "40%"]
    assert panelled(budgets[:3], "10%") == budgets[:3]
