"""Records as lines of JSON, and back."""

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.encoding import decode_cell, encode_cell
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord, RequestRecord

TEXT = st.text(st.characters(exclude_categories=()), max_size=6)  # lone surrogates included
COUNT = st.integers(0, 9)
TEXTS = st.lists(TEXT, max_size=2).map(tuple)
REFS = st.lists(st.tuples(COUNT, COUNT) | TEXT, max_size=3).map(tuple)
MAYBE_COUNT = st.none() | COUNT

REQUESTS = st.builds(
    RequestRecord,
    at=COUNT,
    probe=st.none() | TEXT,
    tokens=COUNT,
    full=COUNT,
    view=REFS,
    action=TEXT,
    dropped=REFS,
    summary=st.none() | TEXT,
    fallback=st.none() | TEXT,
    faults=TEXTS,
    refused_by=TEXTS,
    over_budget=st.booleans(),
    infeasible=st.booleans(),
    events=TEXTS,
    summary_calls=COUNT,
    reused_tokens=COUNT,
)
PROBES = st.builds(
    ProbeRecord,
    probe=TEXT,
    kind=TEXT,
    place=TEXT,
    at=COUNT,
    verdict=st.sampled_from(["correct", "not-asked"]),
    share=st.none() | st.floats(0, 1),
    age_tokens=MAYBE_COUNT,
    source=MAYBE_COUNT,
    lost_at=MAYBE_COUNT,
    free=st.booleans(),
)
JSON: Any = st.recursive(
    st.none() | st.booleans() | COUNT | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
CELLS = st.builds(
    CellRecord,
    key=st.builds(CellKey, TEXT, TEXT, TEXT, TEXT, TEXT, COUNT),
    budget_tokens=COUNT,
    conversation_tokens=COUNT,
    tools_tokens=COUNT,
    requests=st.lists(REQUESTS, max_size=2).map(tuple),
    probes=st.lists(PROBES, max_size=2).map(tuple),
    synthetic=st.dictionaries(TEXT, st.dictionaries(TEXT, JSON, max_size=2), max_size=2),
    apart=st.booleans(),
    error=st.none() | TEXT,
    properties=st.dictionaries(TEXT, TEXT, max_size=2),
)


@given(CELLS)
def test_a_cell_comes_back_from_its_line_and_makes_the_same_line_again(cell: CellRecord) -> None:
    line = encode_cell(cell)
    assert decode_cell(line) == cell
    assert encode_cell(decode_cell(line)) == line


@given(CELLS)
def test_a_line_is_one_line_whatever_is_said_in_it(cell: CellRecord) -> None:
    line = encode_cell(cell)
    assert line.isascii()
    assert line.splitlines() == [line]


SMALL = CellRecord(
    CellKey("s", "", "none", "30%", "none"),
    30,
    100,
    requests=(RequestRecord(1, None, 10, 10, ((0, 1), "s0")),),
    probes=(ProbeRecord("p", "recall", "end", 2, "correct"),),
    synthetic={"s0": {"role": "user", "content": "你"}},
)


def test_what_is_at_its_default_isnt_written() -> None:
    assert json.loads(encode_cell(SMALL)) == {
        "key": {
            "scenario": "s",
            "variant": "",
            "strategy": "none",
            "budget": "30%",
            "summarizer": "none",
        },
        "budget_tokens": 30,
        "conversation_tokens": 100,
        "requests": [{"at": 1, "probe": None, "tokens": 10, "full": 10, "view": [[0, 1], "s0"]}],
        "probes": [{"probe": "p", "kind": "recall", "place": "end", "at": 2, "verdict": "correct"}],
        "synthetic": {"s0": {"role": "user", "content": "你"}},
    }


def test_fields_come_in_the_order_of_the_record() -> None:
    """Bytes must not hang on how a record was put together."""
    known = [field.name for field in fields(CellRecord)]
    written = list(json.loads(encode_cell(SMALL)))
    assert written == [name for name in known if name in written]


@pytest.mark.parametrize("length", range(len(encode_cell(SMALL))))
def test_a_line_that_was_cut_off_anywhere_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=r".*"):
        decode_cell(encode_cell(SMALL)[:length])


@pytest.mark.parametrize(
    "line",
    [
        "null",
        "7",
        '"key"',
        "[]",
        "{}",
        '{"key": {}}',
        '{"key": "s"}',
        encode_cell(SMALL).replace('"requests":[{', '"requests":["x",{'),
        encode_cell(SMALL).replace('"probes":[{', '"probes":[7,{'),
        encode_cell(SMALL).replace('"tokens"', '"coins"'),
        encode_cell(SMALL)[:-1] + ',"added_later":1}',
    ],
)
def test_what_is_no_cell_of_this_version_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a cell of this version"):
        decode_cell(line)
