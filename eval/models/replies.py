"""A chat completion as a Reply, whatever an endpoint makes of the protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from compaction_eval.eval.models.base import Outcome, Reply
from compaction_eval.eval.models.secret import encodable, showable


def read_json(body: bytes) -> object:
    """The body's JSON. Raises ValueError."""
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None


def read_reply(data: object, content_type: str = "") -> Reply:
    """The reply of a body that came with status 200."""
    choices = data.get("choices") if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(choices, list):
        return malformed("no chat completion", content_type)
    usage = _usage(data.get("usage"))
    if not choices:
        return replace(usage, outcome="empty", reason="the reply has no choices")
    choice = choices[0] if isinstance(choices[0], Mapping) else {}
    message = choice.get("message")
    if not isinstance(message, Mapping):
        broken = malformed("a choice without a message", content_type)
        return replace(usage, outcome=broken.outcome, reason=broken.reason)
    text = _text(message)
    calls = _calls(message)
    outcome, reason = _outcome(str(choice.get("finish_reason") or ""), text, calls)
    return replace(usage, outcome=outcome, reason=reason, text=text, tool_calls=calls)


def malformed(what: str, content_type: str) -> Reply:
    """The reply for a body that is no chat completion."""
    kind = f" (content type {showable(content_type)})" if content_type else ""
    return Reply("malformed", reason=f"the reply is {what}{kind}")


def _outcome(finish: str, text: str, calls: tuple[tuple[str, str], ...]) -> tuple[Outcome, str]:
    if finish == "content_filter":
        return "filtered", "a content filter stopped the answer"
    if finish == "length":
        return "cut", "the answer reached the longest length allowed"
    if calls:
        return "tool-calls", f"called {', '.join(showable(name) for name, _ in calls)}"
    return ("answered", "") if text.strip() else ("empty", "the answer has no text")


def _text(message: Mapping[str, Any]) -> str:
    """The text; of several parts all, and a refusal, which is an answer as well."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str) or not content:
        content = message.get("refusal")
    return encodable(content) if isinstance(content, str) else ""


def _calls(message: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    given = message.get("tool_calls")
    calls = list(given) if isinstance(given, list) else []
    if isinstance(message.get("function_call"), Mapping):
        calls.append({"function": message["function_call"]})
    found = []
    for call in calls:
        inner = call.get("function") or call.get("custom") if isinstance(call, Mapping) else None
        if isinstance(inner, Mapping):
            arguments = inner.get("arguments", inner.get("input", ""))
            if not isinstance(arguments, str):  # Ollama's are objects
                arguments = json.dumps(arguments, ensure_ascii=False)
            found.append((encodable(str(inner.get("name") or "")), encodable(arguments)))
    return tuple(found)


def _usage(usage: object) -> Reply:
    """A reply with nothing but the token counts."""
    if not isinstance(usage, Mapping):
        return Reply("empty")
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    return Reply(
        "empty",
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        cached_tokens=_count(cached),
    )


def _count(value: object) -> int | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return int(value) if 0 <= value < 1e15 else None
