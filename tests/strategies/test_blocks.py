"""Which messages belong together, so that no cut parts a call from its answers."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.blocks import Block, block_of, blocks, iter_blocks, newest_block
from compaction_eval.strategies.messages import Message, answered_id, call_ids, role
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation, View


def message(shape: str) -> Any:
    """`u`, `s`, `a`: a user's, system or plain assistant message; `a:x,y`: calls with these ids;
    `t:x`: the answer to one."""
    kind, _, ids = shape.partition(":")
    if kind == "t":
        return {"role": "tool", "tool_call_id": ids, "content": "out"}
    if ids:
        function = {"name": "f", "arguments": "{}"}
        calls = [{"id": id, "type": "function", "function": function} for id in ids.split(",")]
        return {"role": "assistant", "content": None, "tool_calls": calls}
    return {"role": {"u": "user", "s": "system", "a": "assistant"}[kind], "content": "x"}


def messages(shapes: str) -> list[Message]:
    return [message(shape) for shape in shapes.split()]


@pytest.mark.parametrize(
    ("shapes", "expected", "reason"),
    [
        ("", [], "nothing"),
        ("s u a u", [(0,), (1,), (2,), (3,)], "plain messages stand for themselves"),
        ("u a:x t:x u", [(0,), (1, 2), (3,)], "a call and its answer"),
        ("a:x,y t:x t:y", [(0, 1, 2)], "parallel calls"),
        ("a:x,y t:y t:x", [(0, 1, 2)], "answers in another order"),
        ("a:x,y t:x u t:y", [(0, 1, 3), (2,)], "an answer apart from the others"),
        ("a:x a:y t:y t:x", [(0, 3), (1, 2)], "interleaved calls"),
        ("a:x t:x a:x t:x", [(0, 1), (2, 3)], "an id that is used again"),
        ("a:x a:x t:x", [(0,), (1, 2)], "the nearest earlier call has the answer"),
        ("a:x,y t:x a:x t:y t:x", [(0, 1, 3), (2, 4)], "one of two ids is used again"),
        ("a:x t:x u t:x", [(0, 1, 3), (2,)], "a second answer, even where others spoke between"),
        ("t:x u", [(0,), (1,)], "an orphan at the front"),
        ("u t:x a:x t:x", [(0,), (1,), (2, 3)], "an answer before its call is an orphan"),
        ("a:x u a", [(0,), (1,), (2,)], "a call that nobody answers"),
        ("a:x,x t:x", [(0, 1)], "one id twice in one message"),
        ("a:x t:y", [(0,), (1,)], "an answer to something else"),
    ],
)
def test_messages_are_grouped_into_blocks(shapes: str, expected: list[Block], reason: str) -> None:
    assert blocks(messages(shapes)) == expected, reason
    assert blocks(Conversation(messages(shapes), TokenCounter()).view(0, len(shapes.split()))) == (
        expected
    )


def test_a_call_without_an_id_is_answered_by_a_message_without_one() -> None:
    nameless: Any = [
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "content": "out"},
    ]
    assert blocks(nameless) == [(0, 1)]


def slow_blocks(view: Sequence[Message]) -> list[Block]:
    """The rule, said slowly: every answer looks for the nearest earlier call with its id."""
    opener = list(range(len(view)))
    for place, one in enumerate(view):
        if role(one) == "tool":
            for earlier in reversed(range(place)):
                if role(view[earlier]) == "assistant" and answered_id(one) in call_ids(
                    view[earlier]
                ):
                    opener[place] = earlier
                    break
    return [
        tuple(at for at, first in enumerate(opener) if first == place)
        for place in range(len(view))
        if opener[place] == place
    ]


SHAPES = st.lists(
    st.sampled_from(["s", "u", "a", "a:x", "a:y", "a:x,y", "a:y,z", "t:x", "t:y", "t:z"]),
    max_size=14,
)


@given(SHAPES)
def test_each_message_is_in_exactly_one_block_and_it_is_the_rules(shapes: list[str]) -> None:
    talk = [message(shape) for shape in shapes]
    found = blocks(talk)
    assert found == slow_blocks(talk)
    assert sorted(at for block in found for at in block) == list(range(len(talk)))
    for block in found:
        for at in block:
            assert block_of(talk, at) == block


@given(SHAPES, st.data())
def test_a_view_that_was_cut_and_joined_has_the_blocks_of_its_messages(
    shapes: list[str], data: st.DataObject
) -> None:
    conversation = Conversation([message(shape) for shape in shapes], TokenCounter())
    view: View = conversation.view(0, 0)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(shapes)))
        view += conversation.view(start, data.draw(st.integers(start, len(shapes))))
        view += [message(shape) for shape in data.draw(SHAPES)[:2]]
    expected = slow_blocks(list(view))
    assert blocks(view) == expected
    assert [block_of(view, at) for at in range(len(view))] == [
        next(block for block in expected if at in block) for at in range(len(view))
    ]


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        ("", ()),
        ("u a", (1,)),
        ("a:x,y t:x u t:y", (0, 1, 3)),
        ("u t:x", (1,)),
        ("a:x t:x a:y", (2,)),
    ],
)
def test_the_newest_block_holds_the_newest_message(shapes: str, expected: Block) -> None:
    assert newest_block(messages(shapes)) == expected


def test_a_view_knows_its_blocks_without_reading_on() -> None:
    """A request costs what changed: the first blocks of a long view are found without the rest."""

    class Counting(list[Message]):
        reads = 0

        def __getitem__(self, index: Any) -> Any:
            Counting.reads += 1
            return super().__getitem__(index)

    conversation = Conversation(messages("a:x t:x " * 500), TokenCounter())
    conversation.messages = Counting(conversation.messages)
    found = iter_blocks(conversation.view(0, 1000))
    assert [next(found), next(found)] == [(0, 1), (2, 3)]
    assert Counting.reads < 20
