"""The extractive summariser: bounded, deterministic, merging, newest value first in rank."""

import os
import subprocess
import sys
import time
from itertools import pairwise
from typing import cast

import pytest

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summarizers.fragments import fragments
from compaction_eval.strategies.summarizers.pieces import pieces
from compaction_eval.strategies.summary import summary_length
from compaction_eval.strategies.summary_checks import rejection
from compaction_eval.strategies.tokens import TokenCounter

CHAT = [
    "The weather is meant to get better towards the end of the week, or so they said.",
    "Somebody left the kitchen window ajar and all the leaflets flew about the room.",
    "I read an article about old railway stations, there are more of them than I thought.",
    "Many of them have been turned into little museums by now, which is rather nice.",
]


def summarize(
    *talk: str | tuple[str, str],
    limit: int | None = 300,
    previous: str | None = None,
    lang: str = "en",
) -> str:
    pairs = [("user", turn) if isinstance(turn, str) else turn for turn in talk]
    messages = tuple(cast("Message", {"role": role, "content": content}) for role, content in pairs)
    return Extractive().summarize(SummaryRequest(messages, previous, limit, lang))


def test_what_is_worth_keeping_comes_before_chatter() -> None:
    text = summarize(*CHAT, "Deploys go to api.staging.acme.test on port 9443.", *CHAT, limit=40)
    assert "api.staging.acme.test" in text
    assert "9443" in text
    assert "leaflets" not in text


@pytest.mark.parametrize(
    ("lang", "said", "kept"),
    [
        ("en", "Whatever happens, never touch the billing tables.", "never touch the billing"),
        ("en", "We decided on blue-green rather than canary.", "blue-green"),
        ("zh", "对了，白天这台机器不能重启。", "不能重启"),
        ("zh", "同事里有一位对花生过敏。", "花生过敏"),
        ("ja", "予算は一人3万円までです。", "3万円"),
        ("ja", "海老アレルギーの人がいます。", "海老アレルギー"),
        ("de", "Die Tabelle kunden_alt darf niemals gelöscht werden.", "kunden_alt darf niemals"),
        ("de", "Ansprechpartnerin ist Wiebke Harms.", "Wiebke Harms"),
    ],
)
def test_constraints_decisions_and_names_are_kept_in_four_languages(
    lang: str, said: str, kept: str
) -> None:
    assert kept in summarize(*CHAT, said, *CHAT[:2], limit=32, lang=lang)


def test_the_newer_of_two_values_wins_and_the_older_is_dropped() -> None:
    text = summarize(
        ("tool", "host: api.acme.test\nlisten: 8443"),
        "Staging moved. Listen on 9443 from now on.",
    )
    assert "9443" in text
    assert "8443" not in text


def test_a_value_of_the_previous_summary_gives_way_to_its_update() -> None:
    previous = "User: The pickup is on Friday. The lamp is cracked."
    text = summarize("I have to change the pickup, it moved to Tuesday.", previous=previous)
    assert "Tuesday" in text
    assert "Friday" not in text
    assert "cracked" in text


def test_rows_that_look_alike_are_not_taken_for_updates() -> None:
    text = summarize(
        ("assistant", "tool read_file(path=a.yaml)"),
        ("tool", "port: 7001"),
        ("assistant", "tool read_file(path=b.yaml)"),
        ("tool", "port: 7002"),
    )
    assert "7001" in text
    assert "7002" in text


def test_statements_about_different_things_are_not_taken_for_updates() -> None:
    text = summarize("Host node-1 has port 7001.", "Host node-2 has port 7002.", *CHAT)
    assert "7001" in text
    assert "7002" in text


def test_the_same_question_to_a_tool_is_answered_by_the_newest_result() -> None:
    asked = ("assistant", "tool read_file(path=a.yaml)")
    text = summarize(asked, ("tool", "port: 7001"), asked, ("tool", "port: 7002"))
    assert "7001" not in text
    assert "7002" in text


def test_the_previous_summary_competes_instead_of_being_appended_to() -> None:
    previous = None
    for round_ in range(30):
        previous = summarize(
            f"In round {round_} the host node-{round_} got {1000 + round_} requests.",
            *CHAT,
            previous=previous,
            limit=60,
        )
        assert summary_length(previous) <= 60
    assert previous is not None
    assert "leaflets" not in previous


def test_the_order_of_what_was_said_is_kept() -> None:
    text = summarize("Host a-1 first.", "Then host b-2.", ("tool", "c-3: done"), "Last d-4.")
    places = [text.index(value) for value in ("a-1", "b-2", "c-3", "d-4")]
    assert all(before < after for before, after in pairwise(places))


def test_the_users_words_stand_under_the_users_name() -> None:
    text = summarize("I draw 12 maps.", ("assistant", "Your order is ORD-7."), lang="zh")
    assert text.splitlines() == ["用户：I draw 12 maps.", "Your order is ORD-7."]


def test_nothing_is_said_twice() -> None:
    line = "The port is 9443 on api.acme.test."
    assert summarize(line, ("assistant", line), line, *CHAT).count("9443") == 1


