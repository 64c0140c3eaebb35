"""Intervals and tests give the values of their sources, and say nothing where they can't."""

from __future__ import annotations

import random
from statistics import NormalDist, fmean

import numpy as np
import pytest

from compaction_eval.eval.clustering import clustering
from compaction_eval.eval.rates import wilson
from compaction_eval.eval.statistics import (
    FEWEST,
    TooFewScenariosError,
    holm,
    mean_interval,
    mean_intervals,
    p_above,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilsons_interval_has_the_published_values(
    successes: int, trials: int, low: float, high: float
) -> None:
    found = wilson(successes, trials)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert found.estimate == successes / trials


def test_a_rate_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        wilson(0, 0)


@pytest.mark.parametrize("count", range(FEWEST))
def test_nothing_is_said_of_fewer_than_six_scenarios(count: int) -> None:
    for ask in (mean_interval, p_above):
        with pytest.raises(TooFewScenariosError, match=f"{count} scenarios? (is|are) too few"):
            ask([0.1] * count)


def test_the_sign_flip_test_counts_every_pattern() -> None:
    """Six scenarios that all fell: of 64 patterns of signs only the observed one is as high."""
    assert p_above([0.1, 0.2, 0.05, 0.3, 0.15, 0.25]) == 1 / 64
    assert p_above([-0.1, -0.2, -0.05, -0.3, -0.15, -0.25]) == 1
    # Of 4, 2, -2 and -4 two are as high as the observed 2; zeros have no sign.
    assert p_above([0, 0, 0, -1, 0, 3]) == pytest.approx(2 / 4)


def test_a_bound_moves_the_question() -> None:
    harms = [0.01, 0.0, -0.01, 0.02, 0.0, 0.01, -0.02]
    assert p_above(harms, -0.05) == pytest.approx(1 / 128)
    assert p_above(harms, 0.05) == 1


def test_an_exact_interval_holds_the_shifts_that_the_test_keeps() -> None:
    values = [0.1, 0.2, 0.05, 0.3, 0.15, 0.25, 0.0, 0.1]
    found = mean_interval(values, 0.9)
    assert found.low < fmean(values) == found.estimate < found.high
    assert p_above([v - found.low for v in values]) > 0.05
    assert p_above([v - (found.low - 1e-3) for v in values]) <= 0.05
    assert p_above([found.high - v for v in values]) > 0.05
    assert p_above([found.high + 1e-3 - v for v in values]) <= 0.05


def test_scenarios_that_all_say_the_same_leave_no_room() -> None:
    for count in (6, 40):
        found = mean_interval([0.25] * count)
        assert (found.low, found.high) == (pytest.approx(0.25), pytest.approx(0.25))


@pytest.mark.parametrize("count", [8, 13, 30])
def test_the_interval_holds_the_truth_as_often_as_it_says(count: int) -> None:
    """Of 2,000 intervals 90%, give or take twice the standard error of that."""
    dice, truth = random.Random(count), 0.1
    several = [[truth + dice.gauss(0, 0.2) for _ in range(count)] for _ in range(2000)]
    found = [one for one in mean_intervals(several, 0.9) if one is not None]
    held = sum(one.low <= truth <= one.high for one in found)
    assert held / len(several) == pytest.approx(0.9, abs=0.014)


@pytest.mark.parametrize("count", [13, 40])
def test_a_bootstrap_test_rejects_what_its_interval_leaves_out(count: int) -> None:
    dice = random.Random(count)
    values = [dice.gauss(0.1, 0.2) for _ in range(count)]
    low = mean_interval(values, 0.9).low
    assert p_above(values, low - 0.005) < 0.05 < p_above(values, low + 0.005)


def test_differences_that_are_all_the_same_are_no_chance() -> None:
    """However many gates there are: no resample could differ, so signs are counted."""
    assert p_above([0.02] * 40) == 0.5**40
    assert p_above([0.0] * 40) == p_above([-0.02] * 40) == 1


def test_the_same_numbers_give_the_same_interval_again() -> None:
    values = [at / 40 for at in range(40)]
    assert mean_interval(values) == mean_interval(values)
    assert p_above(values, 0.4) == p_above(values, 0.4)


def test_many_intervals_are_those_that_each_has_alone() -> None:
    dice = random.Random(3)
    sizes = [8, 30, 5, 12, 30, 6, 13, 0] * 20
    several = [[dice.gauss(0.1, 0.3) for _ in range(size)] for size in sizes]
    assert mean_intervals(several) == [
        mean_interval(values) if len(values) >= FEWEST else None for values in several
    ]


def test_resampled_limits_are_those_of_numpy_s_own_drawing() -> None:
    """Further out than 2.5%: at 2.0452 standard errors, as Student's t with 29 degrees has it."""
    values = [at**2 / 900 for at in range(30)]
    drawn = np.random.RandomState(0).randint(0, 30, (10_000, 30))
    tail = NormalDist().cdf(-((30 / 29) ** 0.5) * 2.045230)
    low, high = np.quantile(np.array(values)[drawn].mean(axis=1), (tail, 1 - tail))
    found = mean_interval(values)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_a_confidence_that_six_scenarios_can_not_give_is_refused() -> None:
    with pytest.raises(ValueError, match="6 scenarios give no interval of 99"):
        mean_interval([0.1, 0.2, 0.3, 0.1, 0.2, 0.4], 0.99)


def test_holm_adjusts_step_by_step() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_probes_that_stand_and_fall_together_count_once_per_scenario() -> None:
    alike = {f"s{at}": [float(at % 2)] * 5 for at in range(20)}
    found = clustering(alike)
    assert (found.probes, found.scenarios) == (100, 20)
    assert found.effective_probes == pytest.approx(20, rel=0.1)


def test_probes_that_know_nothing_of_each_other_count_each() -> None:
    dice = random.Random(1)
    mixed = {f"s{at}": [float(dice.random() < 0.5) for _ in range(10)] for at in range(200)}
    assert clustering(mixed).design_effect == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("groups", [{}, {"a": [1.0]}, {"a": [1.0, 0.0]}, {"a": [1.0], "b": [1.0]}])
def test_where_nothing_varies_there_is_no_effect(groups: dict[str, list[float]]) -> None:
    assert clustering(groups).design_effect == 1
