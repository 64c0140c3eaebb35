"""Shares scenario by scenario, and what a budget's figures rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord, RequestRecord, Verdict
from compaction_eval.eval.row_shares import Base, RowShares
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows

MakeCell = Callable[..., CellRecord]
MANIFEST = {"strategies": [], "summarizers": []}


@pytest.fixture
def told() -> MakeCell:
    """Makes a cell from the verdicts of its probes."""

    def make(scenario: str, *verdicts: Verdict, kind: str = "recall", **key: str) -> CellRecord:
        named = {"strategy": "a", "budget": "30%", "summarizer": "x", "variant": "", **key}
        probes = tuple(
            ProbeRecord(f"p{at}", kind, "end", 9, verdict) for at, verdict in enumerate(verdicts)
        )
        requests = (RequestRecord(9, None, 20, 90, ()),)
        return CellRecord(CellKey(scenario, **named), 30, 100, requests=requests, probes=probes)  # type: ignore[arg-type]  # the names are the key's

    return make


def test_each_scenario_has_its_own_share_with_variants_averaged(told: MakeCell) -> None:
    cells = (
        told("port", "correct", "missing"),
        told("port", "correct", "correct", variant="noise=20"),
        told("host", "missing"),
        told("uses", "correct", kind="reuse"),
    )
    (row,) = summary_rows(Run(MANIFEST, cells))
    shares = RowShares(cells)
    assert shares.of(row, "survival") == {"host": 0.0, "port": 0.75}
    assert shares.of(row, "reuse") == {"uses": 1.0}
    assert shares.of(row, "recall") == {}


def test_a_row_without_a_summariser_stands_for_what_any_of_them_made(told: MakeCell) -> None:
    cells = (told("port", "correct"), told("port", "correct", summarizer="y"))
    row = replace(summary_rows(Run(MANIFEST, cells))[0], summarizer="")
    assert RowShares(cells).of(row, "survival") == {"port": 1.0}


def test_the_base_counts_conversations_that_are_scored_and_that_stand_apart(told: MakeCell) -> None:
    cells = (
        told("port", "correct"),
        replace(told("long", "correct"), apart=True),
        told("uses", "correct", kind="reuse"),
        replace(told("long", "correct", budget="15%"), apart=True),
    )
    at_15, at_30 = sorted(summary_rows(Run(MANIFEST, cells)), key=lambda row: row.budget)
    assert RowShares(cells).base([at_30], "survival") == Base(3, 1, 1)
    assert RowShares(cells).base([at_15], "survival") == Base(1, 0, 1)


def test_a_row_has_the_interval_of_each_share_that_it_is_ranked_by(told: MakeCell) -> None:
    """Of six scenarios the exact interval is from the smallest to the largest mean of a subset."""
    shares: list[tuple[Verdict, ...]] = [("correct",)] * 5 + [("missing",)]
    (row,) = summary_rows(
        Run(MANIFEST, tuple(told(f"s{at}", *own) for at, own in enumerate(shares)))
    )
    assert (row.survival_low, row.survival_high) == (0.0, 1.0)
    assert (row.reuse_low, row.recall_high) == (None, None)


def test_too_few_scenarios_have_no_interval(told: MakeCell) -> None:
    cells = tuple(told(f"s{at}", "correct") for at in range(5))
    (row,) = summary_rows(Run(MANIFEST, cells))
    assert (row.survival, row.survival_low, row.survival_high) == (1.0, None, None)
