"""Patterns read as Python reads them, by an engine that can be stopped."""

import re

import pytest

from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.patterns import (
    SlowPatternError,
    find_pattern,
    pattern_fault,
    slowness,
)
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import reading_text


def spans(pattern: str, text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("a{i}", "a{i} ab a"),
        ("user{s}|{e<=1}", "user{s} uses {e<=1} user"),
        ("x{2,3}|y{,2}z", "xxx yyz z"),
        (r"\{a\}{2}", "{a}}"),
        ("[]a{e}]+", "]a{e} b"),
        ("(?x) a b # {e} [", "ab {e}"),
        ("a{}", "a{} a"),
        ("STRASSE|ÄRGER", "strasse ärger"),
        ("x*", "axb"),
    ],
)
def test_a_pattern_finds_what_pythons_own_engine_finds(pattern: str, text: str) -> None:
    found = find_pattern(text, pattern)
    assert found
    assert [tuple(one) for one in found] == spans(pattern, text)


@pytest.mark.filterwarnings("ignore:Possible nested set")
def test_a_class_by_name_is_no_class() -> None:
    assert spans("[[:alpha:]]", "p] x]") == [(0, 2)]
    assert [tuple(one) for one in find_pattern("p] x]", "[[:alpha:]]")] == [(0, 2)]


def test_the_shipped_patterns_find_what_pythons_own_engine_finds() -> None:
    found = 0
    for path in scenario_files(library_folder() / "tutoring"):
        for scenario in load_file(path):
            patterns = {p for one in scenario.probes if one.match == "regex" for p in one.accept}
            for text in map(normalise, map(reading_text, scenario.messages)):
                for pattern in patterns:
                    mentions = find_pattern(text, pattern)
                    assert [tuple(one) for one in mentions] == spans(pattern, text)
                    found += len(mentions)
    assert found


def test_a_search_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(
        SlowPatternError, match=r"'\(a\|aa\)\+#' takes longer than 0.05 s on a text"
    ):
        find_pattern("a" * 90, "(a|aa)+#", 0.05)


def test_the_time_is_that_of_all_texts_together() -> None:
    """Each by itself takes a fraction of it."""
    texts = ["a" * 22 + " "] * 5000
    assert slowness("(a|aa)+#", texts[:1]) is None
    assert "on this conversation" in (slowness("(a|aa)+#", texts) or "")


@pytest.mark.parametrize(
    ("pattern", "fault"), [("k(4", "doesn't compile: missing )"), ("k*", "matches an empty text")]
)
def test_a_pattern_that_can_be_no_answer_says_why(pattern: str, fault: str) -> None:
    assert fault in (pattern_fault(pattern) or "")
    assert pattern_fault("k4") is None
