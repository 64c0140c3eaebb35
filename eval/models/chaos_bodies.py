"""What a misbehaving endpoint sends, and the completions of one that behaves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.eval.models.chaos import Chaos

_HUGE = 10_000_000  # characters of text
_PAGE = "<!doctype html><title>Please log in</title><p>The gateway wants you to log in.</p>"
_STATUS = {"429": 429, "429-bare": 429, "500": 500, "503": 503, "401": 401, "echo": 500}
_WORDS = {
    "429": "Too many requests at once.",
    "429-bare": "Too many requests at once.",
    "500": "Something broke inside.",
    "503": "The model is being loaded.",
}


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def decoded(body: bytes) -> Mapping[str, Any]:
    """A request's JSON; empty where it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def completion(
    text: str | None,
    request: Mapping[str, Any],
    *,
    finish: str = "stop",
    calls: list[dict[str, Any]] | None = None,
) -> Response:
    """A chat completion with one choice; tokens are counted roughly, four characters each."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    return _completion(request, [choice], text or "")


def fault(name: str, chaos: Chaos, request: Mapping[str, Any], sent: Mapping[str, str]) -> Response:
    """The response of a fault that has one of its own; `sent` are the request's headers.

    Of the fault `cut` it is the whole body, of which half is to be sent.
    """
    if name in _STATUS:
        words = {"401": f"Incorrect API key: {sent.get('Authorization')}", "echo": f"{dict(sent)}"}
        wait = {"Retry-After": f"{chaos.retry_after:g}"} if name == "429" else {}
        return _error(_STATUS[name], words.get(name) or _WORDS[name], headers=wait)
    if name == "parrot":
        return completion(f"{dict(sent)}", request)
    if name == "context":
        words_ = "This model's maximum context length is 1000 tokens; your messages have more."
        return _error(400, words_, code="context_length_exceeded")
    if name == "html":
        return Response(200, _PAGE.encode(), {"Content-Type": "text/html"})
    if name == "no-choices":
        return _completion(request, [], "")
    if name == "length":
        return completion("It begins like this and", request, finish="length")
    if name == "filter":
        return completion(None, request, finish="content_filter")
    if name == "tools":
        return completion(None, request, finish="tool_calls", calls=[_CALL])
    if name == "huge":
        return completion("ten million " * (_HUGE // 12), request)
    whole = completion("This answer never arrives whole.", request)
    if name == "bad-json":
        return Response(200, whole.body[: len(whole.body) // 2], whole.headers)
    return whole


_CALL = {
    "id": "call_chaos",
    "type": "function",
    "function": {"name": "look_it_up", "arguments": '{"what": "the answer"}'},
}


def as_json(status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
    """A response with a JSON body."""
    kind = {"Content-Type": "application/json"}
    return Response(status, json.dumps(value).encode(), kind | dict(headers or {}))


def _completion(request: Mapping[str, Any], choices: list[dict[str, Any]], text: str) -> Response:
    sizes = [len(json.dumps(request.get("messages", []))) // 4 + 1, len(text) // 4 + 1]
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    return as_json(
        200,
        {
            "id": "chatcmpl-chaos",
            "object": "chat.completion",
            "created": 0,
            "model": str(request.get("model", "")),
            "choices": choices,
            "usage": dict(zip(names, (*sizes, sum(sizes)), strict=True)),
        },
    )


def _error(
    status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    error = {"message": message, "type": "error", "param": None, "code": code}
    return as_json(status, {"error": error}, headers)
