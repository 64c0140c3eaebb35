"""The examples work as their texts say."""

from dataclasses import replace
from pathlib import Path

import pytest

from compaction_eval.strategies.base import Context, Strategy
from compaction_eval.strategies.loading import load_strategy
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.specs import parse_spec

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(text: str) -> Strategy:
    return load_strategy(parse_spec(text), EXAMPLES)()


def places(view: object, talk: list[Message]) -> list[int | None]:
    known = {id(message): place for place, message in enumerate(talk)}
    return [known.get(id(message)) for message in view]  # type: ignore[attr-defined]  # a sequence


@pytest.mark.parametrize(
    ("left_out", "kept"),
    [
        ([], [0, 1, 2, 3, 4, 5, 6, 7]),
        ([2, 3], [0, 1, 4, 5, 6, 7]),  # the tool block goes as a whole
        ([3], [0, 1, 4, 5, 6, 7]),  # its answer alone is never kept
        ([2, 3, 4, 5], [0, 1, 6, 7]),
        ([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 7]),  # the newest message stays, whatever the budget
    ],
)
def test_keep_ends_keeps_the_front_and_what_fits_of_the_end(
    left_out: list[int], kept: list[int], talk: list[Message], context: Context
) -> None:
    budget = context.count([m for place, m in enumerate(talk) if place not in left_out])
    compaction = load("./keep_ends.py:keep_ends").compact(talk, replace(context, budget=budget))
    assert places(compaction.view, talk) == kept
    assert not compaction.mutated_input


def test_keep_ends_leaves_room_when_told_to(talk: list[Message], context: Context) -> None:
    budget = replace(context, budget=context.count(talk) - 1)
    half = load("./keep_ends.py:keep_ends(share=0.5)").compact(talk, budget)
    assert context.count(half.view) <= budget.budget / 2


def test_mask_tool_output_replaces_the_output_of_old_tools(
    talk: list[Message], context: Context
) -> None:
    strategy = load("./async_and_class.py:mask_tool_output(recent=0)")
    assert places(strategy.compact(talk, replace(context, budget=1000)).view, talk) == [*range(8)]
    masked = strategy.compact(talk, replace(context, budget=20))
    assert places(masked.view, talk) == [0, 1, 2, None, 4, 5, 6, 7]
    assert masked.view[3].get("content") == "[output removed]"
    assert not masked.mutated_input


def test_every_other_cuts_on_every_second_overflow(talk: list[Message], context: Context) -> None:
    strategy = load("./async_and_class.py:EveryOther(keep=5)")
    tight = replace(context, budget=20)
    assert places(strategy.compact(talk, tight).view, talk) == [0, 4, 5, 6, 7]
    assert places(strategy.compact(talk, tight).view, talk) == [*range(8)]
    assert places(strategy.compact(talk, tight).view, talk) == [0, 4, 5, 6, 7]
