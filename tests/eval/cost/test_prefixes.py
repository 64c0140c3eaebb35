"""The memory of prefixes agrees with comparing every request with every earlier one."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.eval.cost.conversation import cell, messages_of, prices

from compaction_eval.eval.cost.caches import BreakpointCache, Cache, NoCache, PrefixCache
from compaction_eval.eval.cost.ledger import Clock, charges
from compaction_eval.eval.cost.prefixes import Prefixes
from compaction_eval.eval.cost.sizes import Size, Sizes, View
from compaction_eval.eval.records import CellRecord, PartRef
from compaction_eval.strategies.tokens import TokenCounter

LENGTH = 8
COUNTER = TokenCounter()
SYNTHETIC = {
    "s0": {"role": "user", "content": "so far: " + "word " * 300},
    "s1": {"role": "system", "content": "so far: " + "other " * 200},
}


@st.composite
def views(draw: st.DrawFn) -> View:
    """A few stretches in rising order, with or without made-up messages between them."""
    cuts = draw(st.lists(st.integers(0, LENGTH), min_size=2, max_size=6, unique=True).map(sorted))
    parts: list[PartRef] = []
    for start, stop in zip(cuts[::2], cuts[1::2], strict=False):
        parts += draw(st.sampled_from([[], ["s0"], ["s1"]]))
        parts.append((start, stop))
    return tuple(parts)


sizes = st.lists(st.integers(5, 700), min_size=LENGTH, max_size=LENGTH)
lines = st.lists(views(), min_size=1, max_size=9)


def made(line: list[View], messages: list[int]) -> CellRecord:
    requests = [{"at": 2 + index % (LENGTH - 2)} for index in range(len(line))]
    return cell(line, messages, requests=requests, synthetic=SYNTHETIC)


def common(one: View, other: View, within: Sizes) -> Size:
    """The messages that two views begin with."""
    total = Size()
    for mine, theirs in zip(messages_of(one), messages_of(other), strict=False):
        if mine != theirs:
            break
        total += within.of(mine if isinstance(mine, str) else (mine, mine + 1))
    return total


@given(lines, sizes, st.lists(st.integers(0, 9), min_size=9, max_size=9), st.integers(1, 12))
def test_the_longest_prefix_is_that_of_any_request_that_is_not_forgotten(
    line: list[View], messages: list[int], pauses: list[int], ttl: int
) -> None:
    within = Sizes(made(line, messages), COUNTER)
    known = Prefixes(within)
    now = 0
    earlier: list[tuple[int, View]] = []
    for view, pause in zip(line, pauses, strict=False):
        now += pause
        alive = [common(one, view, within) for then, one in earlier if then > now - ttl]
        expected = max(alive, key=lambda size: size.tokens, default=Size())
        assert known.longest(view, now - ttl) == expected
        known.use(view, now, now - ttl)
        earlier.append((now, view))


@given(lines, sizes)
def test_the_longest_entry_is_the_longest_request_that_is_wholly_a_prefix(
    line: list[View], messages: list[int]
) -> None:
    within = Sizes(made(line, messages), COUNTER)
    known = Prefixes(within)
    for at, view in enumerate(line):
        whole = [within.total(one) for one in line[:at] if is_prefix(one, view)]
        expected = max(whole, key=lambda size: size.tokens, default=None)
        assert known.longest_entry(view, -1) == expected
        known.use(view, at, -1)
        known.enter(view)


def is_prefix(one: View, other: View) -> bool:
    own = messages_of(one)
    return messages_of(other)[: len(own)] == own


@given(lines, sizes, st.integers(0, 400))
def test_what_is_read_written_and_uncached_adds_up_to_what_is_sent(
    line: list[View], messages: list[int], pause: int
) -> None:
    record = made(line, messages)
    within = Sizes(record, COUNTER)
    caches: list[Cache] = [PrefixCache(), BreakpointCache(), BreakpointCache(minimum=10), NoCache()]
    for cache in caches:
        found = list(charges(record.requests, within, cache, Clock(pause)))
        for charge, request in zip(found, record.requests, strict=True):
            assert charge.read + charge.written + charge.uncached == request.tokens
            assert min(charge.read, charge.written, charge.uncached) >= 0


@given(lines, sizes, st.integers(0, 20))
def test_without_a_cache_or_time_in_it_nothing_is_read_or_written(
    line: list[View], messages: list[int], pause: int
) -> None:
    record = made(line, messages)
    within = Sizes(record, COUNTER)
    costs = prices()
    none = list(charges(record.requests, within, NoCache(), Clock(pause)))
    assert all(charge.read == charge.written == 0 for charge in none)
    assert [one.cost(costs) for one in none] == [one.cost_without_cache(costs) for one in none]
    for cache in (PrefixCache(ttl=0), BreakpointCache(ttl=0)):
        assert list(charges(record.requests, within, cache, Clock(pause))) == none


@pytest.mark.parametrize("window", [None, 20], ids=("full history", "window"))
@pytest.mark.parametrize("cache", [PrefixCache(), BreakpointCache()], ids=lambda one: one.name)
def test_twice_the_requests_take_twice_the_steps(cache: Cache, window: int | None) -> None:
    """Not four times: a request costs what changed, whatever came before."""
    few, many = (steps(cache, count, window) for count in (200, 400))
    assert many < 2.2 * few


def steps(cache: Cache, count: int, window: int | None) -> int:
    """Calls of functions that a bill of so many requests takes."""
    ends = range(2, 2 * count + 2, 2)
    line: list[View] = [
        ((0, end),) if window is None or end <= window else ((0, 1), (end - window, end))
        for end in ends
    ]
    record = cell(line, (100,) * (2 * count + 2))
    within = Sizes(record, COUNTER)
    within.total(line[0])  # what is added up once for all
    called = 0

    def counting(frame: object, event: str, argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        billed = list(charges(record.requests, within, cache, Clock()))
    finally:
        sys.setprofile(None)
    assert len(billed) == count
    return called
