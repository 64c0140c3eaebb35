"""From cells to the table's rows: what is a mean of what, and what is left out of which figure."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.records import (
    CellKey,
    CellRecord,
    ProbeRecord,
    RequestRecord,
    SummaryRow,
    Verdict,
)
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows


def probes(*verdicts: Verdict, kind: str = "recall", **more: Any) -> tuple[ProbeRecord, ...]:
    return tuple(
        ProbeRecord(f"p{n}", kind, "end", 9, verdict, **more) for n, verdict in enumerate(verdicts)
    )


def cell(
    scenario: str = "a",
    *records: ProbeRecord,
    variant: str = "",
    repeat: int = 0,
    requests: tuple[RequestRecord, ...] = (RequestRecord(1, None, 10, 10, ((0, 1),)),),
    strategy: str = "s",
    **more: Any,
) -> CellRecord:
    key = CellKey(scenario, variant, strategy, "30%", "none", repeat)
    return CellRecord(key, 30, 100, requests=requests, probes=records, **more)


def row(*cells: CellRecord) -> SummaryRow:
    (only,) = summary_rows(Run({}, tuple(cells)))
    return only


HALF, ALL, NONE = probes("correct", "missing"), probes("correct"), probes("missing", "missing")


def test_the_conversation_is_the_unit_of_evidence() -> None:
    """A scenario with many probes weighs no more than one with few."""
    found = row(cell("a", *probes(*["missing"] * 9)), cell("b", *ALL))
    assert (found.survival, found.survival_pooled) == (1 / 2, 1 / 10)
    assert (found.scenarios, found.probes) == (2, 10)


def test_variants_and_repeats_are_averaged_before_scenarios() -> None:
    found = row(
        cell("a", *ALL, variant="noise=0"),
        cell("a", *NONE, variant="noise=20"),
        cell("a", *NONE, variant="noise=20", repeat=1),
        cell("b", *ALL),
    )
    assert found.survival == pytest.approx((1 / 3 + 1) / 2)
    assert found.survival_pooled == 2 / 6
    assert (found.scenarios, found.cells) == (2, 4)


def test_mixed_and_stale_are_shares_of_the_same_denominator() -> None:
    found = row(cell("a", *probes("correct", "mixed", "stale", "missing")))
    assert (found.survival, found.mixed, found.stale) == (1 / 4, 1 / 4, 1 / 4)
    assert (found.survival_pooled, found.mixed_pooled, found.stale_pooled) == (1 / 4,) * 3


def test_what_was_not_asked_is_in_no_denominator() -> None:
    found = row(
        cell("a", *probes("correct", "not-asked", "error")), cell("b", *probes("not-asked"))
    )
    assert (found.survival, found.survival_pooled, found.probes) == (1.0, 1.0, 1)
    assert found.scenarios == 1


def test_what_was_not_measured_is_null_and_no_zero() -> None:
    found = row(cell("a", *probes("not-asked")))
    assert (found.survival, found.stale, found.mixed, found.reuse, found.recall) == (None,) * 5
    assert (found.survival_pooled, found.reuse_pooled, found.recall_pooled) == (None,) * 3
    assert row(cell("a")).retained_tokens is None
    assert row(cell("a", *probes("missing"))).survival == 0.0


def test_an_error_is_counted_and_weighs_in_nothing() -> None:
    failed = cell("b", requests=(), error="raised RuntimeError: no luck")
    alone, beside = row(cell("a", *HALF)), row(cell("a", *HALF), failed)
    assert (beside.cells, beside.errors, beside.scenarios) == (2, 1, 1)
    assert (beside.survival, beside.survival_pooled) == (0.5, 0.5)
    assert beside.conversation_tokens == alone.conversation_tokens == 100


def test_where_every_cell_failed_nothing_was_measured_and_nothing_is_zero() -> None:
    """A row of zeros would be a strategy that sends only valid requests, within its budget."""
    found = row(cell("a", requests=(), error="raised RuntimeError: no luck"))
    known = {"strategy": "s", "budget": "30%", "summarizer": "none", "sees_answer_key": False}
    known |= {"scenarios": 0, "cells": 1, "cells_apart": 0, "errors": 1, "probes": 0}
    assert {name: value for name, value in asdict(found).items() if value is not None} == {
        **known,
        "reuse_probes": 0,
        "reuse_text_probes": 0,
    }


def test_reuse_stands_beside_survival_and_leaves_out_what_came_free() -> None:
    found = row(
        cell(
            "a",
            *ALL,
            *probes("missing", "missing", kind="reuse"),
            *probes("correct", kind="reuse", own=True),
            *probes("correct", kind="reuse", free=True),
        )
    )
    assert (found.survival, found.reuse, found.reuse_pooled) == (1.0, 1 / 3, 1 / 3)
    assert (found.reuse_probes, found.probes) == (3, 4)


def test_values_that_may_be_there_by_chance_are_in_reuse_and_not_in_what_is_sure() -> None:
    found = row(
        cell(
            "a",
            *probes("missing", kind="reuse", chance=True),
            *probes("correct", "missing", kind="reuse", recoverable=True),
            *probes("correct", "missing", "missing", kind="reuse"),
            *probes("missing", kind="reuse", free=True),
        )
    )
    assert (found.reuse, found.reuse_sure) == (2 / 6, 2 / 5)
    assert (found.reuse_recoverable, found.reuse_irreplaceable) == (1 / 2, 1 / 3)
    assert (found.reuse_lost_recoverable, found.reuse_lost_for_good) == (1, 2)


def test_each_conversation_counts_the_same_in_every_share_of_reuse() -> None:
    found = row(
        cell("a", *probes(*["missing"] * 9, kind="reuse")),
        cell("b", *probes("correct", kind="reuse")),
    )
    assert (found.reuse_sure, found.reuse_sure_pooled) == (1 / 2, 1 / 10)
    assert (found.reuse_irreplaceable, found.reuse_irreplaceable_pooled) == (1 / 2, 1 / 10)


def test_the_agents_words_are_in_no_share_but_their_own() -> None:
    words = probes("correct", "missing", "missing", kind="reuse-text", request=1)
    free = probes("missing", kind="reuse-text", request=1, free=True)
    requests = (request(10), request(50))
    found = row(cell("a", *ALL, *words, *free, requests=requests))
    assert (found.survival, found.reuse, found.probes) == (1.0, None, 1)
    assert (found.reuse_text, found.reuse_text_pooled, found.reuse_text_probes) == (1 / 3, 1 / 3, 3)
    assert found.retained_tokens == 10


def request(tokens: int, **more: Any) -> RequestRecord:
    return RequestRecord(1, more.pop("probe", None), tokens, more.pop("full", tokens), (), **more)


def test_a_cell_apart_is_in_the_counts_and_in_no_share() -> None:
    inside = cell("a", *HALF, requests=(request(10, full=50), request(20, full=60)))
    apart = cell("b", *ALL, requests=(request(7, full=90, infeasible=True),), apart=True)
    found = row(inside, apart)
    assert (found.survival, found.survival_pooled) == (0.5, 0.5)
    assert (found.scenarios, found.probes, found.cells_apart) == (1, 2, 1)
    assert found.retained_tokens == 10
    assert (found.requests, found.infeasible_requests) == (3, 1)
    assert (found.sent_tokens, found.full_tokens) == (37, 200)
    assert found.conversation_tokens == 200
    assert row(apart).survival is None


def test_sent_full_and_saved_tokens_add_up() -> None:
    """Tool schemas are sent with every request, with the full history too."""
    requests = (
        request(10, full=50, summary_calls=1, summary_tokens_in=12, summary_tokens_out=3),
        request(20, full=60),
    )
    found = row(cell("a", requests=requests, tools_tokens=5))
    assert (found.sent_tokens, found.full_tokens) == (10 + 20 + 2 * 5, 50 + 60 + 2 * 5)
    assert (found.saved_gross, found.saved_net) == (80, 80 - 12 - 3)
    assert (found.summary_calls, found.summary_tokens_in, found.summary_tokens_out) == (1, 12, 3)


def test_each_conversation_counts_once_in_the_conversations_tokens() -> None:
    found = row(cell("a"), cell("a", repeat=1), cell("a", variant="x=1"), cell("b"))
    assert found.conversation_tokens == 300


def test_retained_tokens_are_the_mean_over_probed_requests() -> None:
    requests = (request(10), request(20, probe="p"), request(60, probe="q"), request(400))
    asked = (
        *probes("correct", request=1),
        *probes("missing", request=1),
        *probes("not-asked", request=2),
    )
    assert row(cell("a", *asked, requests=requests)).retained_tokens == (20 + 60) / 2
    free = probes("correct", kind="reuse", request=0, free=True)
    assert row(cell("a", *asked, *free, requests=requests)).retained_tokens == 30


def test_counts_of_requests_are_over_all_of_them() -> None:
    requests = (
        request(1, faults=("openai.6: …", "and 1 more"), refused_by=("openai", "gemini")),
        request(1, over_budget=True, action="truncate", fallback="no room", refused_by=("gemini",)),
        request(1, action="summarize", events=("thrash", "summary-grew")),
        request(1, action="mask", events=("mutated_input", "poisoned", "thrash")),
    )
    found = row(cell("a", requests=requests, never_fired=True), cell("b", requests=requests))
    assert (found.invalid_requests, found.over_budget_requests, found.compactions) == (2, 2, 6)
    assert (found.fallbacks, found.thrash, found.summary_grew) == (2, 4, 2)
    assert (found.mutated_input, found.poisoned, found.never_fired) == (2, 2, 1)
    assert found.refused_by == {"gemini": 4, "openai": 2}


def test_rows_come_in_the_order_of_the_matrix() -> None:
    cells = [cell("a", strategy="z"), cell("a", strategy="b"), cell("b", strategy="z")]
    assert [(one.strategy, one.cells) for one in summary_rows(Run({}, tuple(cells)))] == [
        ("z", 2),
        ("b", 1),
    ]


VERDICTS: Any = st.sampled_from(["correct", "mixed", "stale", "missing", "not-asked", "error"])


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 1), st.lists(VERDICTS)), max_size=6)
)
def test_shares_are_those_of_a_slow_count(drawn: list[tuple[str, int, list[Verdict]]]) -> None:
    cells = [
        cell(scenario, *probes(*verdicts), variant=str(variant), repeat=n)
        for n, (scenario, variant, verdicts) in enumerate(drawn)
    ]
    if not cells:
        return
    found = row(*cells)
    by_scenario: dict[str, list[float]] = {}
    pooled = []
    for scenario, _, verdicts in drawn:
        asked = [
            verdict == "correct" for verdict in verdicts if verdict not in ("not-asked", "error")
        ]
        pooled += asked
        if asked:
            by_scenario.setdefault(scenario, []).append(sum(asked) / len(asked))
    means = [sum(shares) / len(shares) for shares in by_scenario.values()]
    assert found.scenarios == len(means)
    assert found.survival == (pytest.approx(sum(means) / len(means)) if means else None)
    assert found.survival_pooled == (pytest.approx(sum(pooled) / len(pooled)) if pooled else None)


@pytest.mark.parametrize(
    ("strategy", "calls", "sees"),
    [("cheat", 0, True), ("s", 1, True), ("s", 0, False)],
    ids=["the strategy", "the summaries", "a summariser that was never asked"],
)
def test_a_row_says_whether_its_figures_rest_on_the_answer_key(
    strategy: str, calls: int, sees: bool
) -> None:
    manifest = {
        "strategies": [
            {"label": "cheat", "sees_answer_key": True},
            {"label": "s", "sees_answer_key": False},
        ],
        "summarizers": [{"label": "none", "sees_answer_key": True}],
    }
    requests = (RequestRecord(1, None, 10, 10, ((0, 1),), summary_calls=calls),)
    only = cell("a", *ALL, strategy=strategy, requests=requests)
    assert [one.sees_answer_key for one in summary_rows(Run(manifest, (only,)))] == [sees]
