"""What an error reply means: its outcome, and whether asking again can help."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from compaction_eval.eval.models.base import Outcome
from compaction_eval.eval.models.connection import Response
from compaction_eval.eval.models.replies import read_json

AGAIN = frozenset({408, 409, 429})
"""Statuses that asking again may change, beside all from 500."""
NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_TOO_LONG_WORDS = re.compile(
    r"maximum context length|context[ _]length|context size|context window|max_model_len"
    r"|maximum model length|(?:prompt|input|request|messages?) (?:is|are) too (?:long|large|big)"
    r"|too many (?:input |prompt )?tokens|reduce the length of|exceeds? the (?:maximum|max)"
    r" (?:number of )?(?:input )?(?:tokens|context)|exceeds the available context",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[ _](?:filter|policy|management)|ResponsibleAI|moderation|safety (?:system|filter)"
    r"|flagged",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as an endpoint told it."""

    status: int
    message: str
    """The endpoint's own words, unbounded and not yet safe to show."""
    code: str = ""
    parameter: str | None = None

    @property
    def outcome(self) -> Outcome:
        """The outcome, where asking again doesn't change it."""
        if self.code in _TOO_LONG or (self.status != 429 and _TOO_LONG_WORDS.search(self.message)):
            return "context-length"
        if self.status == 429:
            return "rate-limited"
        if self.status >= 500:
            return "server-error"
        if self.status == 408:
            return "timeout"
        if self.code.startswith("content_") or _FILTERED.search(self.message):
            return "filtered"
        return "refused"

    @property
    def again(self) -> bool:
        """Whether the same request may succeed later."""
        may = self.status in AGAIN or self.status >= 500
        return may and self.code not in NO_MONEY and self.outcome != "context-length"

    @property
    def without_money(self) -> bool:
        """Whether the account has nothing left."""
        return self.status == 402 or self.code in NO_MONEY

    @property
    def text(self) -> str:
        """Message and code, for looking at."""
        return f"{self.message} {self.code}"


def failure_of(response: Response) -> Failure | None:
    """The failure that a response tells, also one with status 200; None for none."""
    data: object = None
    try:
        data = read_json(response.body)
    except ValueError:
        if response.status < 300:
            return None
    error: Any = data.get("error") if isinstance(data, Mapping) else None
    if response.status < 300:
        # Gateways tell an upstream's failure with status 200.
        if not error or (isinstance(data, Mapping) and data.get("choices")):
            return None
        status = error.get("code") if isinstance(error, Mapping) else None
        known = isinstance(status, int) and 400 <= status < 600
        return _failure(error, int(status) if known and status is not None else 502)
    if not error and isinstance(data, Mapping):  # vLLM of some versions, FastAPI
        error = data if "message" in data else data.get("detail")
    if not error:
        location = response.headers.get("location", "")
        text = f"it leads to {location}" if location else _plain(response)
        return Failure(response.status, text)
    return _failure(error, response.status)


def _failure(error: object, status: int) -> Failure:
    if not isinstance(error, Mapping):
        text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
        return Failure(status, text, parameter=_located(error))
    code = next((error[key] for key in ("code", "type") if isinstance(error.get(key), str)), "")
    param = error.get("param")
    message = error.get("message")
    if not isinstance(message, str):
        message = json.dumps(message or error, ensure_ascii=False)
    return Failure(status, message, code, param if isinstance(param, str) and param else None)


def _located(detail: object) -> str | None:
    """The field that FastAPI's list of faults is about: `[{"loc": ["body", "seed"], …}]`."""
    first = detail[0] if isinstance(detail, list) and detail else None
    place = first.get("loc") if isinstance(first, Mapping) else None
    return str(place[-1]) if isinstance(place, list) and place else None


def _plain(response: Response) -> str:
    """The text of a body that isn't JSON; pages of a proxy say nothing worth repeating."""
    text = response.body[:2_000].decode("utf-8", "replace").strip()
    return "" if text.startswith("<") else text
