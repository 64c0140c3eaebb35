"""Wording that two scenarios have in common is found, in any script, and filler isn't looked at."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from compaction_eval.scenarios.library import library_folder, select
from compaction_eval.scenarios.records import Place, Scenario
from compaction_eval.scenarios.wording_overlap import MANY, SMALL_SHARE, overlaps

ENGLISH = "the ferry leaves at nine from the northern quay unless the tide is low"
CHINESE = "渡船早上九点从北码头开，赶上退潮就改到十点半，票还是那张票"


def scenario(name: str, *texts: str, variant: str = "", filler: bool = False) -> Scenario:
    return Scenario(
        id=name,
        title=name,
        lang="en",
        variant=variant,
        messages=tuple({"role": "user", "content": text} for text in texts),
        places=tuple(Place(f"{name}.yaml", at + 1) for at in range(len(texts))),
        filler=((0, len(texts)),) if filler else (),
        file=f"{name}.yaml",
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(ENGLISH, ENGLISH, id="the same words"),
        pytest.param(ENGLISH, ENGLISH.upper().replace(" ", ",  "), id="case and punctuation apart"),
        pytest.param(CHINESE, CHINESE, id="the same characters"),
        pytest.param(CHINESE, CHINESE.replace("，", "。"), id="characters, punctuation apart"),
        pytest.param(
            f"{CHINESE[:6]} ferry {CHINESE[6:]}", f"{CHINESE[:6]}ferry{CHINESE[6:]}", id="mixed"
        ),
    ],
)
def test_the_same_wording_overlaps_wholly(one: str, other: str) -> None:
    [found] = overlaps([scenario("a", one), scenario("b", "Hello.", other)])
    assert (found.one.id, found.other.id, found.share) == ("b", "a", 1)
    assert str(found.place) == "b.yaml:2:1"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("the ferry leaves at nine, doesn't it", id="five words in a row"),
        pytest.param("渡船早上九点从北码头走", id="ten characters in a row"),
        pytest.param("low is tide the unless quay northern the from nine at leaves", id="reversed"),
    ],
)
def test_a_few_words_in_common_are_none(text: str) -> None:
    assert overlaps([scenario("a", ENGLISH, CHINESE), scenario("b", text + " " + "x " * 9)]) == []


def test_the_share_is_that_of_the_smaller_scenario() -> None:
    words = ENGLISH.split()
    half = " ".join([*words[:8], *(f"other{number}" for number in range(8))])
    [found] = overlaps([scenario("a", half), scenario("b", ENGLISH, CHINESE)])
    assert found.share == pytest.approx(3 / 11)  # 3 of the 11 runs of six among sixteen words


def test_wording_does_not_run_from_one_message_into_the_next() -> None:
    words = ENGLISH.split()
    apart = [" ".join(words[at : at + 5]) for at in range(0, len(words), 5)]
    assert overlaps([scenario("a", ENGLISH), scenario("b", *apart)]) == []


def test_generated_filler_is_left_out() -> None:
    assert overlaps([scenario("a", ENGLISH), scenario("b", ENGLISH, filler=True)]) == []


def test_system_messages_are_left_out() -> None:
    """Many conversations have the same harness."""
    told = ({"role": "system", "content": ENGLISH},)
    assert overlaps([replace(scenario(name), messages=told) for name in "ab"]) == []


def test_of_many_copies_each_is_told_once() -> None:
    names = [f"s{number:02}" for number in range(MANY + 4)]
    found = overlaps([scenario(name, ENGLISH) for name in names])
    assert [(pair.other.id, pair.one.id) for pair in found] == list(pairwise(names))


def test_a_sample_of_large_texts_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{ENGLISH} and number{at} is of another kind than number{at + 1}" for at in range(50)]
    monkeypatch.setattr("compaction_eval.scenarios.wording_overlap.LARGE", 2000)
    other = [f"row{at} holds nothing but the name of row{at - 1}" for at in range(50)]
    pair = [scenario("a", *texts), scenario("b", *texts), scenario("c", *other)]
    assert [(one.one.id, one.share) for one in overlaps(pair)] == [("b", 1)]


def test_variants_of_one_scenario_are_not_compared() -> None:
    pair = [scenario("a", ENGLISH, variant="noise=0"), scenario("a", ENGLISH, variant="noise=9")]
    assert overlaps(pair) == []


def test_no_two_shipped_scenarios_share_more_than_idioms() -> None:
    every = select([str(library_folder())])
    found = overlaps([one for one in every if "edge" not in one.tags], SMALL_SHARE)
    assert [(pair.one.id, pair.other.id, pair.share) for pair in found] == []
