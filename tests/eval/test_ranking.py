"""Rank correlations by hand, by another route, and their intervals."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.ranking import Shares, kendall, rank
from compaction_eval.eval.statistics import TooFewScenariosError


def shares(**figures: list[float]) -> Shares:
    return {
        name: {f"s{at}": share for at, share in enumerate(own)} for name, own in figures.items()
    }


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ([1, 2, 3], [10, 20, 30], 1.0),
        ([1, 2, 3], [30, 20, 10], -1.0),
        ([1, 2, 3, 4], [1, 2, 4, 3], 4 / 6),
        ([1, 1, 2], [1, 2, 3], 2 / 6**0.5),
        ([1, 1, 1], [1, 2, 3], None),
        ([], [], None),
    ],
)
def test_tau_by_hand(one: list[float], other: list[float], tau: float | None) -> None:
    assert kendall(one, other) == (tau if tau is None else pytest.approx(tau))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=8))
def test_tau_counts_pairs_in_the_same_order_less_those_in_the_other(
    pairs: list[tuple[int, int]],
) -> None:
    one, other = zip(*pairs, strict=True)
    tau = kendall(one, other)
    alike = against = tied_one = tied_other = 0
    for a in range(len(pairs)):
        for b in range(a):
            product = (one[a] - one[b]) * (other[a] - other[b])
            alike += product > 0
            against += product < 0
            tied_one += one[a] == one[b]
            tied_other += other[a] == other[b]
    every = len(pairs) * (len(pairs) - 1) // 2
    below = ((every - tied_one) * (every - tied_other)) ** 0.5
    assert tau == (pytest.approx((alike - against) / below) if below else None)


def test_only_common_strategies_over_common_scenarios_count() -> None:
    before = shares(a=[0.1, 0.3], b=[0.5, 0.5], c=[0.9, 0.7], d=[1.0, 1.0])
    after = shares(c=[0.8, 0.6, 0.1], b=[0.4, 0.4, 0.9], a=[0.0, 0.2, 0.9])
    found = rank(before, after)
    assert found.strategies == ("a", "b", "c")
    assert found.predicted == pytest.approx((0.2, 0.5, 0.8))
    assert found.real == pytest.approx((0.1, 0.4, 0.7))
    assert (found.scenarios, found.tau, found.interval) == (2, 1.0, None)


def test_the_interval_is_wide_for_noise_and_narrow_for_a_plain_order() -> None:
    dice = random.Random(7)
    names = "abcdefgh"
    plain = shares(
        **{
            name: [0.1 * at + 0.01 * dice.random() for _ in range(20)]
            for at, name in enumerate(names)
        }
    )
    noise = shares(**{name: [dice.random() for _ in range(20)] for name in names})
    sure = rank(plain, plain).interval
    unsure = rank(plain, noise).interval
    assert sure is not None
    assert unsure is not None
    assert (sure.low, sure.estimate, sure.high) == (1.0, 1.0, 1.0)
    assert unsure.low <= unsure.estimate <= unsure.high
    assert unsure.high - unsure.low > 0.4


def test_the_interval_is_the_same_each_time() -> None:
    dice = random.Random(3)
    noise = [shares(**{n: [dice.random() for _ in range(9)] for n in "abcd"}) for _ in range(2)]
    assert rank(*noise) == rank(*noise)


def test_two_strategies_have_no_order_worth_the_name() -> None:
    with pytest.raises(ValueError, match="three"):
        rank(shares(a=[1.0], b=[0.5]), shares(a=[1.0], b=[0.5]))


def test_without_a_common_scenario_nothing_is_said() -> None:
    with pytest.raises(TooFewScenariosError, match="no scenario"):
        rank(shares(a=[1.0], b=[1.0], c=[1.0]), {n: {"other": 0.5} for n in "abc"})
