"""Where a value stands whole, and where it is only a piece of something longer."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.mentions import (
    FAILURES,
    LONG,
    Mention,
    find_mentions,
    mentions,
    mentions_any,
    normalise,
    outside,
)


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("Port 8443.", "8443", "a full stop at the end goes on with no digit"),
        ("人均消费75元", "75", "only ASCII letters and digits bound a word"),
        ("１２ Uhr", "12", "full-width digits are digits"),
        ("um １８：３０", "18:30", "full-width punctuation is punctuation"),
        ("[75,76]", "75", "a comma and two digits make no thousands"),
        ("[75,76]", "76", "the same from behind"),
        ("1,2345", "1", "a comma and four digits make no thousands"),
        ("1,2345", "2345", "the same from behind"),
        ("Costs 1625.0 now", "1625", "only zeros follow the point"),
        ("Costs 1625.00, all in", "1625", "however many"),
        ("1.10.0", "1.10", "the same for a version"),
        ("Version 1.10.", "1.10", "a point and no digit"),
        ("see fig.75", "75", "a point with no digit before it"),
        ("https://api.acme.test/x", "api.acme.test", "a host in an address"),
        ("api.acme.test:8443/x", "8443", "a port behind its colon"),
        ("rm /var/log/app-1.log", "/var/log/app-1.log", "a path"),
        ("/var/log/app", "log", "a part of a path is a word of its own"),
        ("x_443", "_443", "an edge that is no letter or digit needs no boundary"),
        ("STRASSE", "Straße", "folded case"),
        ("API.Acme.Test", "api.acme.TEST", "case"),
        ("blue\n  room", "Blue room", "line breaks and runs of blanks are one space"),
        ("blue\u3000\t room", "blue room", "ideographic space is white space"),
        ("18:30 or 8:30", "8:30", "the second one stands whole"),
        ("a443 443", "443", "the search goes on behind a piece"),
        ("75,000 75", "75", "the same behind thousands"),
        ("in Lund East", "Lund", "words after it are no part of it"),
    ],
)
def test_a_value_that_stands_whole_is_mentioned(text: str, value: str, reason: str) -> None:
    text, value = normalise(text), normalise(value)
    (mention,) = find_mentions(text, value)
    assert text[mention.start : mention.end] == value, reason
    assert mentions(text, value)
    assert mentions_any(text, ["nowhere", value])


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("8443", "443", "a digit before it"),
        ("18:30", "8:30", "the same where the value holds a colon"),
        ("8:305", "8:30", "a digit behind it"),
        ("v443", "443", "a letter before it"),
        ("portal", "port", "a letter behind it"),
        ("75kg", "75", "a unit written together"),
        ("75.5", "75", "a decimal goes on"),
        ("0.75", "75", "the decimals of a number"),
        ("75,000", "75", "thousands go on"),
        ("75,000", "000", "the thousands of a number"),
        ("1,234,567", "234", "the middle of one"),
        ("1,234", "234", "the end of one"),
        ("1,234.5", "234.5", "the end of one with decimals"),
        ("1.10.2", "1.10", "a version goes on"),
        ("1.10.2", "10.2", "the end of a version"),
        ("1625.05", "1625", "not only zeros follow"),
        ("1625.0.1", "1625", "zeros of a version"),
        ("blueroom", "blue room", "a space isn't nothing"),
        ("anything", "", "an empty value says nothing"),
        ("", "75", "an empty text says nothing"),
    ],
)
def test_a_piece_of_something_longer_is_no_mention(text: str, value: str, reason: str) -> None:
    assert find_mentions(text, value) == [], reason
    assert not mentions(text, value)
    assert not mentions_any(text, [value])


@pytest.mark.parametrize(
    ("text", "as_written"), [("1625.0", False), ("1625", True), ("1625.", True)]
)
def test_asked_for_as_written_a_number_has_no_zeros_behind_a_point(
    text: str, as_written: bool
) -> None:
    assert mentions(text, "1625")
    assert mentions(text, "1625", as_written=True) is as_written


def test_mentions_are_found_in_order_and_never_overlap() -> None:
    assert find_mentions("8443 18443 8443", "8443") == [Mention(0, 4), Mention(11, 15)]
    assert find_mentions("费费费费费", "费费") == [Mention(0, 2), Mention(2, 4)]


DIGITS = "0123456789"
ALNUM = DIGITS + "abcdefghijklmnopqrstuvwxyz"


def number_goes_on(behind: str) -> bool:
    """Whether a number that ends before this text doesn't end: a point and a digit (unless only
    zeros follow), or a comma and exactly three digits."""
    digits = ""
    for character in behind[1:]:
        if character not in DIGITS:
            break
        digits += character
    if behind[:1] == "," and len(digits) == 3:
        return True
    if behind[:1] == "." and digits:
        rest = behind[1 + len(digits) :]
        version = rest[:1] == "." and rest[1:2] != "" and rest[1:2] in DIGITS
        return set(digits) != {"0"} or version
    return False


def stands_whole(text: str, start: int, end: int) -> bool:
    """The rule, said slowly."""
    before, value, behind = text[:start], text[start:end], text[end:]
    if value[0] in ALNUM and before and before[-1] in ALNUM:
        return False
    if value[-1] in ALNUM and behind and behind[0] in ALNUM:
        return False
    if value[-1] in DIGITS and number_goes_on(behind):
        return False
    if value[0] in DIGITS and len(before) > 1 and before[-2] in DIGITS:
        opening = (value + behind).lstrip(DIGITS)
        digits = len(value + behind) - len(opening)
        if before[-1] == "." or (before[-1] == "," and digits == 3):
            return False
    return True


def slow_mentions(text: str, value: str) -> list[Mention]:
    found: list[Mention] = []
    for start in range(len(text) - len(value) + 1):
        end = start + len(value)
        after_the_last = not found or start >= found[-1].end
        if value and text[start:end] == value and after_the_last and stands_whole(text, start, end):
            found.append(Mention(start, end))
    return found


TEXTS = st.text(alphabet="0015a.,: 费-", max_size=24)


@given(TEXTS, st.data())
def test_the_search_agrees_with_the_rule_said_slowly(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    value = text[start : start + data.draw(st.integers(0, 12))]
    assert find_mentions(text, value) == slow_mentions(text, value)
    assert mentions(text, value) == bool(slow_mentions(text, value))


@given(st.sampled_from(["1", "a", "aa1", "1.", ".1", "1,111", "1.1-"]), st.integers(1, 9), TEXTS)
def test_the_search_agrees_in_long_runs_of_the_same(unit: str, times: int, end: str) -> None:
    text = unit * 12 + end
    value = unit * times
    assert find_mentions(text, value) == slow_mentions(text, value)


class Watched(str):
    """A text that counts how often it is searched, and how often one of its characters is read."""

    searches = 0
    reads = 0

    def find(self, *arguments: Any) -> int:
        self.searches += 1
        return super().find(*arguments)

    def __getitem__(self, key: Any) -> str:
        self.reads += 1
        return super().__getitem__(key)


# A phrase again and again, and a value of it that is cut off within its last, or first, word.
CUT = [("ab ", 0, -2), ("ab ", 1, -1), ("ab,", 0, -2), ("a-1.5 ", 0, -3), ("12,345 ", 1, -1)]


@pytest.mark.parametrize(("unit", "start", "end"), CUT)
def test_a_long_value_costs_a_text_of_one_phrase_its_length(
    unit: str, start: int, end: int
) -> None:
    value = (unit * 2_000)[start:end]
    text = Watched(unit * 8_000)
    assert find_mentions(text, value) == []
    assert text.searches <= FAILURES
    assert text.reads <= 8 * len(text)


@pytest.mark.parametrize(("unit", "start", "end"), CUT)
@pytest.mark.parametrize("behind", ["", ";", "; {}", " x{} ", "{}. {}"])
def test_a_long_value_is_found_behind_many_places_where_it_is_cut_off(
    unit: str, start: int, end: int, behind: str
) -> None:
    value = (unit * 40)[start:end]
    text = unit * 120 + behind.format(value, value)
    assert len(value) > LONG
    assert find_mentions(text, value) == slow_mentions(text, value)


SPANS = st.lists(st.builds(lambda at, n: Mention(at, at + n), st.integers(0, 9), st.integers(1, 5)))


@given(SPANS, SPANS)
def test_a_mention_inside_a_longer_one_of_another_value_is_none(
    these: list[Mention], others: list[Mention]
) -> None:
    def inside(one: Mention, other: Mention) -> bool:
        return other.start <= one.start and one.end <= other.end and one != other

    free = [one for one in these if not any(inside(one, other) for other in others)]
    assert outside(these, others) == free


@given(st.text(max_size=40), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_equivalent_spellings_are_compared_alike(text: str, form: str) -> None:
    assert normalise(unicodedata.normalize(form, text)) == normalise(text)  # type: ignore[arg-type]  # one of the forms


@given(st.text(alphabet="aß1 \n\t　", max_size=20))
def test_a_normalised_text_has_single_inner_spaces_only(text: str) -> None:
    assert normalise(text).split(" ") == normalise(text).split() or normalise(text) == ""
