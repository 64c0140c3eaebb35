"""The difficulty figures: means over scenarios of their own shares, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.difficulty import Figure, Split, splits
from compaction_eval.reports.dimensions import DIMENSIONS, age_band, compaction_band, unsaid
from compaction_eval.reports.marks import Marks

Told = Callable[..., CellRecord]
MANIFEST = {
    "places": {"a": {"family": "chat"}, "b": {"family": "chat"}, "c": {"family": "coding"}},
    "scenarios": [{"id": "a", "lang": "en"}, {"id": "b", "lang": "zh"}, {"id": "c", "lang": "en"}],
}


def split(by: str, *cells: CellRecord) -> Split:
    run = Run(MANIFEST, cells)
    (found,) = splits(run, summary_rows(run), DIMENSIONS[by], Marks())
    return found


def figures(found: Split) -> dict[str, Figure]:
    """Of the first column, by group."""
    return {group.name: group.figures[0] for group in (*found.groups, found.overall)}


def test_a_long_conversation_counts_no_more_than_a_short_one(told: Told) -> None:
    found = split("family", told("a", "correct"), told("b", *["missing"] * 3, "correct"))
    assert figures(found)["chat"] == Figure((1 + 0.25) / 2, 2, 5)


def test_a_scenario_counts_within_a_group_by_what_it_has_there(told: Told) -> None:
    """Its share among its recall probes, whatever becomes of the others."""
    a = told("a", "correct", "missing", kinds=("recall", "update"))
    b = told("b", "missing", "missing", kinds=("recall", "recall"))
    found = figures(split("kind", a, b))
    assert found["recall"] == Figure(0.5, 2, 3)
    assert found["update"] == Figure(0.0, 1, 1)
    assert found["all"] == Figure(0.25, 2, 4)


def test_the_last_row_is_the_survival_of_the_summary(told: Told) -> None:
    cells = (told("a", "correct", "missing"), told("b", "missing"), told("c", "correct"))
    (row,) = summary_rows(Run(MANIFEST, cells))
    overall = split("family", *cells).overall.figures[0]
    assert (overall.share, overall.scenarios, overall.probes) == (
        row.survival,
        row.scenarios,
        row.probes,
    )


def test_errors_and_what_was_not_asked_are_in_no_denominator(told: Told) -> None:
    failed = replace(told("b", "missing"), error="raised")
    apart = replace(told("c", "missing"), apart=True)
    a = told("a", "correct", "not-asked", "error")
    assert figures(split("family", a, failed, apart)) == {
        "chat": Figure(1.0, 1, 1),
        "all": Figure(1.0, 1, 1),
    }


def test_what_one_strategy_was_not_asked_has_no_share_there(told: Told) -> None:
    asked = told("a", "wrong", kinds=("abstention",))
    silent = told("a", "not-asked", kinds=("abstention",), strategy="other")
    (group,) = split("kind", asked, silent).groups
    assert group.figures == (Figure(0.0, 1, 1), Figure(None, 0, 0))
    assert group.mean([0]) == 0.0
    assert group.mean([0, 1]) is None


def test_what_nobody_was_asked_about_has_no_row(told: Told) -> None:
    found = split("kind", told("a", "correct", "not-asked", kinds=("recall", "abstention")))
    assert [group.name for group in found.groups] == ["recall"]


def test_reuse_is_a_kind_of_its_own_beside_what_was_written(told: Told) -> None:
    cell = told("a", "correct", "missing", kinds=("recall", "reuse"))
    found = figures(split("kind", cell))
    assert (found["reuse"], found["all"]) == (Figure(0.0, 1, 1), Figure(1.0, 1, 1))
    assert figures(split("family", cell))["chat"] == Figure(1.0, 1, 1)


def test_the_agents_words_are_a_kind_of_their_own_and_in_no_total(told: Told) -> None:
    cell = told("a", "correct", "missing", kinds=("reuse", "reuse-text"))
    found = split("kind", cell)
    assert [group.name for group in found.groups] == ["reuse", "reuse-text"]
    assert found.overall.figures[0] == Figure(1.0, 1, 1)


def test_found_probes_are_told_apart_by_where_the_value_was_used(told: Told) -> None:
    cell = told("a", "correct", "missing", "correct", kinds=("recall", "reuse", "reuse-text"))
    words = replace(cell.probes[2], where="text")
    found = split("where", replace(cell, probes=(*cell.probes[:2], words)))
    assert [group.name for group in found.groups] == ["call", "text"]
    assert found.overall.figures[0] == Figure(0.5, 1, 2)


@pytest.mark.parametrize(
    ("compactions", "band"), [(0, "0"), (1, "1"), (2, "2-3"), (3, "2-3"), (4, "4-7"), (8, "8-15")]
)
def test_bands_of_compactions_double(compactions: int, band: str) -> None:
    assert compaction_band(compactions) == band


def test_reuse_is_told_apart_by_the_compactions_since(told: Told) -> None:
    cell = told("a", "correct", "missing", "missing", kinds=("reuse",) * 3)
    since = (10, 0, None)
    aged = [replace(p, age_compactions=n) for p, n in zip(cell.probes, since, strict=True)]
    found = split("compactions", replace(cell, probes=tuple(aged)))
    assert [group.name for group in found.groups] == ["0", "8-15"]
    assert found.ungrouped == 1


def test_a_run_without_written_probes_is_told_apart_by_reuse(told: Told) -> None:
    found = split("family", told("a", "missing", "correct", kinds=("reuse", "reuse")))
    assert (found.measure, figures(found)["chat"]) == ("reuse", Figure(0.5, 1, 2))


@pytest.mark.parametrize(
    ("before", "group"),
    [(0, "0-20%"), (19, "0-20%"), (20, "20-40%"), (59, "40-60%"), (99, "80-100%")],
)
def test_evidence_belongs_to_the_fifth_in_which_it_begins(
    told: Told, before: int, group: str
) -> None:
    found = split("position", told("a", "correct", before=before))
    assert [one.name for one in found.groups] == [group]


def test_probes_without_evidence_are_in_no_group_and_are_counted(told: Told) -> None:
    found = split("position", told("a", "correct", before=5), told("b", "wrong", before=None))
    assert ([group.name for group in found.groups], found.ungrouped) == (["0-20%"], 1)
    assert figures(found)["all"] == Figure(0.5, 2, 2)


def test_positions_and_ages_are_in_their_own_order(told: Told) -> None:
    cells = [told("a", "correct", before=90, age=3), told("b", "correct", before=5, age=12_000)]
    cells.append(told("c", "correct", before=50, age=600))
    assert [g.name for g in split("position", *cells).groups] == ["0-20%", "40-60%", "80-100%"]
    ages = [group.name for group in split("age", *cells).groups]
    assert ages == ["0-249", "500-999", "8,000-15,999"]


@pytest.mark.parametrize(
    ("tokens", "band"),
    [(0, "0-249"), (249, "0-249"), (250, "250-499"), (999, "500-999"), (1000, "1,000-1,999")],
)
def test_age_bands_double(tokens: int, band: str) -> None:
    assert age_band(tokens) == band


def test_single_probes_come_hardest_first(told: Told) -> None:
    cell = told("a", "correct", "missing", "correct")
    assert [g.name for g in split("probe", cell).groups] == ["a p1", "a p0", "a p2"]


def test_best_and_worst_are_marked_and_controls_without_limits_left_aside(told: Told) -> None:
    good = told("a", "correct", "correct", strategy="good")
    poor = told("a", "correct", "missing", strategy="poor")
    none = told("a", "correct", "correct", strategy="none")
    empty = told("a", "missing", "missing", strategy="empty")
    found = split("family", none, poor, good, empty)
    assert (found.best(found.groups[0]), found.worst(found.groups[0])) == ({2}, {1})


def test_where_all_are_alike_none_is_best(told: Told) -> None:
    found = split("family", told("a", "correct"), told("a", "correct", strategy="other"))
    assert found.best(found.groups[0]) | found.worst(found.groups[0]) == set()


def test_a_strategy_with_errors_is_not_compared(told: Told) -> None:
    """It rests on other conversations than its neighbours."""
    failed = replace(told("b", "correct", strategy="flaky"), error="raised")
    flaky = told("a", "missing", strategy="flaky")
    found = split("family", told("a", "correct"), told("b", "correct"), flaky, failed)
    assert found.compared == (0,)


@pytest.mark.parametrize("name", ["family", "language", "position"])
def test_what_an_older_run_does_not_say_is_told(told: Told, name: str) -> None:
    old = replace(told("a", "correct").probes[0], source=3, source_tokens=None)
    cell = replace(told("a", "correct"), probes=(old,))
    remark = unsaid({"scenarios": [{"id": "a"}]}, [cell], name)
    assert remark is not None
    assert remark.startswith("This run doesn't say ")
    assert unsaid(MANIFEST, [told("a", "correct", before=3)], name) is None
