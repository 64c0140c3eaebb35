"""What a summariser costs: each call counted, with its tokens in and out, whatever its outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compaction_eval.strategies.base import AnswerKey, Summarizer, SummaryRequest
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(slots=True)
class Usage:
    """Calls to a summariser and their tokens."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(slots=True)
class MeteredSummarizer:
    """A summariser that is billed as a model would be: by the prompt it is sent and its answer."""

    inner: Summarizer
    counter: TokenCounter
    usage: Usage
    answer_key: AnswerKey | None = None
    """Handed on only to a summariser that says it sees the answer key."""

    @property
    def name(self) -> str:
        """The name of the summariser inside."""
        return self.inner.name

    def summarize(self, request: SummaryRequest) -> str:
        """The inner summariser's answer; raises what it raises, the call counted all the same."""
        self.usage.calls += 1
        self.usage.tokens_in += self.counter.request(prompt(request))
        if getattr(self.inner, "sees_answer_key", False):
            request = replace(request, answer_key=self.answer_key)
        text = self.inner.summarize(request)
        if isinstance(text, str):
            self.usage.tokens_out += self.counter.text(text)
        return text
