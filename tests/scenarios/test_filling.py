"""Filler turns of a file: stretches, limits, and what variants have in common."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from compaction_eval.scenarios import filling
from compaction_eval.scenarios.keys import FILLER_KINDS
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import call_ids, content_text

Load = Callable[..., tuple[Scenario, ...]]
Faults = Callable[..., list[str]]

HEAD = "id: plan\ntitle: T\nlang: en\n"
SPLIT = (
    HEAD
    + """\
params: {{depth: {depths}}}
turns:
  - filler: {{kind: {kind}, turns: {turns}, seed: 4, before: $depth}}
  - user: The gate is K4.
  - filler: {{kind: {kind}, turns: {turns}, seed: 4, after: $depth}}
"""
)


def texts(scenario: Scenario) -> list[str]:
    return [content_text(message) for message in scenario.messages]


def turns(*fillers: str) -> str:
    return HEAD + "turns:\n" + "".join(f"  - filler: {{{one}}}\n" for one in fillers)


@pytest.mark.parametrize("kind", FILLER_KINDS)
@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_the_two_sides_of_a_percentage_are_the_whole_once(
    load: Load, kind: str, count: int
) -> None:
    (whole,) = load(turns(f"kind: {kind}, turns: {count}, seed: 4"))
    depths = [0, 1, 30, 50, 99, 100]
    places = []
    for scenario in load(SPLIT.format(depths=depths, kind=kind, turns=count)):
        said = texts(scenario)
        places.append(said.index("The gate is K4."))
        assert [text for text in said if text != "The gate is K4."] == texts(whole)
    assert all(before <= after for before, after in pairwise(places))
    assert (places[0], places[-1]) == (0, len(whole.messages))


def test_a_percentage_counts_exchanges_and_rounds_down(load: Load) -> None:
    (quarter,) = load(SPLIT.format(depths=[25], kind="chat", turns=7))
    assert texts(quarter).index("The gate is K4.") == 2 * (7 * 25 // 100)


def test_both_percentages_give_the_stretch_between(load: Load) -> None:
    (whole,) = load(turns("kind: mixed, turns: 20, seed: 3"))
    parts = [
        load(turns(f"kind: mixed, turns: 20, seed: 3, after: {after}, before: {before}"))[0]
        for after, before in pairwise([0, 10, 35, 35, 100])
    ]
    assert [len(part.messages) for part in parts] == [4, 10, 0, 26]
    assert [text for part in parts for text in texts(part)] == texts(whole)


def test_the_calls_of_a_stretch_are_counted_over_the_conversation(load: Load) -> None:
    (scenario,) = load(SPLIT.format(depths=[50], kind="json", turns=4))
    ids = [call_id for message in scenario.messages for call_id in call_ids(message)]
    assert ids == ["call_1", "call_2", "call_3", "call_4"]


def test_variants_share_the_texts_of_their_filler_but_no_message(load: Load) -> None:
    some, more = load(
        HEAD + "params: {n: [2, 3]}\nturns:\n  - filler: {kind: tool_log, turns: $n}\n"
    )
    for one, other in zip(some.messages, more.messages, strict=False):
        assert one == other
        assert one is not other
        assert content_text(one) is content_text(other)


@pytest.mark.parametrize("key", ["before", "after"])
@pytest.mark.parametrize(
    ("share", "shown"), [("101", "101"), ("0250", "250"), ("9" * 5000, "9" * 5000)]
)
def test_more_than_100_percent_is_a_fault_at_its_place(
    faults_of: Faults, key: str, share: str, shown: str
) -> None:
    assert faults_of(turns(f"kind: chat, turns: 5, {key}: {share}")) == [
        f"plan.yaml:5:{38 + len(key)}: '{key}' is a percentage from 0 to 100, not {shown}"
    ]


@pytest.mark.parametrize(
    ("filler", "reason"),
    [
        ("turns: 5, after: 60, before: 30", "nothing lies after 60 and before 30 percent; swap"),
        ("turns: 10000", "at most 9999 turns of filler, not 10000"),
        ("turns: 0100000", "at most 9999 turns of filler, not 100000"),
        ("turns: " + "9" * 5000, "at most 9999 turns of filler, not 9999"),
        ("turns: 5, seed: " + "7" * 5000, "a seed has at most 18 digits"),
        ("turns: 5, before: -1", "'before' is a whole number, 0 or more, not '-1'"),
        ("turns: 5, before: $dept", "no parameter 'dept' is declared under `params`"),
        ("turns: 5, after: [1]", "'after' is a whole number, 0 or more, not a list or mapping"),
    ],
)
def test_filler_that_can_not_be_meant_is_one_fault(
    faults_of: Faults, filler: str, reason: str
) -> None:
    (fault,) = faults_of(turns(f"kind: chat, {filler}"))
    assert reason in fault


def test_many_variants_with_much_filler_are_refused_before_it_is_made(
    faults_of: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0
    exchanges = filling.exchanges

    def counted(*arguments: Any) -> Any:
        nonlocal made
        for exchange in exchanges(*arguments):
            made += 1
            yield exchange

    monkeypatch.setattr(filling, "exchanges", counted)
    text = (
        HEAD
        + f"params: {{seed: {list(range(40))}}}\n"
        + "turns:\n  - filler: {kind: tiny, turns: 9999, seed: $seed}\n"
    )
    assert faults_of(text) == [
        "plan.yaml:6:13: more than 50000 turns of filler in all variants together; "
        "take less of it, or fewer parameters"
    ]
    assert made == 5 * 9999
