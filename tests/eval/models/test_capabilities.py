"""What an endpoint lacks is found out by its own complaint, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from tests.eval.models.answering import Seen, Told, completion, error
from tests.eval.models.conftest import QUESTION, Client

from compaction_eval.eval.models.capabilities import Capabilities

ALL = frozenset(
    {"seed", "temperature", "top_p", "reasoning_effort", "limit", "schema", "system", "tools"}
)
COMPLAINTS: list[tuple[str, str | None, dict[str, Any]]] = [
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
        " 'max_completion_tokens' instead.",
        "max_tokens",
        {"limit": "max_completion_tokens"},
    ),
    (
        "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default"
        " (1) value is supported.",
        "temperature",
        {"temperature": False},
    ),
    ("Unrecognized request argument supplied: seed", None, {"seed": False}),
    (
        "[{'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted'}]",
        "seed",
        {"seed": False},
    ),
    ("System role not supported", None, {"system": "user"}),
    (
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "messages[0].role",
        {"system": "user"},
    ),
    ("Unknown role 'system', use 'developer'", None, {"system": "developer"}),
    (
        "Conversation roles must alternate user/assistant/user/assistant/...",
        None,
        {"system": "user"},
    ),
    ("registry.ollama.ai/library/gemma:2b does not support tools", None, {"tools": False}),
    ('"auto" tool choice requires --enable-auto-tool-choice to be set', None, {"tools": False}),
    ("No endpoints found that support tool use.", None, {}),
    ("Invalid schema for response_format 'answer': strict", None, {"schema": "json_object"}),
    (
        "'response_format.type' json_schema is not supported by this model",
        None,
        {"schema": "json_object"},
    ),
    ("reasoning_effort is not supported by this model", None, {"reasoning_effort": False}),
    # Complaints about something else:
    ("Invalid parameter: messages with role 'tool' must follow 'tool_calls'.", None, {}),
    ("max_tokens is too large: 99999. This model supports at most 16384.", "max_tokens", {}),
    ("The model `seedling` does not exist", None, {}),
    ("Your request was rejected.", None, {}),
]


@pytest.mark.parametrize(("words", "parameter", "lacking"), COMPLAINTS)
def test_a_complaint_takes_away_what_it_is_about(
    words: str, parameter: str | None, lacking: dict[str, Any]
) -> None:
    left = Capabilities().after(words, parameter, ALL)
    assert (left.lacking if left else {}) == lacking


@pytest.mark.parametrize(("words", "parameter", "lacking"), COMPLAINTS)
def test_a_complaint_that_goes_on_comes_to_an_end(
    words: str, parameter: str | None, lacking: dict[str, Any]
) -> None:
    left: Capabilities | None = Capabilities()
    for _ in range(4):
        left = left.after(words, parameter, ALL) if left else None
    assert left is None


def test_a_complaint_about_what_wasnt_sent_changes_nothing() -> None:
    assert Capabilities().after("seed is not supported", "seed", ALL - {"seed"}) is None


def picky(seen: Seen) -> Told:
    """Like a reasoning model of OpenAI's, which also knows no system role."""
    for name in ("max_tokens", "temperature", "seed"):
        if name in seen.body:
            hint = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
            return error(400, f"Unsupported parameter: '{name}'.{hint}", param=name)
    if seen.body["messages"][0]["role"] == "system":
        return error(400, "System role not supported")
    return completion()


def test_the_request_is_repeated_without_what_is_lacking(client: Client) -> None:
    client.endpoint.behaviour = picky
    models = client.open("openai:small(seed=1)")
    assert models.answerer is not None
    assert models.answerer.complete(QUESTION).outcome == "answered"
    assert client.endpoint.completions[-1].body == {
        "model": "small",
        "messages": [{"role": "user", "content": "Be short.\n\nWhich port?"}],
        "max_completion_tokens": 50,
    }
    assert client.waits == []
    assert models.capabilities["openai:small(seed=1)"].lacking == {
        "limit": "max_completion_tokens",
        "temperature": False,
        "seed": False,
        "system": "user",
    }


def test_many_threads_and_both_uses_of_a_model_find_it_out_once(client: Client) -> None:
    client.endpoint.behaviour = picky
    models = client.open("openai:small", "openai:small(temperature=1)", concurrency=32)
    assert models.answerer is not None
    assert models.judge is not None
    with ThreadPoolExecutor(32) as pool:
        futures = [
            pool.submit(model.complete, QUESTION)
            for _ in range(40)
            for model in (models.answerer, models.judge)
        ]
        assert {future.result().outcome for future in futures} == {"answered"}
    assert len(client.endpoint.completions) == 4 + 80


def test_a_gateway_without_tools_is_asked_without_them(client: Client) -> None:
    client.endpoint.behaviour = lambda seen: (
        error(404, "small does not support tools") if "tools" in seen.body else completion()
    )
    reply = client.ask(replace(QUESTION, tools=({"type": "function"},)))
    assert reply.outcome == "answered"


def test_a_developer_role_is_used_where_it_is_wanted(client: Client) -> None:
    client.endpoint.behaviour = lambda seen: (
        error(400, "Role 'system' is not supported, use 'developer'.")
        if seen.body["messages"][0]["role"] == "system"
        else completion()
    )
    assert client.ask().outcome == "answered"
    assert client.endpoint.completions[-1].body["messages"][0]["role"] == "developer"
