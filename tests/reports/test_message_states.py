"""What became of messages, held against its meaning message by message."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.records import CellKey, CellRecord, RequestRecord
from compaction_eval.reports.message_states import message_states
from compaction_eval.reports.standing import Standing

SAID, LATER = 9, 12
View = list[tuple[int, int]]


def _stretches(said: int) -> st.SearchStrategy[View]:
    ends = st.lists(st.integers(0, said), min_size=2, max_size=2, unique=True)
    return st.lists(ends.map(lambda two: (min(two), max(two))), max_size=4)


@given(_stretches(SAID), _stretches(LATER), st.sets(st.integers(0, LATER)), st.booleans())
def test_each_message_is_told_by_what_this_request_and_the_one_before_sent(
    before: View, now: View, masked: set[int], first: bool
) -> None:
    stands_in = {f"m{position}": {"kind": "stand-in", "for": position} for position in masked}
    earlier = RequestRecord(SAID, None, 0, 0, tuple(before))
    request = RequestRecord(LATER, None, 0, 0, (*now, *stands_in))
    requests = (request,) if first else (earlier, request)
    cell = CellRecord(CellKey("one", "", "s", "30%", "extractive"), 0, 0, requests=requests)
    standing = Standing(cell, (), (), stands_in, ())
    told: dict[int, set[str]] = {}
    for state, parts in message_states(standing, len(requests) - 1).items():
        for part in parts:
            for position in range(*part) if not isinstance(part, str) else ():
                told.setdefault(position, set()).add(state)

    def state(position: int) -> str:
        old = not first and position < SAID
        there = any(start <= position < stop for start, stop in before)
        if any(start <= position < stop for start, stop in now):
            return ("kept" if there else "back") if old else "new"
        if old and not there:
            return "gone"
        return "reduced" if position in masked else "dropped"

    assert told == {position: {state(position)} for position in range(LATER)}
