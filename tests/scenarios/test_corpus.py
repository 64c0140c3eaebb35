"""A conversation searched through its index finds what a search of every text finds."""

import random
from typing import Any

import pytest

from compaction_eval.scenarios.corpus import Corpus, Readings
from compaction_eval.strategies.mentions import find_mentions, normalise
from compaction_eval.strategies.messages import Message, reading_text


def says(text: str) -> Message:
    return {"role": "user", "content": text}


def calls(arguments: str) -> Any:
    function = {"name": "write_file", "arguments": arguments}
    call = {"id": "call_1", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


CORPUS = Corpus(
    [
        says("The port is 8443, the host  API.acme.test."),
        says("Ports 18443 and 8443.5 are others."),
        calls('{"path": "conf/ports.yaml", "text": "listen: 8443\\nname: 北京_一"}'),
        says("8443 again: 8443"),
    ]
)


@pytest.mark.parametrize(
    ("value", "holders"),
    [
        ("8443", (0, 2, 3)),
        ("api.acme.test", (0,)),
        ("acme", (0,)),
        ("write_file", (2,)),
        ("conf/ports.yaml", (2,)),
        ("text", ()),  # an argument's key is no value
        ("北京_一", (2,)),  # without any letter or digit that the index knows
        ("port 8443", ()),
        ("listen: 8443 name", (2,)),
        ("", ()),
    ],
)
def test_a_value_is_held_by_the_messages_that_mention_it_whole(
    value: str, holders: tuple[int, ...]
) -> None:
    assert CORPUS.holders(value) == holders


def test_as_written_a_number_with_zeros_after_its_point_is_another_text() -> None:
    messages = [says("It costs 1625.0 now."), says("It costs 1625 now.")]
    assert Corpus(messages).holders("1625") == (0, 1)
    assert Corpus(messages, as_written=True).holders("1625") == (1,)


@pytest.mark.parametrize(("before", "newest"), [(0, None), (1, 0), (2, 0), (3, 2), (4, 3)])
def test_the_newest_holder_is_before_the_given_position(before: int, newest: int | None) -> None:
    assert CORPUS.newest("8443", before) == newest


def test_a_value_never_runs_from_one_message_into_the_next() -> None:
    corpus = Corpus([says("wing\x00"), says("gate B7")])
    assert corpus.holders("wing\x00gate") == corpus.holders("wing\x00 gate b7") == ()
    assert corpus.holders("wing\x00") == (0,)


def test_the_index_agrees_with_a_search_of_every_text() -> None:
    letters = random.Random(7)
    messages = [says("".join(letters.choices("ab1.,费 ", k=40))) for _ in range(30)]
    corpus = Corpus(messages)
    texts = [normalise(reading_text(message)) for message in messages]
    found = 0
    for _ in range(2000):
        text = letters.choice(texts)
        start = letters.randrange(len(text))
        value = text[start : start + letters.randint(1, 6)]
        expected = [at for at, text in enumerate(texts) if find_mentions(text, value)]
        assert list(corpus.holders(value)) == expected
        found += len(expected)
    assert found > 2000


def test_corpora_with_texts_in_common_read_them_once_and_answer_as_each_alone() -> None:
    readings = Readings()
    shared = says("The gate is K4, " * 3)
    few = Corpus([shared], readings=readings)
    many = Corpus([says("K4?"), shared, says("No, k5.")], readings=readings)
    assert few.text(0) is many.text(1)
    assert (few.holders("k4"), many.holders("k4"), many.holders("k5")) == ((0,), (0, 1), (2,))
