"""Long material for a model with a limited window: summarised part by part, nothing left out.

Each part is as many whole messages as fit beside the summary so far, which is handed on and never
cut; only a message that fits into no part is reduced inside. A part whose summary may not stand for
anything ends the attempt, since all before it would be lost with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compaction_eval.strategies.base import Summarizer, SummaryRequest
from compaction_eval.strategies.errors import StrategyError
from compaction_eval.strategies.messages import Message, content_text
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.reducing import SMALLEST, reduce_messages
from compaction_eval.strategies.summarizers.model import longest_answer
from compaction_eval.strategies.summary_checks import rejection
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class InParts:
    """Calls the summariser inside once for each part; what it raises is raised, and StrategyError
    for a part's junk."""

    inner: Summarizer
    counter: TokenCounter
    max_input_tokens: int
    """Longest request, prompt included."""

    @property
    def name(self) -> str:
        """The name of the summariser inside."""
        return self.inner.name

    def summarize(self, request: SummaryRequest) -> str:
        """The summary of the last part, into which those of the earlier parts have gone."""
        if self._size(request) <= self.max_input_tokens:
            return self.inner.summarize(request)
        summary = request.previous
        left = request.messages
        number = 0
        while left:
            number += 1
            part, left = self._next(replace(request, previous=summary, messages=left))
            summary = self.inner.summarize(part)
            if left and (reason := self._rejection(summary, part)):
                raise StrategyError(f"failed at part {number}: {reason}")
        return summary or ""

    def _rejection(self, summary: str, part: SummaryRequest) -> str | None:
        """Why the summary of a part can't be handed on, if so."""
        return rejection(
            summary,
            dropped_tokens=0,
            limit=part.limit,
            counter=self.counter,
            previous=part.previous,
            language=part.language,
            shown=[content_text(message) for message in part.messages],
        )

    def _next(self, request: SummaryRequest) -> tuple[SummaryRequest, tuple[Message, ...]]:
        """The request for as many of the first messages as fit, at least one, and those left."""
        messages = request.messages
        room = self.max_input_tokens - self._size(replace(request, messages=()))
        number = max(self._fitting(messages, room), 1)
        part = replace(request, messages=messages[:number])
        # Indentation and speakers' names cost something too.
        while number > 1 and self._size(part) > self.max_input_tokens:
            number -= 1
            part = replace(request, messages=messages[:number])
        while number == 1 and room >= SMALLEST and self._size(part) > self.max_input_tokens:
            reduced = reduce_messages(messages[:1], room, self.counter)
            part = replace(request, messages=tuple(reduced or messages[:1]))
            room = room * 9 // 10
        return part, messages[number:]

    def _fitting(self, messages: Sequence[Message], room: int) -> int:
        """How many of the first messages a number of tokens holds."""
        for number, message in enumerate(messages):
            room -= self.counter.message(message)
            if room < 0:
                return number
        return len(messages)

    def _size(self, request: SummaryRequest) -> int:
        return self.counter.request(prompt(request))


@dataclass(frozen=True, slots=True)
class WithinWindow:
    """In parts where a request and the longest answer to it don't fit into a model's window.

    A tenth of the window stays free, since the model counts tokens in a way of its own.
    """

    inner: Summarizer
    counter: TokenCounter
    context_tokens: int

    @property
    def name(self) -> str:
        """The name of the summariser inside."""
        return self.inner.name

    def summarize(self, request: SummaryRequest) -> str:
        """The summary, from one request or several."""
        usable = self.context_tokens * 9 // 10
        room = max(usable - longest_answer(request), usable // 2)
        return InParts(self.inner, self.counter, room).summarize(request)
