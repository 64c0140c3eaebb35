"""Words beside a point stand clear of other points and of each other, as near as that goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.reports.charts.free_places import Spot, Words, free_place

EDGE = (500.0, 300.0)
SIZE = (60.0, 9.0)
POINT = (250.0, 150.0)


def test_words_go_where_no_point_is() -> None:
    alone = free_place(POINT, SIZE, [POINT], [], [], EDGE)
    assert not alone.holds(POINT)
    assert abs(alone.y - POINT[1]) < 25
    crowd = [POINT, (alone.x + 30, alone.y + 4)]
    moved = free_place(POINT, SIZE, crowd, [], [], EDGE)
    assert not any(map(moved.holds, crowd))
    assert (moved.x, moved.y) != (alone.x, alone.y)


def test_they_keep_off_lines_and_off_words_that_are_there() -> None:
    first = free_place(POINT, SIZE, [POINT], [], [], EDGE)
    assert not free_place(POINT, SIZE, [POINT], [], [first], EDGE).touches(first)
    middle = first.y + first.tall / 2
    line = ((0.0, middle), (500.0, middle))
    other = free_place(POINT, SIZE, [POINT], [line], [], EDGE)
    assert not other.y <= middle <= other.y + other.tall


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 300)), min_size=1, max_size=8))
def test_they_stay_in_the_panel(marks: list[Spot]) -> None:
    found = free_place(marks[0], SIZE, marks, [], [], EDGE)
    assert found.x >= 0
    assert found.x + found.wide <= EDGE[0]
    assert found.y >= 0
    assert found.y + found.tall <= EDGE[1]


@pytest.mark.parametrize(
    ("start", "end", "crosses"),
    [
        ((0, 0), (100, 100), True),
        ((0, 50), (100, 50), True),
        ((50, 0), (50, 100), True),
        ((50, 50), (52, 51), True),
        ((0, 0), (100, 10), False),
        ((0, 50), (20, 50), False),
        ((0, 80), (80, 0), True),
        ((0, 60), (60, 0), False),
    ],
)
def test_a_line_crosses_words_or_does_not(start: Spot, end: Spot, crosses: bool) -> None:
    assert Words(40, 40, 20, 20).crosses(start, end) is crosses
    assert Words(40, 40, 20, 20).crosses(end, start) is crosses
