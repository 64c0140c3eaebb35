"""The sliding window over blocks, as it is by default and with what it offers beyond."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Context
from compaction_eval.strategies.block_truncation import BlockTruncation
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.tokens import TokenCounter


def say(role: str, content: Any, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


def block(*answers: str, order: Sequence[int] | None = None) -> list[Message]:
    """One assistant message with a call per answer, then the answers in some order."""
    ids = [f"{answer} id" for answer in answers]
    calls = [
        {"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ids
    ]
    tools = [say("tool", a, tool_call_id=i) for a, i in zip(answers, ids, strict=True)]
    call = say("assistant", None, tool_calls=calls)
    return [call, *(tools[at] for at in (order or range(len(tools))))]


def counter(**sizes: int) -> TokenCounter:
    """Counts each of these texts as so many tokens; a call costs nothing beside its framing."""
    return TokenCounter(known={"look": 0, "{}": 0, **sizes})


SYSTEM = say("system", "rules")


def test_the_oldest_block_goes_first_until_the_view_fits() -> None:
    messages = [SYSTEM, say("user", "u1"), say("assistant", "a1"), say("user", "u2")]
    count = counter(rules=6, u1=16, a1=26, u2=6)
    result = BlockTruncation().compact(messages, Context(53, count))
    assert result.view == [SYSTEM, *messages[2:]], "10 + 30 + 10 + 3 is exactly the budget"
    result = BlockTruncation().compact(messages, Context(52, count))
    assert result.view == [SYSTEM, messages[3]]
    assert (result.dropped, result.blocks_dropped) == (messages[1:3], 2)


def test_a_tool_block_is_never_split() -> None:
    messages = [say("user", "u1"), *block("t1", "t2", order=(1, 0)), say("user", "u2")]
    count = counter(u1=6, t1=6, t2=96, u2=6)
    # The call and the short answer would fit, but they're one with the long answer.
    result = BlockTruncation().compact(messages, Context(70, count))
    assert result.view == messages[-1:]
    assert result.blocks_dropped == 2


def test_answers_that_are_not_adjacent_go_with_their_call() -> None:
    call, first, second = block("t1", "t2")
    user = say("user", "u1")
    messages = [call, first, user, second, say("user", "u2")]
    count = counter(t1=6, t2=6, u1=6, u2=6)
    result = BlockTruncation().compact(messages, Context(25, count))
    assert result.view == [user, messages[-1]]
    assert result.dropped == [call, first, second]


def test_an_orphan_tool_message_in_front_is_popped_alone_and_counted() -> None:
    orphan = say("tool", "t0", tool_call_id="gone")
    messages = [orphan, say("user", "u1"), *block("t1"), say("user", "u2")]
    count = counter(t0=6, u1=6, t1=6, u2=6)
    result = BlockTruncation().compact(messages, Context(40, count))
    assert result.view == messages[1:]
    assert (result.orphans_dropped, result.blocks_dropped) == (1, 0)


def test_popping_returns_the_dropped_messages_block_by_block() -> None:
    first, second = block("t1"), block("t2")
    messages = [*first, *second, say("user", "u1")]
    count = counter(t1=6, t2=6, u1=6)
    result = BlockTruncation().compact(messages, Context(20, count))
    assert result.dropped == [*first, *second]
    assert result.blocks_dropped == 2


@pytest.mark.parametrize(
    ("reserve", "blocks"), [(0, 0), (10, 1), (20, 2), (500, 2)], ids=lambda value: str(value)
)
def test_the_reserve_is_taken_from_the_budget_and_floored_at_nothing(
    reserve: int, blocks: int
) -> None:
    messages = [say("user", "u1"), say("assistant", "a1"), say("user", "u2")]
    count = counter(u1=6, a1=6, u2=6)
    result = BlockTruncation(reserve_tokens=reserve).compact(messages, Context(33, count))
    assert result.blocks_dropped == blocks
    assert result.view[-1] is messages[-1]


def test_reference_setting_leaves_6000_of_an_8192_token_window_for_history() -> None:
    messages = [say("user", "u1"), say("assistant", "a1"), say("user", "u2")]
    count = counter(u1=2000, a1=3500, u2=500)
    strategy = BlockTruncation(reserve_tokens=2192)
    result = strategy.compact(messages, Context(8192, count))
    assert result.blocks_dropped == 1, "6,015 tokens are too many"
    assert strategy.compact(messages[1:], Context(8192, count)).action == "none"


def test_the_newest_block_stays_whatever_it_costs() -> None:
    messages = [SYSTEM, say("user", "u1"), *block("t1")]
    result = BlockTruncation().compact(messages, Context(20, counter(rules=6, u1=6, t1=900)))
    assert result.view == [SYSTEM, *messages[2:]]


def loop(rounds: int) -> list[Message]:
    """A request, and tool rounds that work on it."""
    messages = [SYSTEM, say("user", "old"), say("assistant", "done"), say("user", "ask")]
    for number in range(rounds):
        messages += block(f"t{number}")
    return messages


SIZES = {"rules": 6, "old": 16, "done": 6, "ask": 6, **{f"t{n}": 16 for n in range(9)}}


def test_by_default_the_request_slides_out_of_a_long_tool_loop() -> None:
    messages = loop(6)
    result = BlockTruncation().compact(messages, Context(70, counter(**SIZES)))
    assert result.view == [SYSTEM, *messages[-4:]]


def test_request_keep_holds_the_active_request_in_front_of_its_loop() -> None:
    messages = loop(6)
    strategy = BlockTruncation(request="keep")
    result = strategy.compact(messages, Context(75, counter(**SIZES)))
    assert result.view == [SYSTEM, messages[3], *messages[-4:]]
    assert [m["content"] for m in result.dropped if role(m) == "user"] == ["old"]


def test_a_request_goes_with_the_work_on_it_when_the_rest_opens_with_another() -> None:
    messages = [say("user", "ask"), *block("t1"), say("user", "old"), say("assistant", "done")]
    result = BlockTruncation(request="keep").compact(messages, Context(40, counter(**SIZES)))
    assert result.view == messages[3:]


def test_what_the_framework_injects_is_no_request() -> None:
    feedback = say("user", "[Judge feedback] go on")
    messages = [say("user", "ask"), *block("t1"), feedback, *block("t2"), *block("t3")]
    count = counter(**SIZES, **{"[Judge feedback] go on": 6})
    result = BlockTruncation(request="keep").compact(messages, Context(40, count))
    assert result.view == [messages[0], *messages[-2:]]


def test_without_a_request_before_it_the_cut_goes_on_to_the_next_user_message() -> None:
    messages = [*block("t1"), *block("t2"), say("user", "ask"), *block("t3")]
    result = BlockTruncation(request="keep").compact(messages, Context(70, counter(**SIZES)))
    assert result.view == messages[4:]


def test_a_request_too_long_to_be_kept_is_reduced_or_let_go() -> None:
    words = " ".join(f"word{n}" for n in range(400))
    messages = [say("user", words), *block("t1"), *block("t2"), *block("t3")]
    context = Context(200, TokenCounter(known={"t3": 80}))
    reduced = BlockTruncation(request="keep", oversized="reduce").compact(messages, context)
    assert role(reduced.view[0]) == "user"
    assert content_text(reduced.view[0]).startswith("word0 ")
    assert content_text(reduced.view[0]).endswith(" word399")
    assert context.counter.message(reduced.view[0]) <= 50
    assert reduced.action == "reduce"
    assert reduced.dropped == [messages[0]]
    plain = BlockTruncation(request="keep").compact(messages, context)
    assert plain.view == messages[-2:]


def test_an_oversized_newest_block_is_reduced_inside_and_holds_the_budget() -> None:
    lines = "\n".join(f"line {n}: value {n * 7}" for n in range(900))
    messages = [SYSTEM, say("user", "ask"), *block(lines)]
    context = Context(300, TokenCounter())
    result = BlockTruncation(request="keep", oversized="reduce").compact(messages, context)
    assert context.count(result.view) <= 300
    assert [role(m) for m in result.view] == ["system", "user", "assistant", "tool"]
    text = content_text(result.view[-1])
    assert text.startswith("line 0: value 0")
    assert text.endswith("line 899: value 6293")
    assert result.view[-1]["tool_call_id"] == messages[-1]["tool_call_id"]
    assert context.count(BlockTruncation().compact(messages, context).view) > 300


def test_the_same_message_is_reduced_to_the_same_bytes_whatever_stood_before_it() -> None:
    lines = "\n".join(f"line {n}: value {n * 7}" for n in range(900))
    newest = block(lines)
    strategy = BlockTruncation(oversized="reduce")
    context = Context(300, TokenCounter())
    once = strategy.compact([SYSTEM, say("user", "ask"), *newest], context)
    again = strategy.compact([SYSTEM, say("user", "more " * 50), *newest], context)
    assert once.view[-1] == again.view[-1]


def test_nothing_is_done_while_the_view_fits(talk: list[Message]) -> None:
    count = TokenCounter()
    result = BlockTruncation().compact(talk, Context(count.request(talk), count))
    assert (result.view, result.action, result.dropped) == (talk, "none", ())


def test_a_negative_reserve_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="reserve_tokens must be 0 or more, not -1"):
        BlockTruncation(reserve_tokens=-1)
