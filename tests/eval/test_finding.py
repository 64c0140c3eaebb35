"""What one text says of what is sought: numbers, patterns, values that lie inside each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.finding import NOTHING, Marks, Sought, marks_in
from compaction_eval.scenarios.forms import Form, accepted_forms, as_number, value_forms
from compaction_eval.strategies.mentions import normalise


@pytest.mark.parametrize(
    ("text", "value", "found", "reason"),
    [
        ("it costs 75 euros", "75", True, "the number itself"),
        ("it costs 75.00 euros", "75", True, "by value"),
        ("it costs 75 euros", "75.0", True, "the other way round"),
        ("it costs 1,250 euros", "1250", True, "thousands have commas or none"),
        ("it costs 1250", "1,250", True, "the other way round"),
        ("1,250,000.50 in all", "1250000.5", True, "many commas and decimals"),
        ("人均消费75元", "75", True, "Chinese around it"),
        ("７５元", "75", True, "full-width digits"),
        ("[75,76]", "75", True, "a list"),
        ("[75,76]", "76", True, "its end"),
        ("-5 degrees", "-5", True, "a sign"),
        ("\u22125 degrees", "-5", True, "a minus sign"),
        ("3-5 degrees", "5", True, "a range isn't a sign"),
        ("$75.", "75", True, "a full stop"),
        ("75%", "75", True, "a unit that is a mark"),
        ("-5 degrees", "5", False, "another number"),
        ("75.5", "75", False, "another decimal"),
        ("75,000", "75", False, "another number with thousands"),
        ("175", "75", False, "the end of a number"),
        ("75kg", "75", False, "a word"),
        ("v75", "75", False, "a word"),
        ("1.10.2", "1.10", False, "a version is no number"),
        ("1.10.2", "10.2", False, "nor is its end"),
        ("12345,678", "678", False, "nor the thousands of a number"),
        ("12345,678", "12345", False, "nor what stands before them"),
        ("seventy-five", "75", False, "words aren't numbers"),
    ],
)
def test_a_number_is_compared_by_value_where_it_stands_whole(
    text: str, value: str, found: bool, reason: str
) -> None:
    (form,) = accepted_forms([value], "number")
    assert bool(form.find(normalise(text))) is found, reason


@given(st.integers(-(10**7), 10**7), st.integers(0, 3))
def test_every_spelling_of_a_number_says_it(number: int, places: int) -> None:
    spelled = f"{number:,}" + ("." + "0" * places if places else "")
    for text in (spelled, spelled.replace(",", ""), f"about {spelled}."):
        (mention,) = Form(str(number), "number").find(text)
        assert as_number(text[mention.start : mention.end]) == number


@pytest.mark.parametrize("text", ["", "seven", "1.2.3", "nan", "inf", "75 %"])
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert as_number(text) is None


def test_a_facts_forms_are_numbers_where_numbers_are_compared() -> None:
    assert value_forms(["1,250", "twelve fifty", " "], "number") == (
        Form("1,250", "number"),
        Form("twelve fifty"),
    )
    assert value_forms(["1,250", "TWELVE fifty", "twelve  fifty"], "contains") == (
        Form("1,250"),
        Form("twelve fifty"),
    )


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("moved to Rack B-7", r"rack b-\d", True),
        ("MOVED TO RACK B-7", r"Rack\s+B-\d", True),
        ("rack c-7", r"rack b-\d", False),
    ],
)
def test_a_pattern_is_searched_whatever_the_case(text: str, pattern: str, found: bool) -> None:
    assert bool(Form(pattern, "regex").find(normalise(text))) is found


def sought(current: list[str], stale: list[str]) -> Sought:
    return Sought(tuple(map(Form, current)), tuple(map(Form, stale)))


NEITHER, NEW, OLD = NOTHING, Marks(True, False, True), Marks(False, True, False)
NEW_LAST, OLD_LAST = Marks(True, True, True), Marks(True, True, False)


@pytest.mark.parametrize(
    ("text", "current", "stale", "expected", "reason"),
    [
        ("nothing of it", ["9443"], ["8443"], NEITHER, "neither is said"),
        ("listen: 9443", ["9443"], ["8443"], NEW, "the new value"),
        ("listen: 8443", ["9443"], ["8443"], OLD, "the old one"),
        ("8443, now 9443", ["9443"], ["8443"], NEW_LAST, "the new one has the last word"),
        ("9443, once 8443", ["9443"], ["8443"], OLD_LAST, "the old one has"),
        ("9443 8443 9443", ["9443"], ["8443"], NEW_LAST, "the last mention counts"),
        ("ships to lund east", ["lund east"], ["lund"], NEW, "the old value inside the new one"),
        ("ships to lund east", ["lund"], ["lund east"], OLD, "the new value inside the old one"),
        ("lund east, not lund", ["lund east"], ["lund"], OLD_LAST, "and by itself afterwards"),
        ("lund, then lund east", ["lund east"], ["lund"], NEW_LAST, "and by itself before"),
        ("at gate b12", ["b12", "gate b12"], ["gate b1"], NEW, "a piece of a word is no mention"),
        ("the big blue door", ["big blue"], ["blue door"], OLD_LAST, "overlapping is no inside"),
    ],
)
def test_the_order_of_old_and_new_is_told(
    text: str, current: list[str], stale: list[str], expected: Marks, reason: str
) -> None:
    assert marks_in(text, sought(current, stale)) == expected, reason


def test_parts_are_found_each_by_itself() -> None:
    parts = Sought(parts=(Form("lund"), Form("monday"), Form("two boxes")))
    assert marks_in("two boxes to lund", parts).parts == {0, 2}
    total = marks_in("two boxes", parts) + marks_in("on monday", parts)
    assert total.parts == {1, 2}


WORDS = st.lists(st.sampled_from(["8443", "9443", "9443 8443", "and"]), max_size=5)


@given(WORDS, WORDS)
def test_marks_of_two_texts_add_up_to_those_of_both(one: list[str], other: list[str]) -> None:
    seek = sought(["9443"], ["8443"])
    first, second = " ".join(one), " ".join(other)
    assert marks_in(first, seek) + marks_in(second, seek) == marks_in(f"{first}\n{second}", seek)
    assert bool(marks_in(first, seek)) is any(character.isdigit() for character in first)
