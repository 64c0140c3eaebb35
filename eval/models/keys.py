"""What a finished reply is found by: the endpoint, the model, the whole request, its repeat.

Two requests have one digest when the endpoint would be sent the same: all fields but `whereabouts`
count, and the repeat, which has a place of its own. The order of keys in a message is no
difference; in tool schemas and in an answer's schema it is one, since a model reads them in order.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from urllib.parse import urlsplit

from compaction_eval.eval.models.base import ChatRequest


@dataclass(frozen=True, slots=True, order=True)
class RequestKey:
    """A request to a model, wherever that is reached."""

    model: str
    digest: str
    """SHA-256 of the request, in hexadecimal."""
    repeat: int


def request_key(model: str, request: ChatRequest) -> RequestKey:
    """The key of a request to the model of that name."""
    text = "\n".join(request_parts(request).values())
    return RequestKey(model, hashlib.sha256(text.encode()).hexdigest(), request.repeat)


def request_parts(request: ChatRequest) -> dict[str, str]:
    """All that a request's digest is made of, as JSON by what people call it."""
    *view, last = request.messages or ({},)
    options = [request.max_tokens, float(request.temperature), request.seed]
    return {
        "purpose": request.purpose,
        "view": _json(view, sort_keys=True),
        "last message": _json(last, sort_keys=True),
        "tools": _json(request.tools),
        "answer schema": _json(request.schema),
        "max_tokens, temperature or seed": _json(options),
    }


def _json(value: object, *, sort_keys: bool = False) -> str:
    """One line of ASCII. What JSON doesn't know counts by its text."""
    return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"), default=str)


def endpoint_of(url: str) -> str:
    """The part of a URL that names an endpoint: no user, password, query or fragment.

    `HTTPS://me:secret@Host:443/v1/?key=1` is `https://host/v1`.
    """
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(scheme)
    port = f":{parts.port}" if parts.port not in (None, usual) else ""
    return f"{scheme}://{host}{port}{parts.path.rstrip('/')}"
