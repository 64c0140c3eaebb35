"""The oracle copies what it is shown, the newest value only, and needs the answer key."""

from typing import cast

import pytest

from compaction_eval.strategies.base import AnswerKey, PlantedFact, SummaryRequest
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.summarizers.oracle import HEADING, NOTHING, Oracle


def user(content: str) -> Message:
    return cast("Message", {"role": "user", "content": content})


OLD, NEW, GONE = user("Listen on 8443."), user("Listen on 9443."), user("Drop the owner note.")
OWNER = user("The owner is Mei Lindqvist.")
KEY = AnswerKey(
    (
        PlantedFact("port", ("8443",), OLD),
        PlantedFact("owner", ("Mei Lindqvist", "Lindqvist, Mei"), OWNER),
        PlantedFact("port", ("9443",), NEW),
        PlantedFact("owner", ("drop the owner note",), GONE, retraction=True),
    )
)


def oracle(*messages: Message, previous: str | None = None, key: AnswerKey | None = KEY) -> str:
    return Oracle().summarize(SummaryRequest(messages, previous, answer_key=key))


@pytest.mark.parametrize(
    ("messages", "previous", "facts"),
    [
        ((OLD,), None, ["port: 8443"]),
        ((OLD, OWNER), None, ["port: 8443", "owner: Mei Lindqvist"]),
        ((OLD, NEW), None, ["port: 9443"]),
        ((NEW,), f"{HEADING}\n- port: 8443", ["port: 9443"]),
        ((OLD,), f"{HEADING}\n- port: 9443", ["port: 9443"]),
        ((OWNER,), f"{HEADING}\n- port: 9443", ["port: 9443", "owner: Mei Lindqvist"]),
        ((user("Lindqvist, Mei signs."),), None, ["owner: Mei Lindqvist"]),
        ((user("Port 18443, 84430 and v8443.2"),), None, []),
        ((OWNER, GONE), None, ["owner: drop the owner note"]),
        ((user("ＬＩＳＴＥＮ on ９４４３"),), None, ["port: 9443"]),
    ],
)
def test_the_newest_shown_value_of_each_fact_is_written(
    messages: tuple[Message, ...], previous: str | None, facts: list[str]
) -> None:
    expected = "\n".join([HEADING, *(f"- {fact}" for fact in facts)]) if facts else NOTHING
    assert oracle(*messages, previous=previous) == expected


def test_a_retraction_without_words_removes_the_value() -> None:
    key = AnswerKey((*KEY.facts[:3], PlantedFact("owner", (), GONE, retraction=True)))
    assert oracle(OWNER, NEW, GONE, key=key) == f"{HEADING}\n- port: 9443"
    assert oracle(GONE, key=key, previous=f"{HEADING}\n- owner: Mei Lindqvist") == NOTHING


def test_a_value_inside_a_longer_one_of_the_same_fact_is_not_shown() -> None:
    short, long = user("Hotel Mira"), user("Hotel Mira Annex")
    facts = (
        PlantedFact("hotel", ("Hotel Mira Annex",), long),
        PlantedFact("hotel", ("Hotel Mira",), short),
    )
    assert oracle(long, key=AnswerKey(facts)) == f"{HEADING}\n- hotel: Hotel Mira Annex"
    assert oracle(long, short, key=AnswerKey(facts)) == f"{HEADING}\n- hotel: Hotel Mira"


def test_an_id_that_looks_like_a_value_is_no_mention_in_a_later_round() -> None:
    facts = (
        PlantedFact("room-12", ("east wing",), user("It's the east wing.")),
        PlantedFact("count", ("12",), user("There are 12.")),
    )
    previous = f"{HEADING}\n- room-12: east wing"
    assert oracle(key=AnswerKey(facts), previous=previous) == previous


def test_even_one_short_value_makes_more_than_ten_characters() -> None:
    facts = (PlantedFact("n", ("7",), user("7")),)
    assert len(oracle(user("7"), key=AnswerKey(facts))) > 10
    assert len(NOTHING) > 10


def test_the_oracle_says_that_it_sees_the_answer_key_and_refuses_to_guess() -> None:
    assert Oracle().sees_answer_key is True
    with pytest.raises(LookupError, match="no answer key"):
        oracle(OLD, key=None)
