"""The folding replay: the view grows by the script's messages and is compacted before each request.

What a strategy returns is the view from there on (`history: replace`), or for that request only
(`history: keep`). A probe is one request on a fork: the view as it was before that place's
compaction, with the question appended, compacted once.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from compaction_eval.eval.metering import Answers, MeteredSummarizer, Usage
from compaction_eval.eval.observation import Observer
from compaction_eval.eval.properties.recording import Listener, Recorder, once_more
from compaction_eval.eval.properties.trial import Ask
from compaction_eval.eval.questions import Question
from compaction_eval.eval.records import RequestRecord
from compaction_eval.eval.script import Script
from compaction_eval.eval.summaries.shown import Showing
from compaction_eval.strategies.base import Context, Strategy, Summarizer, sees_answer_key
from compaction_eval.strategies.summarizers.in_parts import WithinWindow
from compaction_eval.strategies.view import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it was sent; `question` is set for a probe's fork."""

    record: RequestRecord
    view: View
    question: Question | None


def replay(
    script: Script,
    strategy: Strategy,
    summarizer: Summarizer | None,
    observer: Observer,
    recorder: Recorder | None = None,
    showing: Showing | None = None,
) -> Iterator[Request]:
    """Send every request of a script, in order; at each place the forks come before the main line.

    A recorder is told of the main line's requests, each of which is compacted a second time on a
    fork then; `showing` of what its summariser was given.

    Raises whatever the strategy raises.
    """
    line = _Line(script, strategy, summarizer, observer, Answers(), recorder, showing)
    fold = getattr(strategy, "history", "replace") == "replace"
    asked = [question for question in script.questions if question.ask is not None]
    end = len(script.conversation.messages)
    view = script.conversation.view(0, 0)
    said = 0
    following = iter((*asked, None))
    question = next(following)
    for at in (*script.main_line, end):
        while question is not None and question.at <= at:
            view += script.conversation.view(said, question.at)
            said = question.at
            yield line.fork().ask(view, question)
            question = next(following)
        view += script.conversation.view(said, at)
        said = at
        if at < end:
            request = line.send(view, at, None)
            if fold:
                view = request.view
            yield request


@dataclass(slots=True)
class _Line:
    """What sends requests: the conversation itself, or a fork of it."""

    script: Script
    strategy: Strategy
    summarizer: Summarizer | None
    observer: Observer
    answers: Answers
    recorder: Recorder | None = None
    showing: Showing | None = None

    def fork(self) -> _Line:
        """A line whose requests leave no trace: whatever keeps state is copied."""
        strategy, summarizer = _fork(self.strategy), _fork(self.summarizer)
        return replace(self, strategy=strategy, summarizer=summarizer, recorder=None, showing=None)

    def ask(self, view: View, question: Question) -> Request:
        """Send a probe's question at the end of a view."""
        assert question.ask is not None
        asked = view + self.script.conversation.adopt((question.ask,))
        return self.send(asked, question.at, question)

    def send(self, view: View, at: int, question: Question | None) -> Request:
        """Let the strategy at a view, and have the request observed."""
        usage = Usage()
        asks: list[Ask] = []
        context = self._context(usage, asks)
        if self.recorder is not None:
            self.recorder.remember(view)
        compaction = self.strategy.compact(view, context)
        if compaction.replayed and compaction.summary is not None:
            usage.tokens_out += self.observer.counter.text(compaction.summary)
        if asks and self.showing is not None:
            self.showing.note(at, asks, compaction)
        record, sent = self.observer.observe(view, compaction, at, question, usage)
        if self.recorder is not None:
            again = once_more(self._spare, sent)
            self.recorder.note(view, sent, compaction, record, asks, again)
        return Request(record, sent, question)

    def _spare(self) -> tuple[Strategy, Context]:
        """A strategy and a context to try something with."""
        fork = self.fork()
        return fork.strategy, fork._context(Usage(), [])

    def _context(self, usage: Usage, asks: list[Ask]) -> Context:
        """What the strategy is given; `asks` gets what it asks of the summariser."""
        script, counter = self.script, self.observer.counter
        summarizer = self.summarizer
        if summarizer is not None:
            key = script.answer_key if sees_answer_key(summarizer) else None
            window = getattr(summarizer, "context_tokens", None)
            summarizer = MeteredSummarizer(summarizer, counter, usage, key, self.answers)
            if window is not None:
                summarizer = WithinWindow(summarizer, counter, window)
            if self.recorder is not None or self.showing is not None:
                summarizer = Listener(summarizer, asks)
        return Context(
            budget=self.observer.budget,
            counter=counter,
            summarizer=summarizer,
            language=script.scenario.lang,
            tools_tokens=script.tools_tokens,
            answer_key=script.answer_key if sees_answer_key(self.strategy) else None,
            recorded=script.recorded,
        )


def _fork(thing: T) -> T:
    """A copy of what may keep state; frozen dataclasses keep none and are shared.

    A plain class that is derived from one may keep what it likes.
    """
    parameters = vars(type(thing)).get("__dataclass_params__")
    if thing is None or (parameters is not None and parameters.frozen):
        return thing
    return copy.deepcopy(thing)
