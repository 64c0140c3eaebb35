"""A probe may name the message that gives its answer."""

from collections.abc import Callable

import pytest

from compaction_eval.scenarios.records import Scenario

PLAN = """\
id: plan
title: A plan
lang: en
turns:
  - user: The kiln takes cone 6.
    facts: {cone: cone 6}
  - assistant: Fine.
  - user: Right, the kiln takes cone 6 and the shelf takes shells.
  - assistant: Noted.
  - user: Thanks.
probes:
  - {id: cone, kind: recall, ask: What does the kiln take?, KEYS}
"""


def plan(keys: str) -> str:
    return PLAN.replace("KEYS", keys)


def test_it_is_found_where_none_is_named(load: Callable[..., tuple[Scenario, ...]]) -> None:
    assert load(plan("accept: [cone 6]"))[0].probes[0].evidence == 0


def test_it_is_counted_from_one(load: Callable[..., tuple[Scenario, ...]]) -> None:
    assert load(plan("accept: [cone 6], evidence: 3"))[0].probes[0].evidence == 2


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ("accept: [cone 6], evidence: 0", "`evidence` is a message, counted from 1 to 5"),
        ("accept: [cone 6], evidence: 6", "`evidence` is a message, counted from 1 to 5"),
        ("accept: [cone 6], evidence: 2", "its answer 'cone 6' isn't in one message"),
        ("fact: cone, evidence: 1", "`evidence` goes with `accept` alone"),
        ("accept: [cone 6], evidence: last", "evidence"),
    ],
)
def test_what_gives_no_answer_is_no_evidence(
    faults_of: Callable[..., list[str]], keys: str, fault: str
) -> None:
    (line,) = faults_of(plan(keys))
    assert fault in line
