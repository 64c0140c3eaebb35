"""What a summariser costs: each call counted, with its tokens in and out, whatever its outcome."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from compaction_eval.strategies.base import AnswerKey, Summarizer, SummaryRequest
from compaction_eval.strategies.messages import content_text, role
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.tokens import TokenCounter

ANSWERS_KEPT = 64
"""Answers that are remembered: forks at one place follow each other."""


@dataclass(slots=True)
class Usage:
    """Calls to a summariser and their tokens."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(slots=True)
class Answers:
    """Answers already made, so that forks which ask for the same summary don't make it again.

    Used only for a summariser whose attribute `pure` is true: the same request, the same text.
    """

    known: dict[Hashable, tuple[int, str]] = field(default_factory=dict)

    def put(self, key: Hashable, tokens_in: int, text: str) -> None:
        """Remember an answer; the oldest is forgotten when there are too many."""
        while len(self.known) >= ANSWERS_KEPT:
            del self.known[next(iter(self.known))]
        self.known[key] = (tokens_in, text)


@dataclass(slots=True)
class MeteredSummarizer:
    """A summariser that is billed as a model would be: by the prompt it is sent and its answer."""

    inner: Summarizer
    counter: TokenCounter
    usage: Usage
    answer_key: AnswerKey | None = None
    """Handed on; given only where the summariser inside says that it sees the answer key."""
    answers: Answers | None = None

    @property
    def name(self) -> str:
        """The name of the summariser inside."""
        return self.inner.name

    def summarize(self, request: SummaryRequest) -> str:
        """The inner summariser's answer; raises what it raises, the call counted all the same."""
        self.usage.calls += 1
        key = self._key(request)
        known = self.answers.known.get(key) if self.answers is not None else None
        if known is not None:
            tokens_in, text = known
            self.usage.tokens_in += tokens_in
        else:
            tokens_in = self.counter.request(prompt(request))
            self.usage.tokens_in += tokens_in
            if self.answer_key is not None:
                request = replace(request, answer_key=self.answer_key)
            text = self.inner.summarize(request)
            if self.answers is not None and key is not None:
                self.answers.put(key, tokens_in, text)
        if isinstance(text, str):
            self.usage.tokens_out += self.counter.text(text)
        return text

    def _key(self, request: SummaryRequest) -> Hashable:
        """What a pure summariser's answer depends on; None for one that isn't pure."""
        if not getattr(self.inner, "pure", False):
            return None
        said = tuple((role(message), content_text(message)) for message in request.messages)
        return (said, request.previous, request.limit, request.language, request.style)
