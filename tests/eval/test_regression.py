"""A run against its baseline: what fails, what passes, and what can't be said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.gates import parse_gates
from compaction_eval.eval.regression import check_regression
from compaction_eval.strategies.errors import ConfigurationError


def test_any_verdict_that_gets_worse_fails_a_deterministic_run(by_hand: Any) -> None:
    found = check_regression(by_hand({"a": "++-"}), by_hand({"a": "+++"}), ())
    assert found.outcome == "fail"
    assert [(flip.probe, flip.change) for flip in found.worse] == [("p2", "lost")]


def test_flips_for_the_worse_come_first_and_the_better_ones_fail_nothing(by_hand: Any) -> None:
    found = check_regression(by_hand({"a": "+--"}), by_hand({"a": "-++"}), ())
    assert [flip.change for flip in found.flips] == ["lost", "lost", "regained"]
    assert check_regression(by_hand({"a": "++"}), by_hand({"a": "-+"}), ()).outcome == "pass"


def test_as_many_flips_as_allowed_pass(by_hand: Any) -> None:
    before, after = by_hand({"a": "++++"}), by_hand({"a": "--++"})
    assert check_regression(after, before, (), allow_flips=2).outcome == "pass"
    assert check_regression(after, before, (), allow_flips=1).outcome == "fail"


def test_what_is_new_is_no_regression_and_what_is_gone_is_one(by_hand: Any) -> None:
    one, two = by_hand({"a": "+"}), by_hand({"a": "+", "b": "-"})
    added = check_regression(two, one, ())
    assert (added.outcome, added.paired and added.paired.new_scenarios) == ("pass", ("b",))
    assert check_regression(one, two, ()).outcome == "fail"
    assert check_regression(one, two, (), allow_removed=True).outcome == "pass"


def test_an_incomplete_run_never_passes(by_hand: Any) -> None:
    whole = by_hand({"a": "+"})
    failed = replace(whole, cells=(replace(whole.cells[0], error=True),))
    for evidence in (replace(whole, missing=1), failed):
        assert check_regression(evidence, whole, ()).outcome == "incomplete"


def test_where_nothing_could_fail_nothing_passes(by_hand: Any) -> None:
    evidence = by_hand({"a": "+"})
    with pytest.raises(ConfigurationError, match="nothing to check"):
        check_regression(evidence, None, ())
    with pytest.raises(
        ConfigurationError, match=r"--fail-on-drop survival=2pp: needs a --baseline"
    ):
        check_regression(evidence, None, parse_gates({"fail-on-drop": ["survival=2pp"]}))


def test_flips_decide_nothing_where_a_model_took_part(by_hand: Any) -> None:
    before = by_hand({f"s{n}": "++++" for n in range(8)}, live=True)
    after = by_hand({f"s{n}": "++++" if n else "+++-" for n in range(8)}, live=True)
    with pytest.raises(ConfigurationError, match="only gates decide"):
        check_regression(after, before, ())
    gates = parse_gates({"fail-on-drop": ["survival=10pp"]})
    found = check_regression(after, before, gates)
    assert (found.outcome, found.allowed_flips, len(found.worse)) == ("pass", None, 1)
    assert check_regression(after, before, gates, statistical=False).outcome == "fail"


@pytest.mark.parametrize(
    "given", [{}, {"fail-under": ["survival=0.1"]}, {"fail-on-rise": ["fallbacks=0"]}]
)
def test_a_baseline_that_no_gate_looks_at_is_refused_where_a_model_took_part(
    by_hand: Any, given: dict[str, list[str]]
) -> None:
    """Else everything could be forgotten down to the bound, and the baseline only seems to hold."""
    before = by_hand({f"s{n}": "++++" for n in range(8)}, live=True)
    with pytest.raises(ConfigurationError, match="nothing would compare the verdicts"):
        check_regression(before, before, parse_gates(given))


def answered(evidence: Evidence, right: int) -> Evidence:
    """The same, with answers to its first probes right and to the others wrong."""
    return replace(
        evidence,
        cells=tuple(
            replace(
                cell,
                outcomes=tuple(
                    replace(one, recall="correct" if at < right else "missing")
                    for at, one in enumerate(cell.outcomes)
                ),
            )
            for cell in evidence.cells
        ),
    )


def test_where_a_model_only_answered_every_flip_of_a_view_fails_and_answers_are_weighed(
    by_hand: Any,
) -> None:
    whole = by_hand({f"s{n}": "++++" for n in range(8)})
    worse = by_hand({f"s{n}": "++++" if n else "+++-" for n in range(8)})
    gates = parse_gates({"fail-on-drop": ["recall=10pp"]})
    before, after = answered(whole, 4), answered(worse, 4)
    found = check_regression(after, before, gates)
    assert (found.outcome, found.allowed_flips, len(found.worse)) == ("fail", 0, 1)
    assert found.results[0].judgement == "pass"
    same = check_regression(answered(whole, 2), before, gates)
    assert (same.outcome, same.worse) == ("fail", ())
    assert same.results[0].interval is not None


def test_answers_that_no_gate_looks_at_are_refused_unless_only_views_count(by_hand: Any) -> None:
    before = answered(by_hand({f"s{n}": "++++" for n in range(8)}), 4)
    with pytest.raises(ConfigurationError, match="--fail-on-drop recall=2pp"):
        check_regression(before, before, parse_gates({"fail-on-drop": ["survival=0pp"]}))
    assert check_regression(before, before, (), statistical=False).outcome == "pass"


def test_an_open_gate_is_neither_a_pass_nor_a_fail_unless_another_fails(by_hand: Any) -> None:
    before = by_hand({f"s{n}": "++++" for n in range(4)}, live=True)
    gates = parse_gates({"fail-on-drop": ["survival=10pp"]})
    assert check_regression(before, before, gates).outcome == "inconclusive"
    gates = parse_gates({"fail-on-drop": ["survival=10pp"], "fail-over": ["survival=0"]})
    assert check_regression(before, before, gates).outcome == "fail"


def test_what_cant_be_compared_is_refused_with_every_reason(by_hand: Any) -> None:
    before = replace(by_hand({"a": "+"}), circumstances={"encoding": "x", "matcher": 9})
    with pytest.raises(ConfigurationError) as refused:
        check_regression(by_hand({"a": "+"}), before, ())
    reasons = str(refused.value).splitlines()
    assert len(reasons) == 2
    assert all(reason.startswith("can't be compared: ") for reason in reasons)
