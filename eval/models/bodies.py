"""What is sent: the body of a chat completion, from a request and what the endpoint can do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from compaction_eval.eval.models.base import ChatRequest
from compaction_eval.eval.models.capabilities import Capabilities
from compaction_eval.eval.models.chaos import TAG
from compaction_eval.eval.models.naming import ModelName
from compaction_eval.eval.models.secret import encodable
from compaction_eval.strategies.messages import Message, content_text, is_system


def wanted(request: ChatRequest, name: ModelName) -> frozenset[str]:
    """The fields of Capabilities that a request makes use of."""
    uses = {
        "temperature": True,
        "seed": _seed(request, name) is not None,
        "top_p": name.top_p is not None,
        "reasoning_effort": name.reasoning_effort is not None,
        "limit": _limit(request, name) is not None,
        "schema": request.schema is not None,
        "tools": bool(request.tools),
        "system": any(map(is_system, request.messages)),
    }
    return frozenset(field for field, used in uses.items() if used)


def body_of(request: ChatRequest, name: ModelName, may: Capabilities) -> bytes:
    """The body as UTF-8 JSON."""
    messages: Sequence[Mapping[str, Any]] = request.messages
    if may.system != "system":
        messages = _without_system(request.messages, may.system)
    body: dict[str, Any] = {"model": name.model, "messages": messages}
    if may.temperature:
        body["temperature"] = request.temperature if name.temperature is None else name.temperature
    if may.top_p and name.top_p is not None:
        body["top_p"] = name.top_p
    if may.seed and (seed := _seed(request, name)) is not None:
        body["seed"] = seed
    if may.reasoning_effort and name.reasoning_effort is not None:
        body["reasoning_effort"] = name.reasoning_effort
    if may.limit != "none" and (limit := _limit(request, name)) is not None:
        body[may.limit] = limit
    if may.tools and request.tools:
        body["tools"] = request.tools
    if request.schema is not None and may.schema != "none":
        body["response_format"] = _response_format(request.schema, may.schema)
    text = json.dumps(body, ensure_ascii=False, default=_plain)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half characters occur in transcripts
        return encodable(text).encode()


def tag_of(request: ChatRequest) -> dict[str, str]:
    """The header that tells who asks; the same for every attempt."""
    text = json.dumps([request.whereabouts, request.purpose, request.repeat])
    return {TAG: hashlib.sha256(text.encode()).hexdigest()[:16]}


def _seed(request: ChatRequest, name: ModelName) -> int | None:
    return request.seed if name.seed is None else name.seed


def _limit(request: ChatRequest, name: ModelName) -> int | None:
    return request.max_tokens if name.max_tokens is None else name.max_tokens


def _response_format(schema: Mapping[str, Any], kind: str) -> dict[str, Any]:
    if kind == "json_object":
        return {"type": "json_object"}
    named = {"name": "answer", "schema": schema, "strict": True}
    return {"type": "json_schema", "json_schema": named}


def _without_system(
    messages: Sequence[Message], role: Literal["developer", "user"]
) -> list[Mapping[str, Any]]:
    system = [one for one in messages if is_system(one)]
    if role == "developer":
        return [{**one, "role": "developer"} if is_system(one) else one for one in messages]
    text = "\n\n".join(content_text(one) for one in system)
    others: list[Mapping[str, Any]] = [one for one in messages if not is_system(one)]
    if not text:
        return others
    first = others[0] if others else {}
    if first.get("role") != "user":
        return [{"role": "user", "content": text}, *others]
    content = first.get("content")
    joined: object = f"{text}\n\n{content}"
    if not isinstance(content, str):
        joined = [{"type": "text", "text": text}, *(content or ())]
    return [{**first, "content": joined}, *others[1:]]


def _plain(value: object) -> object:
    """What JSON has no form for: read-only mappings and sequences as usual ones, else its text."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Sequence) else str(value)
