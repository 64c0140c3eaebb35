"""The folding replay: the view grows by the script's messages and is compacted before each request.

What a strategy returns is the view from there on (`history: replace`), or for that request only
(`history: keep`). A probe is one request on a fork: the view as it was before that place's
compaction, with the question appended, compacted once.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from compaction_eval.eval.metering import MeteredSummarizer, Usage
from compaction_eval.eval.observation import Observer
from compaction_eval.eval.questions import Question
from compaction_eval.eval.records import RequestRecord
from compaction_eval.eval.script import Script
from compaction_eval.strategies.base import Context, Strategy, Summarizer
from compaction_eval.strategies.view import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it was sent; `question` is set for a probe's fork."""

    record: RequestRecord
    view: View
    question: Question | None


def replay(
    script: Script, strategy: Strategy, summarizer: Summarizer | None, observer: Observer
) -> Iterator[Request]:
    """Send every request of a script, in order; at each place the forks come before the main line.

    Raises whatever the strategy raises.
    """
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
            yield _ask(view, question, script, strategy, summarizer, observer)
            question = next(following)
        view += script.conversation.view(said, at)
        said = at
        if at < end:
            request = _send(view, at, None, script, strategy, summarizer, observer)
            if fold:
                view = request.view
            yield request


def _ask(
    view: View,
    question: Question,
    script: Script,
    strategy: Strategy,
    summarizer: Summarizer | None,
    observer: Observer,
) -> Request:
    """Ask on a fork: whatever keeps state is copied, so that the question leaves no trace."""
    assert question.ask is not None
    asked = view + script.conversation.adopt((question.ask,))
    return _send(asked, question.at, question, script, _fork(strategy), _fork(summarizer), observer)


def _send(
    view: View,
    at: int,
    question: Question | None,
    script: Script,
    strategy: Strategy,
    summarizer: Summarizer | None,
    observer: Observer,
) -> Request:
    """Let the strategy at a view, and have the request observed."""
    usage = Usage()
    metered = summarizer and MeteredSummarizer(
        summarizer, observer.counter, usage, script.answer_key
    )
    sees_key = getattr(strategy, "sees_answer_key", False)
    context = Context(
        budget=observer.budget,
        counter=observer.counter,
        summarizer=metered,
        language=script.scenario.lang,
        tools_tokens=script.tools_tokens,
        answer_key=script.answer_key if sees_key else None,
    )
    compaction = strategy.compact(view, context)
    record, sent = observer.observe(view, compaction, at, question, usage)
    return Request(record, sent, question)


def _fork(thing: T) -> T:
    """A copy of what may keep state; frozen dataclasses keep none and are shared."""
    parameters = getattr(type(thing), "__dataclass_params__", None)
    if thing is None or (parameters is not None and parameters.frozen):
        return thing
    return copy.deepcopy(thing)