def test_one_line_of_a_long_log_is_not_picked_by_chance_but_an_odd_one_is_kept() -> None:
    log = [f"10:{minute:02} INFO worker-{minute} finished job {minute}" for minute in range(40)]
    log[20] = "10:20 FATAL sorry, too many clients already on checkout-db-2"
    text = summarize(("tool", "\n".join(log)))
    assert "checkout-db-2" in text
    assert "finished job" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"host": "a.test", "ports": [1, 2], "off": false}', ["host=a.test", "ports=1, 2"]),
        ('[{"id": 1, "n": "x"}, {"id": 2, "n": "y"}]', ["id=1, n=x", "id=2, n=y"]),
        ("name | price\n---- | ----\nArc | 148", ["Arc, price=148"]),
        ("- **Port** 8443\n---\n1. next", ["Port 8443", "next"]),
        ("port = 6379  # cache", ["port = 6379 # cache"]),
        ("一句。另一句！", ["一句。", "另一句！"]),
        ("{not json: 8443", ["{not json: 8443"]),
        ("…!", []),
    ],
)
def test_texts_come_apart_into_pieces(text: str, expected: list[str]) -> None:
    assert [piece.text for piece in fragments(text)] == expected


@pytest.mark.parametrize("limit", [0, 1, 7, 20, 60, 300])
@pytest.mark.parametrize("lang", ["en", "zh", "ja", "de", "xx"])
def test_a_summary_is_never_longer_than_its_limit(limit: int, lang: str) -> None:
    talk = [*CHAT, "价格是75元，改到周四。", '{"a": [{"b": "c-1", "d": 2}]}', "x" * 3000, "ok"]
    for stop in range(len(talk) + 1):
        text = summarize(*talk[:stop], limit=limit, lang=lang, previous="Nutzer: Port 8443.")
        assert summary_length(text) <= limit


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_below_one_is_refused_before_anything_runs(limit: int) -> None:
    with pytest.raises(ConfigurationError, match=f"limit must be 1 or more, not {limit}"):
        Extractive(limit=limit)


def test_without_a_limit_the_default_holds() -> None:
    text = summarize(*(f"Host node-{n} has port {n * 7}." for n in range(500)), limit=None)
    assert 250 < summary_length(text) <= 300


def test_a_summary_of_a_usual_stretch_passes_the_checks() -> None:
    counter = TokenCounter()
    talk = [*CHAT, "The port is 9443.", ("assistant", "I'm sorry, I can't do that yet.")]
    text = summarize(*talk, limit=120)
    dropped = counter.messages(
        cast("Message", {"role": "user", "content": turn if isinstance(turn, str) else turn[1]})
        for turn in talk
    )
    assert (
        rejection(text, dropped_tokens=dropped, limit=120, counter=counter, previous=None) is None
    )


def test_talk_without_substance_gets_a_plain_sentence() -> None:
    assert summarize("ok", ("assistant", "Yes.")) == "Nothing of substance was said so far."
    assert summarize("好", lang="zh-CN").startswith("没有需要保留的内容")


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        " " * 50_000 + "a",
        "|" * 50_000,
        "-" * 50_000,
        "a.b." * 20_000,
        "[" * 50_000,
        "甲" * 50_000,
        "1," * 30_000,
        '{"a":' * 3000,
        "“" * 20_000,
        "https://a" * 5000,
        "half \ud83d pair 8443",
    ],
)
def test_no_text_is_too_odd_or_takes_long(text: str) -> None:
    began = time.process_time()
    summarize(text, lang="zh")
    assert time.process_time() - began < 5, "quadratic time would take minutes"


def test_the_result_depends_on_no_hash_seed() -> None:
    program = (
        "from compaction_eval.strategies.summarizers.extractive import Extractive\n"
        "from compaction_eval.strategies.base import SummaryRequest\n"
        "talk = [f'Host node-{n % 7} at site {n} has port {n * 7}' for n in range(60)]\n"
        "messages = tuple({'role': 'user', 'content': text} for text in talk)\n"
        "print(Extractive().summarize(SummaryRequest(messages, 'Old: 1', 80)))\n"
    )
    results = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(results) == 1


def test_a_text_is_taken_apart_once() -> None:
    pieces.cache_clear()
    summarize("Port 9443 is open.")
    summarize("Port 9443 is open.")
    assert pieces.cache_info().misses == 1


@pytest.mark.parametrize(
    "said",
    [
        "The entry of 9 July ends in half a sign: what a view \ud83d, wrote Solrun Tveit.",
        '{"entry": "ends in \\ud83d", "writer": "Solrun Tveit", "sheet": "LH-64"}',
        "Solrun Tveit wrote 64 times " + "\ud83d\ude00" * 200,
    ],
    ids=["half a sign", "half a sign in JSON", "pairs that were never joined"],
)
@pytest.mark.parametrize("limit", [12, 20, 33, 47, 90, 300])
def test_a_summary_can_always_be_encoded(said: str, limit: int) -> None:
    text = summarize(said, *CHAT, limit=limit, previous="User: It opens with \ude00 on page 64.")
    text.encode()
    joined = "\ud83d\ude00" in said
    assert not joined or text.count("\N{REPLACEMENT CHARACTER}") <= 1  # that of the one before
    assert joined or limit < 300 or text.count("\N{REPLACEMENT CHARACTER}") == 2


def test_signs_that_can_be_encoded_stay_as_they_are() -> None:
    assert "what a view 😀" in summarize("On 9 July it ends in: what a view 😀, by Solrun Tveit.")
