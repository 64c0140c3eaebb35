"""What is sent for a request, by what the endpoint can do."""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from compaction_eval.eval.models.base import ChatRequest
from compaction_eval.eval.models.bodies import body_of, wanted
from compaction_eval.eval.models.capabilities import Capabilities
from compaction_eval.eval.models.naming import parse_model

NAME = parse_model("openai:m")
SYSTEM: dict[str, Any] = {"role": "system", "content": "Be short."}
USER: dict[str, Any] = {"role": "user", "content": "Which port?"}


def sent(*messages: Any, may: Capabilities = Capabilities(), **more: Any) -> dict[str, Any]:  # noqa: B008  # immutable
    request = ChatRequest(messages=messages, purpose="answer", **more)
    body: dict[str, Any] = json.loads(body_of(request, NAME, may))
    return body


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([SYSTEM, USER], [{"role": "user", "content": "Be short.\n\nWhich port?"}]),
        (
            [SYSTEM, {"role": "developer", "content": "No lists."}, USER],
            [{"role": "user", "content": "Be short.\n\nNo lists.\n\nWhich port?"}],
        ),
        (
            [SYSTEM, {"role": "assistant", "content": "Hm."}, USER],
            [
                {"role": "user", "content": "Be short."},
                {"role": "assistant", "content": "Hm."},
                USER,
            ],
        ),
        (
            [SYSTEM, {"role": "user", "content": [{"type": "text", "text": "Q"}]}],
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "Be short."},
                        {"type": "text", "text": "Q"},
                    ],
                }
            ],
        ),
        ([SYSTEM], [{"role": "user", "content": "Be short."}]),
        ([USER], [USER]),
    ],
)
def test_without_a_system_role_its_text_goes_before_the_first_user_message(
    messages: list[Any], expected: list[Any]
) -> None:
    assert sent(*messages, may=Capabilities(system="user"))["messages"] == expected


def test_what_isnt_asked_for_isnt_sent() -> None:
    assert set(sent(USER)) == {"model", "messages", "temperature"}


def test_an_endpoint_that_lacks_everything_is_sent_the_messages_alone() -> None:
    nothing = Capabilities(False, False, False, False, False, "user", "none", "none")
    body = sent(USER, may=nothing, max_tokens=5, seed=1, schema={}, tools=({"type": "function"},))
    assert set(body) == {"model", "messages"}


def test_messages_that_are_no_plain_dicts_are_sent_as_such() -> None:
    content = ({"type": "text", "text": "9443"},)
    body = sent(MappingProxyType({"role": "user", "content": content}))
    assert body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "9443"}]}]


def test_what_a_request_makes_use_of_is_known_before_it_is_sent() -> None:
    request = ChatRequest(messages=(USER,), purpose="answer")  # type: ignore[arg-type]  # a user message
    assert wanted(request, NAME) == {"temperature"}
    full = replace(request, max_tokens=5, schema={}, tools=({"a": 1},))
    full = replace(full, messages=(SYSTEM, USER))  # type: ignore[arg-type]  # a system and a user message
    name = parse_model("openai:m(seed=1, top_p=1, reasoning_effort=low)")
    assert wanted(full, name) == {
        "temperature", "seed", "top_p", "reasoning_effort", "limit", "schema", "tools", "system"
    }  # fmt: skip
