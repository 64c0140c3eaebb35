"""What is asked again is found again, and what is another request isn't."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.models.base import ChatRequest
from compaction_eval.eval.models.keys import endpoint_of, request_key

ASKED = ChatRequest(
    messages=(
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Which port?"},
    ),
    purpose="answer",
    tools=({"type": "function", "function": {"name": "read"}},),
    max_tokens=64,
    seed=3,
    schema={"type": "object"},
    whereabouts="staging-port / none / 30% / host",
)


def test_who_asks_makes_no_difference() -> None:
    assert request_key("m", ASKED) == request_key("m", replace(ASKED, whereabouts="elsewhere"))


def test_the_order_of_keys_in_a_message_makes_no_difference() -> None:
    turned = ({"content": "Be brief.", "role": "system"}, ASKED.messages[1])
    assert request_key("m", ASKED) == request_key("m", replace(ASKED, messages=turned))  # type: ignore[arg-type]  # a plain dict


def test_a_temperature_is_a_number_however_it_is_written() -> None:
    assert request_key("m", replace(ASKED, temperature=1)) == request_key(
        "m", replace(ASKED, temperature=1.0)
    )


@pytest.mark.parametrize(
    "change",
    [
        {"messages": ASKED.messages[1:]},
        {"messages": (ASKED.messages[0], {"role": "user", "content": "Which port?\n"})},
        {"messages": ()},
        {"purpose": "judge"},
        {"tools": ()},
        {"max_tokens": 65},
        {"max_tokens": None},
        {"temperature": 0.1},
        {"seed": None},
        {"schema": None},
        {"schema": {"type": "array"}},
        {"repeat": 1},
    ],
    ids=str,
)
def test_a_request_that_differs_has_another_key(change: dict[str, Any]) -> None:
    assert request_key("m", ASKED) != request_key("m", replace(ASKED, **change))


def test_each_model_has_keys_of_its_own() -> None:
    assert request_key("m", ASKED) != request_key("n", ASKED)


def test_half_a_surrogate_pair_has_a_key() -> None:
    odd = replace(ASKED, messages=({"role": "user", "content": "\ud83d"},))
    assert request_key("m", odd) == request_key("m", odd)


def test_the_digest_is_the_same_in_every_version() -> None:
    """A change here makes all stores and cassettes worthless: raise their versions with it."""
    digest = "582ff90c18ec52a1fff2a2a1183acbf1345d3139e31cc3ed142eb3eaf037f750"
    assert request_key("openai:small", ASKED).digest == digest


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("https://api.example.test/v1", "https://api.example.test/v1"),
        ("https://api.example.test/v1/", "https://api.example.test/v1"),
        ("HTTPS://me:secret@API.example.test:443/v1?key=secret#top", "https://api.example.test/v1"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("http://api.example.test:443/v1", "http://api.example.test:443/v1"),
    ],
)
def test_an_endpoint_is_named_without_credentials_and_query(url: str, endpoint: str) -> None:
    assert endpoint_of(url) == endpoint
