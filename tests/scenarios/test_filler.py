"""Filler is seeded, varied, valid, and in the scenario's language."""

from itertools import product

import pytest

from compaction_eval.scenarios.filler import filler
from compaction_eval.scenarios.keys import FILLER_KINDS, FILLER_LANGUAGES
from compaction_eval.strategies.messages import answered_id, call_ids, role

ALL = list(product(FILLER_KINDS, FILLER_LANGUAGES))


@pytest.mark.parametrize(("kind", "lang"), ALL)
def test_each_turn_is_an_exchange_of_two_messages(kind: str, lang: str) -> None:
    messages = filler(kind, 25, 3, lang)
    assert len(messages) == 50
    for first, second in zip(messages[::2], messages[1::2], strict=True):
        if role(first) == "user":
            assert (role(second), kind in ("chat", "mixed")) == ("assistant", True)
        else:
            assert (role(first), role(second)) == ("assistant", "tool")
            assert call_ids(first) == [answered_id(second)]


@pytest.mark.parametrize(("kind", "lang"), ALL)
def test_no_text_comes_twice_in_a_hundred_turns(kind: str, lang: str) -> None:
    messages = filler(kind, 100, 5, lang)
    texts = [m["content"] for m in messages if not call_ids(m)]
    assert len(set(map(str, texts))) == len(texts)
    ids = [call_id for message in messages for call_id in call_ids(message)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("kind", "lang"), ALL)
def test_a_seed_gives_the_same_texts_again_and_another_seed_others(kind: str, lang: str) -> None:
    assert filler(kind, 10, 1, lang) == filler(kind, 10, 1, lang)
    assert filler(kind, 10, 1, lang) != filler(kind, 10, 2, lang)
    assert filler(kind, 10, 1, lang) == filler(kind, 30, 1, lang)[:20]


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
    assert filler("chat", 0, 1, "en") == []


@pytest.mark.parametrize(("kind", "lang"), [("chatter", "en"), ("chat", "fr")])
def test_an_unknown_kind_or_language_is_refused(kind: str, lang: str) -> None:
    with pytest.raises(ValueError, match="filler"):
        filler(kind, 1, 1, lang)
