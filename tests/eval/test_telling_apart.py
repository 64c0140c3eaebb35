"""Which shares are shown to differ, with p-values that can be counted by hand."""

from __future__ import annotations

from compaction_eval.eval.telling_apart import told_apart

HALF = {f"s{at}": 0.5 for at in range(20)}


def moved(number: int, by: float) -> dict[str, float]:
    """The same shares, moved in the first so many scenarios."""
    return {name: 0.5 + by * (at < number) for at, name in enumerate(HALF)}


def test_six_scenarios_that_all_move_one_way_are_rarer_than_one_in_forty() -> None:
    # 1 of 2 ** 6 patterns of signs.
    assert told_apart(HALF, [moved(6, -0.1)]) == [-1]
    assert told_apart(HALF, [moved(6, 0.1)]) == [1]


def test_five_that_move_show_nothing_however_many_stay() -> None:
    """A bootstrap of 15 zeros and 5 small losses alone would call this a difference."""
    assert told_apart(HALF, [moved(5, -0.1)]) == [0]


def test_being_several_costs_something() -> None:
    # Twice 1 in 64 is more than 1 in 40, twice 1 in 128 isn't.
    assert told_apart(HALF, [moved(6, -0.1), moved(6, -0.1)]) == [0, 0]
    assert told_apart(HALF, [moved(7, -0.1), moved(7, -0.1)]) == [-1, -1]
    # What is certain is taken first, so that the next one isn't doubled.
    assert told_apart(HALF, [moved(7, -0.1), moved(6, -0.1)]) == [-1, -1]


def test_a_difference_that_varies_less_than_the_shares_is_shown() -> None:
    """The shares reach from 0 to 1, so that their own intervals overlap almost entirely."""
    one = {f"s{at}": at / 20 for at in range(20)}
    other = {name: value - 0.02 - 0.01 * (at % 2) for at, (name, value) in enumerate(one.items())}
    assert told_apart(one, [other]) == [-1]


def test_differences_that_go_both_ways_show_nothing() -> None:
    other = {name: 0.5 + (0.2 if at % 2 else -0.21) for at, name in enumerate(HALF)}
    assert told_apart(HALF, [other]) == [0]


def test_only_scenarios_that_both_have_count() -> None:
    other = {f"s{at}": 0.0 for at in range(15, 30)}
    assert told_apart(HALF, [other]) == [0]
    assert told_apart(HALF, [{}]) == [0]
    assert told_apart(HALF, []) == []
