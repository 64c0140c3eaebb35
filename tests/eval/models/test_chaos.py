"""Specifications of faults: what they mean, and what is wrong with those that mean nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from compaction_eval.eval.models.chaos import FAULTS, OK, Attempts, Chaos, body_key, parse_chaos
from compaction_eval.strategies.errors import ConfigurationError


def test_a_schedule_is_gone_through_and_then_all_is_well() -> None:
    chaos = parse_chaos("500, ok ,429")
    assert [chaos.fault("any", attempt) for attempt in range(5)] == ["500", OK, "429", OK, OK]


def test_shares_and_options_are_read() -> None:
    chaos = parse_chaos("429:0.1,hang:0.05,seed=7,hang=3,slow=0.5,retry-after=0")
    assert chaos == Chaos({"429": 0.1, "hang": 0.05}, seed=7, hang=3.0, slow=0.5, retry_after=0.0)


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_can_be_named_in_both_ways(name: str) -> None:
    assert parse_chaos(name).fault("a", 0) == parse_chaos(f"{name}:1").fault("a", 0) == name


def test_faults_come_as_often_as_their_shares_say() -> None:
    chaos = parse_chaos("429:0.2,cut:0.1,seed=7")
    met = Counter(chaos.fault(str(request), 0) for request in range(10_000))
    assert {name: round(count / 10_000, 1) for name, count in met.items()} == {
        OK: 0.7,
        "429": 0.2,
        "cut": 0.1,
    }


def test_the_draw_is_the_same_on_every_machine_and_another_for_each_seed_and_attempt() -> None:
    def drawn(spec: str, attempt: int) -> str:
        chaos = parse_chaos(spec)
        return "".join(chaos.fault(str(number), attempt)[0] for number in range(24))

    assert drawn("429:0.5,seed=7", 0) == "444oo44o4444o444oooo44oo"
    assert len({drawn(f"429:0.5,seed={seed}", n) for seed in (7, 8) for n in (0, 1)}) == 4


def test_attempts_are_counted_by_request() -> None:
    attempts = Attempts()
    assert [attempts.next(key) for key in "aabab"] == [0, 1, 0, 2, 1]


def test_a_request_is_known_by_its_json_in_whatever_layout() -> None:
    assert body_key(b'{"a": 1, "b": 2}') == body_key(b'{"b":2,"a":1}') != body_key(b'{"a": 1}')
    assert body_key(b"\xff") != body_key(b"\xfe")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "there is no fault ''; there are ok, 429"),
        ("seed=7", "it names no fault; an example: 429:0.1"),
        ("hangs:0.1", "there is no fault 'hangs'; did you mean 'hang'?"),
        ("429:0.1,500", "'500' has no share; use shares or a schedule, not both"),
        ("429:0.6,500:0.6", "the shares add up to 1.2, more than 1"),
        ("429:0.1,429:0.1", "'429' is there twice"),
        ("429:10%", "'429:10%': '10%' is no number from 0 to 1"),
        ("429:-1", "'429:-1': '-1' is no number from 0 to 1"),
        ("429:nan", "'nan' is no number from 0 to 1"),
        ("429:1.5", "'1.5' is no number from 0 to 1"),
        ("ok:0.5", "there is no fault 'ok'"),
        ("500,sed=7", "there is no option 'sed'; did you mean 'seed'?"),
        ("500,seed=x", "'seed=x': 'x' is no number of at least 0"),
        ("500,seed=0.5", "'seed=0.5': the seed is a whole number"),
        ("500,hang=inf", "'inf' is no number of at least 0"),
        ("500,,429", "there is no fault ''"),
    ],
)
def test_a_wrong_specification_is_told(spec: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as told:
        parse_chaos(spec)
    assert str(told.value).startswith("--chaos: ")
    assert message in str(told.value)
