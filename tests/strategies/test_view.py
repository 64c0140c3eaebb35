"""Views behave as the lists of their messages do, at the cost of their parts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation, View

SIZE = 9


def message(text: str) -> Message:
    return {"role": "user", "content": text}


def conversation() -> Conversation:
    return Conversation([message(f"number {n}") for n in range(SIZE)], TokenCounter())


PIECE = st.one_of(
    st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)), st.text(alphabet="ab", max_size=2)
)
PIECES = st.lists(PIECE, max_size=5)


def built(talk: Conversation, pieces: list[Any]) -> tuple[View, list[Message]]:
    """A view of stretches and loose messages, and the plain list of the same messages."""
    view, plain = talk.view(0, 0), list[Message]()
    for piece in pieces:
        if isinstance(piece, str):
            loose = [message(piece)]
            view, plain = view + loose, plain + loose
        else:
            view, plain = view + talk.view(*piece), plain + talk.messages[slice(*piece)]
    return view, plain


def identities(messages: Any) -> list[int]:
    return [id(one) for one in messages]


@given(PIECES, st.integers(-12, 12) | st.none(), st.integers(-12, 12) | st.none(), st.data())
def test_a_view_is_sliced_indexed_and_compared_as_a_list(
    pieces: list[Any], start: int | None, stop: int | None, data: st.DataObject
) -> None:
    view, plain = built(conversation(), pieces)
    step = data.draw(st.sampled_from([None, 1, 2, -1, -2]))
    assert len(view) == len(plain)
    assert identities(view) == identities(plain)
    assert identities(view[start:stop:step]) == identities(plain[start:stop:step])
    assert isinstance(view[start:stop:step], View)
    assert [id(view[n]) for n in range(-len(plain), len(plain))] == identities(plain + plain)
    assert view == plain
    assert view == tuple(plain)
    assert view[start:stop] == plain[start:stop]
    assert (view == plain[1:]) is (not plain)
    assert bool(view) is bool(plain)
    assert list(reversed(view)) == plain[::-1]


@given(PIECES, PIECES)
def test_views_and_lists_are_joined_in_any_combination(one: list[Any], other: list[Any]) -> None:
    talk = conversation()
    (view, plain), (more, plain_more) = built(talk, one), built(talk, other)
    for joined in (view + more, view + plain_more, plain + more, view + tuple(plain_more)):
        assert isinstance(joined, View)
        assert identities(joined) == identities(plain + plain_more)


@given(PIECES)
def test_a_view_costs_what_its_messages_cost(pieces: list[Any]) -> None:
    talk = conversation()
    view, plain = built(talk, pieces)
    assert talk.counter.request(view) == TokenCounter().request(plain)


@given(PIECES)
def test_parts_are_canonical(pieces: list[Any]) -> None:
    """However a view came to be: no empty stretch, and none that goes on where another ended."""
    view, plain = built(conversation(), pieces)
    for part, following in zip(view.parts, [*view.parts, None][1:], strict=True):
        if isinstance(part, range):
            assert len(part) > 0
            assert not (isinstance(following, range) and following.start == part.stop)
    assert view.conversation.adopt(plain).parts == view.parts


@given(PIECES)
def test_loose_messages_are_told_with_their_places(pieces: list[Any]) -> None:
    view, plain = built(conversation(), pieces)
    own = set(identities(view.conversation.messages))
    assert [(at, id(one)) for at, one in view.loose()] == [
        (at, id(one)) for at, one in enumerate(plain) if id(one) not in own
    ]


def test_messages_are_adopted_by_identity_not_by_what_they_say() -> None:
    talk = conversation()
    view = talk.adopt([talk.messages[2], talk.messages[3], message("number 4")])
    assert view.parts == (range(2, 4), message("number 4"))
    assert view.parts[1] is not talk.messages[4]


def test_a_view_of_the_same_conversation_is_adopted_as_it_is() -> None:
    talk = conversation()
    view = talk.view(1, 3)
    assert talk.adopt(view) is view
    assert conversation().adopt(view).parts == tuple(talk.messages[1:3])


def test_views_of_different_conversations_are_equal_when_their_messages_are() -> None:
    assert conversation().view(1, 3) == conversation().view(1, 3)
    assert conversation().view(1, 3) != conversation().view(2, 4)


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_beyond_the_view_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError, match=f"message {index} of a view of 3"):
        conversation().view(0, 3)[index]


def test_a_message_stands_in_a_conversation_once() -> None:
    """Messages are known by identity, so one object at two places couldn't be told apart."""
    one = message("x")
    with pytest.raises(ValueError, match="only once"):
        Conversation([one, message("x"), one], TokenCounter())


def test_a_view_isnt_hashable_and_never_changes() -> None:
    view = conversation().view(0, 2)
    with pytest.raises(TypeError):
        hash(view)
    longer = view
    longer += [message("x")]
    assert (len(view), len(longer)) == (2, 3)


def test_a_conversation_grows_at_its_end_and_older_views_stay() -> None:
    talk = conversation()
    view = talk.view(0, SIZE)
    before = talk.counter.request(view)
    talk.append(message("number 9"))
    assert talk.counter.request(view) == before
    assert (len(view), len(talk.view(0, SIZE + 1))) == (SIZE, SIZE + 1)
