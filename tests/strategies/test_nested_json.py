"""JSON of any depth is what the standard library writes, and is read in order."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.nested_json import json_text, leaves

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
KEYS = st.text(max_size=5) | st.integers() | st.booleans() | st.none() | st.floats()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=12,
)
DEPTH = 5_000


def nested(value: Any, depth: int = DEPTH) -> Any:
    """The value in lists in lists."""
    for _ in range(depth):
        value = [value]
    return value


@given(VALUES)
def test_a_value_deep_inside_is_written_as_it_would_be_alone(value: Any) -> None:
    alone = json.dumps(value, ensure_ascii=False)
    assert json_text(value) == alone
    assert json_text(nested(value)) == "[" * DEPTH + alone + "]" * DEPTH


def test_leaves_are_the_values_in_reading_order_without_keys_and_nulls() -> None:
    value = {"b": [1, {"c": "x"}], "a": (None, False)}
    assert list(leaves(value)) == [1, "x", False]
    assert list(leaves(nested(value))) == [1, "x", False]


def test_a_value_that_comes_twice_is_read_twice() -> None:
    twice = ["x"]
    assert list(leaves([twice, twice])) == ["x", "x"]
    assert json_text(nested([twice, twice])) == json_text(nested([["x"], ["x"]]))


@pytest.mark.parametrize("depth", [0, DEPTH])
def test_a_value_inside_itself_is_refused(depth: int) -> None:
    ring: list[Any] = []
    ring.append({"ring": nested(ring, depth)})
    with pytest.raises(ValueError, match="Circular"):
        json_text(ring)
    with pytest.raises(ValueError, match="Circular"):
        list(leaves(ring))


def test_what_has_no_json_is_refused_at_any_depth() -> None:
    with pytest.raises(TypeError):
        json_text(nested({1, 2}))
