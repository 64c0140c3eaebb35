"""Differences add up, rest on what both sides asked, and know how far they can be trusted."""

from __future__ import annotations

import pytest

from compaction_eval.eval.comparison import Difference, Grouping, compare
from compaction_eval.eval.evidence import CellEvidence, Outcome, Totals
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.records import CellKey, Verdict
from compaction_eval.eval.statistics import mean_interval

KIND = Grouping("kind", lambda one: (one.kind,), lambda name: (0, name))


def cell(
    scenario: str,
    *verdicts: Verdict,
    kind: str = "recall",
    variant: str = "",
    repeat: int = 0,
    sent: int = 100,
    retained: int = 50,
    apart: bool = False,
) -> CellEvidence:
    key = CellKey(scenario, variant, "mine", "30%", "extractive", repeat)
    totals = Totals(
        sent_tokens=sent, full_tokens=200, retained_tokens=retained, probed_requests=len(verdicts)
    )
    outcomes = tuple(Outcome(f"p{at}", "end", kind, told) for at, told in enumerate(verdicts))
    return CellEvidence(key, totals, outcomes, apart=apart)


def found(*pairs: tuple[CellEvidence, CellEvidence]) -> dict[str, Difference]:
    told = compare([Pair(*both) for both in pairs])
    return {one.measure: one for one in told}


def test_the_scenario_counts_once_however_many_probes_it_has() -> None:
    one = found(
        (cell("a", "correct", "correct", "correct"), cell("a", "missing", "missing", "missing")),
        (cell("b", "correct"), cell("b", "correct")),
    )["survival"]
    assert (one.before, one.after, one.change) == (1.0, 0.5, -0.5)
    assert (one.scenarios, one.probes, one.interval, one.changed) == (2, 4, None, True)


def test_variants_are_averaged_before_scenarios() -> None:
    one = found(
        (cell("a", "correct", variant="n=1"), cell("a", "missing", variant="n=1")),
        (cell("a", "correct", variant="n=2"), cell("a", "correct", variant="n=2")),
        (cell("b", "correct"), cell("b", "correct")),
    )["survival"]
    assert one.change == pytest.approx(-0.25)


def test_repeats_of_a_probe_are_averaged_first() -> None:
    one = found(
        (cell("a", "correct", "missing"), cell("a", "correct", "missing")),
        (cell("a", "correct", "missing", repeat=1), cell("a", "missing", "missing", repeat=1)),
    )["survival"]
    assert (one.probes, one.before, one.after) == (2, 0.5, 0.25)


def test_a_probe_that_one_side_did_not_ask_is_in_no_share() -> None:
    one = found((cell("a", "correct", "not-asked"), cell("a", "correct", "wrong")))["survival"]
    assert (one.probes, one.change, one.changed) == (1, 0.0, False)


def test_changes_that_cancel_out_are_changes_all_the_same() -> None:
    one = found((cell("a", "correct", "missing"), cell("a", "missing", "correct")))["survival"]
    assert (one.change, one.changed) == (0.0, True)


def test_the_interval_is_that_of_one_number_a_scenario() -> None:
    after: tuple[Verdict, ...] = ("correct", "missing", "missing", "correct", "missing", "correct")
    pairs = [
        (cell(f"s{at}", "correct", "correct"), cell(f"s{at}", told, "correct"))
        for at, told in enumerate(after)
    ]
    one = found(*pairs)["survival"]
    expected = mean_interval([0.0, -0.5, -0.5, 0.0, -0.5, 0.0])
    assert one.interval is not None
    assert (one.interval.low, one.interval.high) == (expected.low, expected.high)


def test_tokens_are_sums_and_ratios_of_sums() -> None:
    told = found(
        (cell("a", "correct", sent=100, retained=50), cell("a", "correct", sent=60, retained=40)),
        (cell("b", "stale", "stale", sent=80), cell("b", "stale", "stale", sent=80)),
    )
    sent, saved, retained = (
        told[name] for name in ("sent_tokens", "saved_net_share", "retained_tokens")
    )
    assert (sent.before, sent.after, sent.change) == (180, 140, -40)
    assert (saved.before, saved.after) == (pytest.approx(0.55), pytest.approx(0.65))
    assert (retained.before, retained.after) == (pytest.approx(100 / 3), pytest.approx(30))
    assert sent.probes is None


def test_cells_that_stand_apart_are_in_token_sums_only() -> None:
    told = found(
        (cell("a", "correct", apart=True), cell("a", "missing", apart=True, sent=90)),
        (cell("b", "correct"), cell("b", "correct")),
    )
    assert (told["survival"].scenarios, told["survival"].changed) == (1, False)
    assert told["sent_tokens"].change == -10


def test_what_the_agents_words_use_is_compared_apart() -> None:
    pairs = [
        Pair(cell("a", "correct", kind="reuse"), cell("a", "correct", kind="reuse")),
        Pair(cell("b", "correct", kind="reuse-text"), cell("b", "missing", kind="reuse-text")),
    ]
    told = [(one.by, one.group, one.measure, one.change) for one in compare(pairs, (KIND,))]
    assert told[:2] == [("strategy", "", "reuse", 0.0), ("strategy", "", "reuse_text", -1.0)]
    assert told[-2:] == [
        ("kind", "reuse", "reuse", 0.0),
        ("kind", "reuse-text", "reuse_text", -1.0),
    ]


def test_reuse_is_a_kind_of_its_own_and_no_part_of_survival() -> None:
    pairs = [
        Pair(cell("a", "correct"), cell("a", "correct")),
        Pair(cell("b", "correct", kind="reuse"), cell("b", "missing", kind="reuse")),
    ]
    told = [(one.by, one.group, one.measure, one.change) for one in compare(pairs, (KIND,))]
    assert ("strategy", "", "survival", 0.0) in told
    assert ("strategy", "", "reuse", -1.0) in told
    assert told[-2:] == [("kind", "recall", "survival", 0.0), ("kind", "reuse", "reuse", -1.0)]
