"""Which probes tell no strategies apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from compaction_eval.eval.records import CellRecord, Verdict
from compaction_eval.eval.store import Run
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.unanimous import Unanimous, comparable, line, unanimous
from compaction_eval.scenarios.records import Place, Probe

Told = Callable[..., CellRecord]
MANIFEST = {
    "strategies": [{"label": "cheat", "sees_answer_key": True}],
    "summarizers": [{"label": "oracle", "sees_answer_key": True}],
}


def outcomes(cells: Iterable[CellRecord]) -> dict[str, str]:
    return {one.probe: one.outcome for one in unanimous(Run(MANIFEST, tuple(cells)), Marks())}


def test_what_all_pass_and_what_none_passes_is_found(told: Told) -> None:
    cells = [
        told("a", "correct", "missing", "correct", strategy=strategy, budget=budget)
        for strategy in ("one", "two")
        for budget in ("15%", "30%")
    ]
    assert outcomes(cells) == {"p0": "all", "p1": "none", "p2": "all"}
    assert unanimous(Run(MANIFEST, tuple(cells)), Marks())[1] == Unanimous(
        "a", "p1", "recall", "none", 4
    )


def test_one_budget_or_variant_that_differs_is_enough(told: Told) -> None:
    cells = [told("a", "correct"), told("a", "missing", budget="15%")]
    assert outcomes(cells) == {}
    variant = told("a", "missing")
    variant = replace(variant, key=replace(variant.key, variant="noise=20"))
    assert outcomes([told("a", "correct"), variant]) == {}


@pytest.mark.parametrize("strategy", ["none", "empty", "evidence-only", "cheat"])
def test_references_and_what_sees_the_answer_key_have_no_say(told: Told, strategy: str) -> None:
    cells = [told("a", "missing"), told("a", "correct", strategy=strategy)]
    assert outcomes(cells) == {"p0": "none"}


def test_summaries_from_the_answer_key_have_no_say(told: Told) -> None:
    helped = told("a", "correct")
    helped = replace(helped, key=replace(helped.key, summarizer="oracle"))
    assert outcomes([told("a", "missing"), helped]) == {"p0": "none"}


def test_plain_recency_has_a_say(told: Told) -> None:
    assert outcomes([told("a", "missing"), told("a", "correct", strategy="token-window")]) == {}


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        (("correct", "not-asked"), {"p0": "all"}),
        (("stale", "not-asked"), {}),
        (("not-asked", "not-asked"), {}),
        (("stale", "wrong"), {"p0": "none"}),
        (("error", "correct"), {"p0": "all"}),
        (("error", "error"), {}),
    ],
)
def test_a_view_that_was_not_asked_has_not_failed(
    told: Told, verdicts: tuple[Verdict, Verdict], outcome: dict[str, str]
) -> None:
    cells = [told("a", verdict, strategy=f"s{at}") for at, verdict in enumerate(verdicts)]
    assert outcomes(cells) == outcome


def test_cells_in_error_and_apart_have_no_say_and_reuse_is_left_out(told: Told) -> None:
    failed = replace(told("a", "correct"), error="raised")
    apart = replace(told("a", "correct"), apart=True)
    assert outcomes([told("a", "missing"), failed, apart]) == {"p0": "none"}
    assert outcomes([told("a", "missing", kinds=("reuse",))]) == {}


def test_one_strategy_at_whatever_budgets_can_not_be_told_apart(told: Told) -> None:
    one = (told("a", "correct"), told("a", "correct", strategy="none"))
    assert not comparable(Run(MANIFEST, one), Marks())
    assert not comparable(Run(MANIFEST, (*one, told("a", "correct", budget="50%"))), Marks())
    assert comparable(
        Run(MANIFEST, (*one, told("a", "correct", strategy="window-summary"))), Marks()
    )


def test_a_line_tells_place_outcome_and_reason() -> None:
    found = Unanimous("a", "p", "recall", "all", 27)
    probe = Probe("p", "recall", "?", (), place=Place("a.yaml", 3, 5), kept="a check of the floor")
    assert line(found, probe) == (
        "a.yaml:3:5: a, probe 'p' (recall): every strategy passes it at every budget (27 views);"
        " kept: a check of the floor"
    )
    assert line(replace(found, outcome="none")) == (
        "a, probe 'p' (recall): no strategy passes it at any budget (27 views)"
    )
