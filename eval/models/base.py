"""The contract between those who ask a model and those who reach one.

Whatever an endpoint does, `complete` ends with a `Reply` whose `outcome` says what happened: a
fault of the endpoint is a finding, not an exception. Raised is only what makes going on pointless.

    ModelError
    ├── LimitReachedError     a limit on requests, tokens or money was reached: stop, resumable
    ├── NotRecordedError      a replay was asked for something that its recording doesn't hold
    ├── StoreError            a finished reply can't be kept or found any longer (a full disk)
    └── UnusableModelError    no key, unknown model, wrong address: nothing can be asked at all
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from compaction_eval.strategies.messages import Message

Purpose = Literal["answer", "summary", "judge"]
Outcome = Literal[
    "answered",
    "tool-calls",
    "cut",
    "filtered",
    "empty",
    "malformed",
    "context-length",
    "refused",
    "rate-limited",
    "server-error",
    "timeout",
    "connection",
]
"""How a request ended. `answered`: with a text; `tool-calls`: with calls instead of a text; `cut`:
at the longest allowed answer (`finish_reason` length); `filtered`: by a content filter; `empty`:
without choices or text; `malformed`: with something that is no completion; `context-length`: the
request is longer than the model's window; `refused`: another 4xx. `malformed` and the last four
are given only after all retries."""


class ModelError(Exception):
    """Going on is pointless; the message is one line for the user."""


class LimitReachedError(ModelError):
    """A limit on requests, tokens or money was reached; what is finished stays finished."""


class NotRecordedError(ModelError):
    """A replay was asked for a request that its recording doesn't hold."""


class StoreError(ModelError):
    """The file of finished replies can't be read or written any longer; what it holds stays."""


class UnusableModelError(ModelError):
    """Nothing can be asked at all; the message says which setting to mend."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request to a model; all fields but `whereabouts` are part of what a store is keyed by."""

    messages: tuple[Message, ...]
    purpose: Purpose
    tools: tuple[Mapping[str, Any], ...] = ()
    """Tool schemas, in the shape of the chat-completions API."""
    max_tokens: int | None = None
    """Longest answer wanted, in tokens."""
    temperature: float = 0.0
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
    """JSON Schema of a structured answer; None for free text."""
    repeat: int = 0
    """Number of the repetition: the same request under two numbers is really asked twice."""
    whereabouts: str = ""
    """For messages to people: which cell and probe asks."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a request."""

    outcome: Outcome
    text: str = ""
    """The answer, also a cut one; empty where there is none."""
    tool_calls: tuple[tuple[str, str], ...] = ()
    """Name and arguments of each call that the model asked for."""
    reason: str = ""
    """For anything but `answered`: one line that says what happened, without any secret."""
    tokens_in: int | None = None
    """As the endpoint counted them; None where it doesn't say."""
    tokens_out: int | None = None
    cached_tokens: int | None = None
    """Of `tokens_in`, read from the endpoint's prompt cache."""
    from_store: bool = field(default=False, compare=False)
    """Nothing was asked for it now, so it costs nothing now. Not part of what a record says: a
    rerun ends with the same bytes."""


class ChatModel(Protocol):
    """Something that can be asked; safe to be used by several threads at once."""

    @property
    def name(self) -> str:
        """The model as the user named it, such as `openai:NAME`."""
        ...

    def complete(self, request: ChatRequest) -> Reply:
        """Ask. Raises ModelError where going on is pointless, and nothing else."""
        ...
