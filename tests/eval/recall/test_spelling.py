"""Numbers and versions that an answer writes in another way, and what must not pass for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.eval.recall.answers import ANSWERS, EXPECTED
from tests.eval.recall.conftest import talk
from tests.eval.recall.held_out import FRESH, HELD_OUT, MENDED
from tests.eval.recall.spellings import NUMBERS, VERSIONS

from compaction_eval.eval.recall.expected import Expected, as_read, expected_of
from compaction_eval.eval.recall.grading import grade
from compaction_eval.eval.recall.spelling import plain_spelling
from compaction_eval.eval.records import Verdict
from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement
from compaction_eval.strategies.mentions import mentions, normalise

HERE = Place("here.yaml", 1)


def of_probe(probe: Probe, language: str = "en", *values: str) -> Expected:
    """What a probe about a fact expects whose values were said one after the other."""
    said = tuple(Statement("it", at, (value,), False, HERE) for at, value in enumerate(values))
    scenario = Scenario("here", "", language, talk().messages, statements=said, probes=(probe,))
    return expected_of(scenario, probe, len(scenario.messages))


def of_values(language: str, *values: str) -> Expected:
    return of_probe(Probe("p", "recall", "?", (("end", 7),), fact="it"), language, *values)


@pytest.mark.parametrize(("value", "language", "answer", "right"), [*NUMBERS, *VERSIONS])
def test_a_value_in_another_spelling_is_right_and_another_value_is_not(
    value: str, language: str, answer: str, right: bool
) -> None:
    assert (grade(answer, of_values(language, value)).verdict == "correct") is right


@pytest.mark.parametrize(
    ("value", "answer", "verdict"),
    [
        ("2026-10-12", "Le 2026-10-12 100 personnes.", "correct"),
        ("12/10/26", "Le 12/10/26 100 personnes.", "correct"),
        ("14:30", "À 14:30 200 appels.", "correct"),
        ("1500", "De 500-1 500 euros.", "correct"),
    ],
)
def test_a_number_after_a_date_or_a_time_is_another_one(
    value: str, answer: str, verdict: Verdict
) -> None:
    assert grade(answer, of_values("fr", value)).verdict == verdict


def test_what_is_taken_for_right_as_written_still_is() -> None:
    pairs = [one for one in (*NUMBERS, *VERSIONS) if mentions(*map(normalise, (one[2], one[0])))]
    assert len(pairs) > 5
    assert all(grade(one[2], of_values(one[1], one[0])).verdict == "correct" for one in pairs)


def test_no_verdict_on_the_answers_of_the_calibration_depends_on_it() -> None:
    graded = []
    for name, answer, _ in (*ANSWERS, *HELD_OUT, *MENDED, *FRESH):
        written = EXPECTED[name]
        if not written.exact and not any(one.kind == "regex" for one in written.current):
            graded.append((answer, written, in_language(written, name.rpartition("-")[2])))
    assert len(graded) > 350
    assert all(grade(one, written) == grade(one, read) for one, written, read in graded)


def in_language(written: Expected, language: str) -> Expected:
    language = language if language in ("zh", "ja", "de") else "en"
    names = ("current", "parts", "stale", "rejected")
    forms = {name: as_read(getattr(written, name), language) for name in names}
    return replace(written, language=language, **forms)  # type: ignore[arg-type]  # of its fields


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("It was 8,443 and is 9,443 now.", "correct"),
        ("9,443 or 8,443", "mixed"),
        ("8,443", "stale"),
        ("8,443.5", "wrong"),
    ],
)
def test_an_old_number_is_known_in_another_spelling_too(answer: str, verdict: Verdict) -> None:
    assert grade(answer, of_values("en", "8443", "9443")).verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [("v2.4.1 instead of v2.4.0", "correct"), ("v2.4.0 or v2.4.1", "mixed"), ("V2.4.0", "stale")],
)
def test_an_old_version_is_known_in_another_spelling_too(answer: str, verdict: Verdict) -> None:
    assert grade(answer, of_values("en", "2.4.0", "v2.4.1")).verdict == verdict


def probe(match: str, *accept: str) -> Probe:
    return Probe("p", "recall", "?", (("end", 7),), accept=accept, match=match)  # type: ignore[arg-type]  # a parameter's text


@pytest.mark.parametrize(
    ("match", "accept", "language", "answer", "verdict"),
    [
        ("exact", ("9443",), "en", "9,443", "wrong"),
        ("exact", ("2.4.1",), "en", "v2.4.1", "wrong"),
        ("regex", ("9,4.3",), "en", "9,443", "correct"),
        ("number", ("9443",), "de", "9.443 Karten", "correct"),
        ("number", ("9.443",), "de", "9.443", "correct"),
        ("number", ("9443",), "en", "9.443", "wrong"),
        ("all_of", ("9443", "v3", "v2.4.1"), "en", "9,443, version 2.4.1 and v3", "correct"),
        ("set", ("1500", "2500"), "en", "1,500 and 2,600", "missing"),
    ],
)
def test_each_way_to_match_has_its_own_strictness(
    match: str, accept: tuple[str, ...], language: str, answer: str, verdict: Verdict
) -> None:
    assert grade(answer, of_probe(probe(match, *accept), language)).verdict == verdict


def test_a_rejected_number_is_known_in_another_spelling_too() -> None:
    nothing = replace(probe("contains"), kind="abstention", accept=(), reject=("6379",))
    assert grade("6,379", of_probe(nothing)).verdict == "wrong"


@given(st.text("0123456789.,' v/３，\u202f", max_size=30), st.sampled_from(["en", "de", "fr", "x"]))
def test_a_text_read_once_reads_the_same_again_and_keeps_its_digits(
    text: str, language: str
) -> None:
    once = plain_spelling(text, language)
    assert plain_spelling(once, language) == once
    assert [sign for sign in once if sign.isdigit()] == [sign for sign in text if sign.isdigit()]


def test_a_long_chain_of_digits_takes_no_longer_than_its_length() -> None:
    chain = "1" + ",111" * 200_000
    assert plain_spelling(chain, "en") == chain.replace(",", "")
