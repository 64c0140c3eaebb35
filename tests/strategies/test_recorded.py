"""`recorded`: what the recorded agent's own tool did, done again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from compaction_eval.strategies.base import Compaction, Context, ToolCompaction
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.recorded import Recorded
from compaction_eval.strategies.summary import is_summary
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation

COUNTER = TokenCounter()


def said(*texts: str) -> list[Message]:
    """Messages of the user and the assistant in turn; `!` begins a system message."""
    roles = ("user", "assistant")
    return [
        cast(
            "Message",
            {"role": "system" if text[0] == "!" else roles[at % 2], "content": text},
        )
        for at, text in enumerate(texts)
    ]


def compact(view: Sequence[Message], *recorded: ToolCompaction, budget: int = 10_000) -> Compaction:
    return Recorded().compact(view, Context(budget, COUNTER, recorded=recorded))


def words(view: Sequence[Message]) -> list[object]:
    return [message["content"] for message in view]  # type: ignore[typeddict-item]  # all have some


TALK = said("!Be brief.", "a", "b", "c", "d", "e", "f")


def done(after: int, kept: int | None, summary: str) -> ToolCompaction:
    return ToolCompaction(TALK[after], None if kept is None else TALK[kept], summary)


def test_before_the_tool_compacted_nothing_is_done() -> None:
    result = compact(TALK[:3], done(4, None, "so far"))
    assert (list(result.view), result.action, result.summary) == (TALK[:3], "none", None)


def test_the_tools_own_words_replace_what_it_dropped() -> None:
    result = compact(TALK[:5], done(4, 3, "so far"))
    assert words(result.view) == ["!Be brief.", "so far", "c", "d"]
    assert words(result.dropped) == ["a", "b"]
    assert (result.action, result.summary, result.replayed) == ("summarize", "so far", True)
    assert [m["role"] for m in result.view if is_summary(m)] == ["user"]


def test_what_is_said_after_the_compaction_stays_behind_the_summary() -> None:
    result = compact(TALK, done(4, None, "so far"))
    assert words(result.view) == ["!Be brief.", "so far", "e", "f"]


def test_it_is_done_once() -> None:
    step = done(4, 3, "so far")
    first = compact(TALK[:5], step).view
    again = compact([*first, *TALK[5:]], step)
    assert words(again.view) == ["!Be brief.", "so far", "c", "d", "e", "f"]
    assert again.action == "none"


def test_a_later_summary_takes_the_place_of_the_one_before() -> None:
    steps = done(2, 2, "first"), done(5, None, "second")
    first = compact(TALK[:3], *steps).view
    assert words(first) == ["!Be brief.", "first", "b"]
    second = compact([*first, *TALK[3:]], *steps)
    assert words(second.view) == ["!Be brief.", "second", "f"]
    assert words(second.dropped) == ["b", "c", "d", "e"]


def test_of_several_compactions_between_two_requests_the_last_one_counts() -> None:
    result = compact(TALK, done(3, None, "first"), done(3, 3, "second"), done(5, 5, "third"))
    assert words(result.view) == ["!Be brief.", "third", "e", "f"]


def test_what_a_compaction_before_took_away_does_not_come_back() -> None:
    steps = done(3, None, "first"), done(5, 2, "second")
    first = compact(TALK[:4], *steps).view
    second = compact([*first, *TALK[4:]], *steps)
    assert words(second.view) == ["!Be brief.", "second", "d", "e", "f"]


def test_an_empty_summary_leaves_what_the_tool_kept() -> None:
    result = compact(TALK, done(6, 5, ""))
    assert words(result.view) == ["!Be brief.", "", "e", "f"]


@pytest.mark.parametrize("budget", [1, 1_000_000])
def test_the_budget_makes_no_difference(budget: int) -> None:
    result = compact(TALK, done(4, 3, "so far"), budget=budget)
    assert words(result.view) == ["!Be brief.", "so far", "c", "d", "e", "f"]


def test_a_measured_view_comes_out_as_a_list_does() -> None:
    steps = done(2, 2, "first"), done(5, 4, "second")
    conversation = Conversation(TALK, COUNTER)
    listed: Sequence[Message] = []
    measured: Sequence[Message] = conversation.view(0, 0)
    for start, stop in ((0, 2), (2, 3), (3, 6), (6, 7)):
        listed = compact([*listed, *TALK[start:stop]], *steps).view
        measured = compact(
            measured + conversation.view(start, stop),  # type: ignore[operator]  # a View
            *steps,
        ).view
        assert list(measured) == listed


def test_without_a_recording_it_does_nothing() -> None:
    assert compact(TALK).action == "none"
