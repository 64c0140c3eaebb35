"""A rate's interval has the values of its source, and knows how few its probes may really be."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from compaction_eval.eval.rates import effective_trials, p_rate_above, wilson
from compaction_eval.eval.statistics import TooFewScenariosError
from compaction_eval.eval.students_t import t_quantile, t_tail

Shares = dict[str, dict[str, list[float]]]


def scenarios(*probes: list[float]) -> Shares:
    return {f"s{at}": {"": one} for at, one in enumerate(probes)}


@pytest.mark.parametrize(
    ("freedom", "tail", "t"),
    [(1, 0.05, 6.3138), (5, 0.05, 2.0150), (12, 0.025, 2.1788), (13, 0.05, 1.7709)],
)
def test_student_s_t_has_the_published_values(freedom: int, tail: float, t: float) -> None:
    assert t_quantile(tail, freedom) == pytest.approx(t, abs=1e-4)
    assert t_tail(t, freedom) == pytest.approx(tail, abs=1e-5)
    assert t_tail(-t, freedom) == pytest.approx(1 - tail, abs=1e-5)
    assert t_tail(0, freedom) == 0.5


def test_the_test_of_a_bound_rejects_what_the_interval_leaves_out() -> None:
    found = wilson(27.5, 30.5, 0.9)
    assert p_rate_above(27.5 / 30.5, 30.5, found.low) == pytest.approx(0.05)
    assert p_rate_above(27.5 / 30.5, 30.5, found.high) == pytest.approx(0.95)


def test_probes_that_stand_and_fall_together_count_as_their_scenarios() -> None:
    alike = scenarios(*([float(at % 4 > 0)] * 10 for at in range(200)))
    assert effective_trials(alike) == pytest.approx(200, rel=0.03)


def test_probes_that_know_nothing_of_each_other_count_each() -> None:
    dice = random.Random(5)
    mixed = scenarios(*([float(dice.random() < 0.8) for _ in range(10)] for _ in range(400)))
    assert effective_trials(mixed) == pytest.approx(4000, rel=0.15)


def test_no_more_probes_are_counted_than_there_are() -> None:
    """By hand: a scenario weighs a sixth, whatever its size: 36 / (5/2 + 1)."""
    even = scenarios(*[[1.0, 0.0]] * 5, [0.5])
    assert effective_trials(even) == pytest.approx(36 / 3.5)
    variants = {f"s{at}": {"a": [1.0], "b": [1.0, 1.0]} for at in range(6)}
    assert effective_trials(variants) == pytest.approx(36 / (6 * (1 + 0.5) / 4))


def test_five_scenarios_have_no_rate() -> None:
    with pytest.raises(TooFewScenariosError, match="5 scenarios are too few"):
        effective_trials(scenarios(*[[1.0]] * 5))


def test_the_interval_of_clustered_probes_holds_the_truth_as_often_as_it_says() -> None:
    """Of 1,000 runs over 12 scenarios, each with a rate of its own around 80%."""
    dice = random.Random(7)
    below = above = 0
    for _ in range(1000):
        rates = [dice.betavariate(8, 2) for _ in range(12)]
        runs = scenarios(
            *([float(dice.random() < rate) for _ in range(dice.randint(3, 14))] for rate in rates)
        )
        share, trials = fmean(fmean(one[""]) for one in runs.values()), effective_trials(runs)
        found = wilson(share * trials, trials, 0.9)
        below, above = below + (found.low > 0.8), above + (found.high < 0.8)
    assert below <= 65
    assert above <= 65
