"""The section `recorded`: what the recorded agent's own tool compacted."""

from collections.abc import Callable

import pytest

from compaction_eval.scenarios.records import RecordedCompaction, Scenario

Load = Callable[..., tuple[Scenario, ...]]
Faults = Callable[..., list[str]]

TALK = """\
id: plan
title: A compacted session
lang: en
turns:
  - user: Open gate K47.
  - assistant: It is open.
  - user: Close it again.
  - assistant: It is closed.
recorded:
"""


def test_compactions_are_read_with_positions_from_zero(load: Load) -> None:
    told = (
        '  - {at: 2, kept_from: 3, summary: ""}\n'
        "  - {at: 4, kept_from: 3, summary: 'Gate, closed', trigger: auto, tokens_before: 900,"
        " tokens_after: 80, cached_after: 0}\n"
    )
    assert load(TALK + told)[0].recorded == (
        RecordedCompaction(2, 2, ""),
        RecordedCompaction(4, 2, "Gate, closed", "auto", 900, 80, 0),
    )


def test_what_was_compacted_changes_the_digest(load: Load) -> None:
    one, other = (
        load(f"{TALK}  - {{at: 2, kept_from: 3, summary: {text}}}\n")[0].digest
        for text in ("opened", "shut")
    )
    assert one != other


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        (
            "  - {at: 5, kept_from: 1, summary: x}\n",
            "plan.yaml:10:10: `at` is the last message before it, counted from 1 to 4",
        ),
        (
            "  - {at: 0, kept_from: 1, summary: x}\n",
            "plan.yaml:10:10: `at` is the last message before it, counted from 1 to 4",
        ),
        (
            "  - {at: 2, kept_from: 4, summary: x}\n",
            "plan.yaml:10:24: `kept_from` is the first message that stayed, counted from 1 to 2, "
            "or 3 where none did",
        ),
        (
            "  - {at: 3, kept_from: 1, summary: x}\n  - {at: 2, kept_from: 1, summary: x}\n",
            "plan.yaml:11:10: the compaction before it is at 3; put them in order",
        ),
        (
            "  - {at: 2, kept_form: 1, summary: x}\n",
            "plan.yaml:10:13: unknown key 'kept_form' in a recorded compaction; "
            "did you mean 'kept_from'?",
        ),
        (
            "  - {at: 2, kept_from: 1, summary: x, tokens_after: 3, cached_after: 4}\n",
            "plan.yaml:10:70: `cached_after` is a part of `tokens_after`, so no larger",
        ),
    ],
)
def test_a_compaction_that_can_not_be_is_told_with_its_place(
    faults_of: Faults, entries: str, fault: str
) -> None:
    assert fault in faults_of(TALK + entries)
