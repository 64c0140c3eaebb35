"""Messages made smaller inside."""

from typing import Any, cast

import pytest

from compaction_eval.strategies.messages import Message, content_text
from compaction_eval.strategies.reducing import reduce_messages
from compaction_eval.strategies.tokens import TokenCounter

COUNTER = TokenCounter()
WORDS = " ".join(f"word{n}" for n in range(500))
CHINESE = "".join(f"第{n}间客房人均消费{n * 3}元，" for n in range(200))


def say(role: str, content: Any, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


@pytest.mark.parametrize(
    ("content", "head", "tail"),
    [
        (WORDS, "word0 ", " word499"),
        (CHINESE, "第0间", "元，"),
        ([{"type": "text", "text": WORDS}], '[{"type": "text", "text": "word0 ', ' word499"}]'),
    ],
    ids=["words", "Chinese", "parts"],
)
@pytest.mark.parametrize("limit", [60, 100, 400])
def test_beginning_middle_and_end_stay_in_at_most_the_limit(
    content: Any, head: str, tail: str, limit: int
) -> None:
    reduced = reduce_messages([say("user", content)], limit, COUNTER)
    assert reduced is not None
    assert limit * 0.6 <= COUNTER.messages(reduced) <= limit
    text = content_text(reduced[0])
    assert text.startswith(head)
    assert text.endswith(tail)
    assert text.count("[…]") == 2


def test_what_fits_is_left_as_it_is() -> None:
    messages = [say("user", "short")]
    reduced = reduce_messages(messages, 50, COUNTER)
    assert reduced is not None
    assert reduced[0] is messages[0]


def test_only_the_long_ones_of_a_block_are_cut_and_share_the_room() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    block = [
        say("assistant", None, tool_calls=[call]),
        say("tool", WORDS, tool_call_id="c"),
        say("tool", "short", tool_call_id="d"),
        say("tool", WORDS + " more", tool_call_id="e"),
    ]
    reduced = reduce_messages(block, 300, COUNTER)
    assert reduced is not None
    assert (reduced[0], reduced[2]) == (block[0], block[2])
    sizes = [COUNTER.message(message) for message in reduced]
    assert abs(sizes[1] - sizes[3]) < 20
    assert [m.get("tool_call_id") for m in reduced] == [None, "c", "d", "e"]


def test_numbers_are_not_cut_in_two() -> None:
    text = " ".join(str(n) for n in range(100_000, 101_000))
    reduced = reduce_messages([say("tool", text)], 90, COUNTER)
    assert reduced is not None
    pieces = content_text(reduced[0]).split()
    assert all(piece == "[…]" or len(piece) == 6 for piece in pieces)


def test_arguments_are_never_cut() -> None:
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "write", "arguments": f'{{"text": "{WORDS}"}}'},
    }
    assert reduce_messages([say("assistant", "Writing.", tool_calls=[call])], 100, COUNTER) is None


def test_what_is_reduced_is_not_reduced_again() -> None:
    once = reduce_messages([say("user", WORDS)], 100, COUNTER)
    assert once is not None
    again = reduce_messages(once, 100, COUNTER)
    assert again is not None
    assert again[0] is once[0]


def test_nothing_is_left_of_a_text_in_no_room() -> None:
    assert reduce_messages([say("user", WORDS)], 9, COUNTER) is None
