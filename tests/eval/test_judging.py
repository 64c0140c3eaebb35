"""Gates judged: bounds are compared unrounded, and what looks at nothing is an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.evidence import Evidence, Totals
from compaction_eval.eval.gates import parse_gates
from compaction_eval.eval.judging import judge
from compaction_eval.eval.pairing import pair
from compaction_eval.strategies.errors import ConfigurationError


def judged(evidence: Evidence, rule: str, *texts: str) -> list[str]:
    return [one.judgement for one in judge(parse_gates({rule: texts}), evidence)]


def compared(before: Evidence, after: Evidence, rule: str, *texts: str, **more: Any) -> Any:
    pairs = pair(before, after).pairs
    return judge(parse_gates({rule: texts}), after, pairs, **more)


@pytest.mark.parametrize(
    ("correct", "of", "bound", "judgement"),
    [
        (949, 1000, "95%", "fail"),
        (949, 1000, "0.949", "pass"),
        (950, 1000, "95%", "pass"),
        (19, 20, "0.95", "pass"),
        (2, 3, "0.66667", "fail"),
    ],
)
def test_bounds_are_compared_unrounded(
    by_hand: Any, correct: int, of: int, bound: str, judgement: str
) -> None:
    evidence = by_hand({"a": "+" * correct + "-" * (of - correct)})
    (result,) = judge(parse_gates({"fail-under": [f"survival={bound}"]}), evidence)
    assert (result.judgement, result.value) == (judgement, correct / of)
    assert (result.probes, result.scenarios) == (of, 1)


def test_of_two_gates_on_one_metric_the_stricter_decides_wherever_it_stands(by_hand: Any) -> None:
    evidence = by_hand({"a": "+++-"})
    assert judged(evidence, "fail-under", "survival=0.9", "survival=0.5") == ["fail", "pass"]
    assert judged(evidence, "fail-under", "survival=0.5", "survival=0.9") == ["pass", "fail"]


def test_the_conversation_is_the_unit_of_a_share(by_hand: Any) -> None:
    evidence = by_hand({"a": "+" * 98, "b": "--"})
    (result,) = judge(parse_gates({"fail-under": ["survival=0.5"]}), evidence)
    assert result.value == 0.5


def test_a_gate_may_be_about_a_kind_a_tag_or_a_scenario(by_hand: Any) -> None:
    evidence = by_hand({"a": "+-", "b": "--"}, kinds=("update", "recall"), tags={"a": ("zh",)})
    for where, value in (
        ("kind=update", 0.5),
        ("kind=recall", 0.0),
        ("tag=zh", 0.5),
        ("scenario=b", 0.0),
        ("tag=zh,kind=update", 1.0),
    ):
        (result,) = judge(parse_gates({"fail-over": [f"survival[{where}]=1"]}), evidence)
        assert result.value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "survival[kind=continuation]=0.1",
            "nothing to look at: no survival was measured for mine",
        ),
        ("survival[scenario=c]=0.1", "scenario c"),
        ("survival[tag=zh]=0.1", "a gate on nothing would always pass"),
        ("reuse=0.1", "no reuse was measured"),
        ("survival[strategy=min]=0.1", "no strategy is 'min'; did you mean 'mine'?"),
        ("survival[budget=50%]=0.1", "no budget is '50%'; did you mean '30%'?"),
    ],
)
def test_a_gate_that_looks_at_nothing_is_an_error(by_hand: Any, text: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match="fail-under") as refused:
        judged(by_hand({"a": "+"}), "fail-under", text)
    assert reason in str(refused.value)


def test_probes_that_werent_asked_are_nothing_to_look_at(by_hand: Any) -> None:
    with pytest.raises(ConfigurationError, match="nothing to look at"):
        judged(by_hand({"a": "ne"}), "fail-under", "survival=0")


def test_controls_are_judged_only_by_name(by_hand: Any) -> None:
    evidence = by_hand({"a": "-"}, strategies=("mine", "empty"))
    found = judge(parse_gates({"fail-over": ["survival=0.5"]}), evidence)
    assert [one.row[0] for one in found] == ["mine"]
    found = judge(parse_gates({"fail-over": ["survival[strategy=empty]=0.5"]}), evidence)
    assert [one.row[0] for one in found] == ["empty"]
    with pytest.raises(ConfigurationError, match="nothing but controls"):
        judged(by_hand({"a": "-"}, strategies=("empty",)), "fail-over", "survival=0.5")


def test_a_change_of_exactly_what_is_allowed_passes(by_hand: Any) -> None:
    before, after = by_hand({"a": "+" * 50}), by_hand({"a": "+" * 49 + "-"})
    assert [r.judgement for r in compared(before, after, "fail-on-drop", "survival=2pp")] == [
        "pass"
    ]
    (failed,) = compared(before, after, "fail-on-drop", "survival=1.99pp")
    assert (failed.judgement, failed.before, failed.value) == ("fail", 1.0, 0.98)
    dear = by_hand({"a": "+"}, totals=Totals(requests=1, sent_tokens=1_234_567_890_120))
    dearer = by_hand({"a": "+"}, totals=Totals(requests=1, sent_tokens=1_296_296_284_626))
    for text, judgement in (("sent_tokens=5%", "pass"), ("sent_tokens=61_728_394_505", "fail")):
        (result,) = compared(dear, dearer, "fail-on-rise", text)
        assert result.judgement == judgement


def test_a_change_looks_only_at_what_both_have(by_hand: Any) -> None:
    before = by_hand({"a": "++"})
    after = by_hand({"a": "++", "b": "--"}, strategies=("mine", "other"))
    (result,) = compared(before, after, "fail-on-drop", "survival=0pp")
    assert (result.row[0], result.value, result.before) == ("mine", 1.0, 1.0)
    with pytest.raises(ConfigurationError, match="the baseline has none of these"):
        compared(before, after, "fail-on-drop", "survival[strategy=other]=0pp")


def live(count: int, lost: int, by_hand: Any, probes: int = 10) -> tuple[Evidence, Evidence]:
    """Scenarios of ten probes; of each of the first `lost` all are lost."""
    before = {f"s{n:02}": "+" * probes for n in range(count)}
    after = {f"s{n:02}": ("-" if n < lost else "+") * probes for n in range(count)}
    return by_hand(before, live=True), by_hand(after, live=True)


def test_flips_of_one_conversation_are_not_so_many_failures(by_hand: Any) -> None:
    """Ten probes of one scenario that fell together weigh as one, whatever a pooled test says."""
    before, after = live(20, 1, by_hand)
    (result,) = compared(before, after, "fail-on-drop", "survival=2pp", statistical=True)
    assert result.judgement == "inconclusive"
    assert result.clustering.design_effect == pytest.approx(10, rel=0.1)
    assert result.clustering.effective_probes == pytest.approx(20, rel=0.1)
    scattered = by_hand({f"s{n:02}": "-" * (n < 10) + "+" * (10 - (n < 10)) for n in range(20)})
    (apart,) = compared(before, scattered, "fail-on-drop", "survival=2pp", statistical=True)
    assert apart.value == result.value
    assert apart.clustering.design_effect < 1 < result.clustering.design_effect


@pytest.mark.parametrize(("lost", "judgement"), [(0, "pass"), (12, "fail")])
def test_what_is_clear_is_decided(by_hand: Any, lost: int, judgement: str) -> None:
    before, after = live(20, lost, by_hand)
    (result,) = compared(before, after, "fail-on-drop", "survival=5pp", statistical=True)
    assert result.judgement == judgement
    assert result.interval.low <= lost / 20 <= result.interval.high


def test_five_scenarios_are_too_few(by_hand: Any) -> None:
    before, after = live(5, 5, by_hand)
    (result,) = compared(before, after, "fail-on-drop", "survival=5pp", statistical=True)
    assert (result.judgement, result.interval) == ("inconclusive", None)
    assert "5 scenarios are too few" in result.why
    before, after = live(6, 6, by_hand)
    (result,) = compared(before, after, "fail-on-drop", "survival=5pp", statistical=True)
    assert result.judgement == "fail"


def test_several_gates_make_it_no_harder_to_pass_all_of_them(by_hand: Any) -> None:
    """A chance that lets one pass would have to let all of them."""
    before, after = live(6, 0, by_hand)
    found = compared(before, after, "fail-on-drop", *["survival=5pp"] * 4, statistical=True)
    assert {(one.judgement, one.p_harmless) for one in found} == {("pass", 1 / 64)}


def test_several_gates_make_each_of_them_harder_to_fail(by_hand: Any) -> None:
    before, after = live(6, 6, by_hand)
    one = ["survival=5pp"]
    (alone,) = compared(before, after, "fail-on-drop", *one, statistical=True)
    several = compared(before, after, "fail-on-drop", *one * 4, statistical=True)
    assert alone.p_harmful == 1 / 64
    assert {result.p_harmful for result in several} == {4 / 64}
    assert {result.judgement for result in several} == {"inconclusive"}


def test_repeats_are_averaged_for_each_probe_first(by_hand: Any) -> None:
    """A probe that is right every other time counts as half of one, not as two."""
    texts = {f"s{n}": ["+" * 4, "+" * 4] for n in range(8)}
    shaky = {f"s{n}": ["+" * 4, "-" * 4] for n in range(8)}
    (result,) = compared(
        by_hand(texts), by_hand(shaky), "fail-on-drop", "survival=5pp", statistical=True
    )
    assert result.clustering.probes == 32
    assert result.interval.estimate == 0.5


def test_a_value_that_was_taken_back_and_comes_up_again_is_harm(by_hand: Any) -> None:
    """Where silence was right nothing was asked, so no share before has the probe."""
    silent = by_hand({f"s{n}": "+n" for n in range(8)})
    talking = by_hand({f"s{n}": "+s" for n in range(8)})
    for rule, text in (("fail-on-rise", "stale=5pp"), ("fail-on-drop", "survival=5pp")):
        (worse,) = compared(silent, talking, rule, text, statistical=True)
        assert (worse.judgement, worse.interval.estimate) == ("fail", 0.5)
        (better,) = compared(talking, silent, rule, text, statistical=True)
        assert (better.judgement, better.interval.estimate) == ("pass", -0.5)
    (same,) = compared(silent, silent, "fail-on-drop", "survival=5pp", statistical=True)
    assert same.clustering.probes == 8


def bounded(evidence: Evidence, rule: str, *texts: str) -> list[Any]:
    return judge(parse_gates({rule: texts}), evidence, statistical=True)


def test_a_bounded_share_of_a_live_run_passes_and_fails_only_where_that_is_shown(
    by_hand: Any,
) -> None:
    """Of 40 scenarios a tenth lost all ten probes: 90%, known as well as by some 36 probes."""
    evidence = live(40, 4, by_hand)[1]
    found = bounded(evidence, "fail-under", "survival=0.7", "survival=0.85", "survival=0.99")
    assert [one.judgement for one in found] == ["pass", "inconclusive", "fail"]
    for one in found:
        assert one.interval.low == pytest.approx(0.79, abs=0.02)
        assert one.interval.high == pytest.approx(0.95, abs=0.02)
        assert one.clustering.design_effect == pytest.approx(10, rel=0.1)
    assert "either side of the bound" in found[1].why
    over = bounded(evidence, "fail-over", "survival=0.7", "survival=0.85", "survival=0.99")
    assert [one.judgement for one in over] == ["fail", "inconclusive", "pass"]


def test_a_perfect_live_run_passes_a_bound_that_its_probes_show(by_hand: Any) -> None:
    evidence = live(40, 0, by_hand)[1]
    shown, beyond = bounded(evidence, "fail-under", "survival=0.98", "survival=0.999")
    assert (shown.judgement, beyond.judgement) == ("pass", "inconclusive")


def test_a_bound_at_the_end_of_the_scale_is_compared_as_it_stands(by_hand: Any) -> None:
    whole, spoilt = by_hand({"a": "+" * 9}), by_hand({"a": "+" * 8 + "s"})
    for evidence, judgement in ((whole, "pass"), (spoilt, "fail")):
        (least,) = bounded(evidence, "fail-under", "survival=1")
        (most,) = bounded(evidence, "fail-over", "stale=0")
        assert (least.judgement, most.judgement) == (judgement, judgement)


def test_of_a_few_scenarios_no_bounded_share_is_decided(by_hand: Any) -> None:
    (few,) = bounded(live(5, 0, by_hand)[1], "fail-under", "survival=0.1")
    assert (few.judgement, few.interval) == ("inconclusive", None)
    assert "5 scenarios are too few" in few.why


def test_a_bounded_count_of_a_live_run_is_compared_as_it_stands(by_hand: Any) -> None:
    (count,) = bounded(by_hand({"a": "+"}), "fail-over", "fallbacks=0")
    assert (count.judgement, count.interval) == ("pass", None)


def test_cells_that_stand_apart_are_in_no_share(by_hand: Any) -> None:
    evidence = by_hand({"a": "+", "b": "-"})
    apart = replace(evidence, cells=(evidence.cells[0], replace(evidence.cells[1], apart=True)))
    (result,) = judge(parse_gates({"fail-under": ["survival=1"]}), apart)
    assert (result.value, result.scenarios) == (1.0, 1)
