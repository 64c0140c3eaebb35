"""Names beside lines: in order, apart, in bounds, and near what they name."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.reports.charts.labelling import spread

POSITIONS = st.lists(st.floats(0, 1), max_size=12)


@given(POSITIONS)
def test_no_two_names_lie_on_each_other_and_none_lies_outside(wanted: list[float]) -> None:
    found = spread(wanted, 0.05, 0.0, 1.0)
    ordered = sorted(found)
    assert all(-1e-9 <= one <= 1 + 1e-9 for one in found)
    assert all(b - a >= 0.05 - 1e-9 for a, b in pairwise(ordered))


@given(POSITIONS)
def test_names_stand_in_the_order_of_what_they_name(wanted: list[float]) -> None:
    found = spread(wanted, 0.05, 0.0, 1.0)
    for at, one in enumerate(wanted):
        for other_at, other in enumerate(wanted):
            assert not (one < other) or found[at] < found[other_at]


def test_names_with_room_stay_where_they_belong() -> None:
    assert spread([0.9, 0.1, 0.5], 0.05, 0.0, 1.0) == [0.9, 0.1, 0.5]


def test_two_names_of_one_place_move_apart_evenly() -> None:
    assert spread([0.5, 0.5], 0.1, 0.0, 1.0) == pytest.approx([0.45, 0.55])


def test_more_names_than_there_is_room_for_stand_evenly() -> None:
    assert spread([0.5] * 5, 0.4, 0.0, 1.0) == pytest.approx([0, 0.25, 0.5, 0.75, 1])
