"""Filler is seeded, varied, valid, and in the scenario's language."""

from itertools import islice, product

import pytest

from compaction_eval.scenarios.filler import exchanges, unbroken
from compaction_eval.scenarios.keys import FILLER_KINDS, FILLER_LANGUAGES
from compaction_eval.strategies.messages import Message, answered_id, call_ids, role
from compaction_eval.strategies.tokens import MESSAGE_TOKENS, TokenCounter

ALL = list(product(FILLER_KINDS, FILLER_LANGUAGES))
SERIES = [(kind, lang) for kind, lang in ALL if kind != "unbroken"]
"""What is made of exchanges, one after the other."""


def filler(kind: str, turns: int, seed: int, lang: str) -> list[Message]:
    """The messages of so many turns."""
    if kind == "unbroken":
        return unbroken(turns, seed, lang)
    return [m for exchange in islice(exchanges(kind, seed, lang), turns) for m in exchange]


@pytest.mark.parametrize(("kind", "lang"), SERIES)
def test_each_turn_is_an_exchange_of_two_messages(kind: str, lang: str) -> None:
    messages = filler(kind, 25, 3, lang)
    assert len(messages) == 50
    for first, second in zip(messages[::2], messages[1::2], strict=True):
        if role(first) == "user":
            assert (role(second), kind in ("chat", "mixed", "tiny")) == ("assistant", True)
        else:
            assert (role(first), role(second)) == ("assistant", "tool")
            assert call_ids(first) == [answered_id(second)]


@pytest.mark.parametrize(("kind", "lang"), ALL)
def test_no_text_comes_twice_in_a_hundred_turns(kind: str, lang: str) -> None:
    messages = filler(kind, 100, 5, lang)
    if kind == "tiny":
        messages = messages[::2]  # an answer of a word can't be new each time
    texts = [m["content"] for m in messages if not call_ids(m)]
    assert len(set(map(str, texts))) == len(texts)
    ids = [call_id for message in messages for call_id in call_ids(message)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("kind", "lang"), ALL)
def test_a_seed_gives_the_same_texts_again_and_another_seed_others(kind: str, lang: str) -> None:
    assert filler(kind, 10, 1, lang) == filler(kind, 10, 1, lang)
    assert filler(kind, 10, 1, lang) != filler(kind, 10, 2, lang)


@pytest.mark.parametrize("lang", FILLER_LANGUAGES)
def test_unbroken_filler_is_one_text_without_a_space_that_grows_with_the_turns(lang: str) -> None:
    few, many = filler("unbroken", 2, 7, lang), filler("unbroken", 5, 7, lang)
    said, longer = str(few[0]["content"]), str(many[0]["content"])
    assert (len(said), len(longer)) == (2_000, 5_000)
    assert said.isalnum()
    assert longer.startswith(said)
    assert few[1] == many[1]


def test_tiny_exchanges_cost_little_but_their_framing() -> None:
    counter = TokenCounter()
    messages = filler("tiny", 100, 1, "en")
    assert counter.messages(messages) <= len(messages) * (MESSAGE_TOKENS + 3)


def test_unbroken_filler_costs_in_tokens_what_its_length_costs() -> None:
    """Pieces of it are short for the tokenizer, however long it is."""
    counter = TokenCounter()
    hundred, two_hundred = (counter.messages(filler("unbroken", n, 1, "en")) for n in (100, 200))
    assert 50_000 < hundred < 100_000 < two_hundred
    assert two_hundred == pytest.approx(2 * hundred, rel=0.01)


def test_the_texts_of_a_seed_never_change() -> None:
    """A change would silently move every figure that was measured with filler."""
    assert [message["content"] for message in filler("chat", 1, 11, "en")] == [
        "By the way: What's the difference between a stub and a checklist?",
        "A draft is meant to be thrown away; a stub is meant to be kept. Say if you'd rather have "
        "it modest.",
    ]
    log = str(filler("tool_log", 1, 11, "zh")[1]["content"])
    assert log.splitlines()[0] == "[53.802] INFO  drift-copper 响应较慢 (40.820 ms)"


@pytest.mark.parametrize(
    ("lang", "sign"), [("zh", "，"), ("ja", "の"), ("de", "ü"), ("en", " the ")]
)
def test_talk_is_in_the_language_that_was_asked_for(lang: str, sign: str) -> None:
    talk = "".join(str(message["content"]) for message in filler("chat", 40, 2, lang))
    assert sign in talk
    assert "{" not in talk, "a slot was left open"


def test_no_turns_are_no_messages() -> None:
    assert [filler(kind, 0, 1, "en") for kind in FILLER_KINDS] == [[]] * len(FILLER_KINDS)


@pytest.mark.parametrize(("kind", "lang"), [("chatter", "en"), ("chat", "fr"), ("unbroken", "fr")])
def test_an_unknown_kind_or_language_is_refused(kind: str, lang: str) -> None:
    with pytest.raises(ValueError, match="filler"):
        filler(kind, 1, 1, lang)
