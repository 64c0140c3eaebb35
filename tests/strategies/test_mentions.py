"""Where a value stands whole, and where it is only a piece of something longer."""

import pytest

from compaction_eval.strategies.mentions import Mention, find_mentions, mentions, normalise


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Port 8443.", "8443"),
        ("api.acme.test:8443/x", "8443"),
        ("https://api.acme.test/x", "api.acme.test"),
        ("人均消费75元", "75"),
        ("[75,76]", "75"),
        ("[75,76]", "76"),
        ("Costs 1625.0 now", "1625"),
        ("Costs 1625.00, all in", "1625"),
        ("１２ Uhr", "12"),
        ("STRASSE", "Straße"),
        ("blue\n  room", "Blue room"),
        ("1,2345", "1"),
        ("1,2345", "2345"),
        ("18:30 or 8:30", "8:30"),
        ("a443 443", "443"),
        ("x_443", "_443"),
    ],
)
def test_a_value_that_stands_whole_is_mentioned(text: str, value: str) -> None:
    text, value = normalise(text), normalise(value)
    (mention,) = find_mentions(text, value)
    assert text[mention.start : mention.end] == value
    assert mentions(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8443", "443"),
        ("18:30", "8:30"),
        ("75.5", "75"),
        ("0.75", "75"),
        ("75,000", "75"),
        ("1,234,567", "234"),
        ("1,234", "234"),
        ("1.10.2", "1.10"),
        ("1.10.2", "10.2"),
        ("1625.05", "1625"),
        ("1625.0.1", "1625"),
        ("v443", "443"),
        ("portal", "port"),
        ("anything", ""),
        ("", "75"),
    ],
)
def test_a_piece_of_something_longer_is_no_mention(text: str, value: str) -> None:
    assert find_mentions(text, value) == []
    assert not mentions(text, value)


def test_mentions_are_found_in_order_and_never_overlap() -> None:
    assert find_mentions("8443 18443 8443", "8443") == [Mention(0, 4), Mention(11, 15)]
    assert find_mentions("费费费费费", "费费") == [Mention(0, 2), Mention(2, 4)]


def test_a_stretch_of_text_ends_for_a_mention_where_it_is_told_to() -> None:
    assert find_mentions("75.5 75", "75", 0, 2) == [Mention(0, 2)]
    assert find_mentions("75.5 75", "75", 1) == [Mention(5, 7)]
