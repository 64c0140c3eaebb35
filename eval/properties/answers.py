"""What a summariser's answers are worth: which failed, which are junk, which may stand."""

from __future__ import annotations

from compaction_eval.eval.properties.trial import Ask, Exchange, Standing, Trial, messages_of
from compaction_eval.strategies.messages import content_text
from compaction_eval.strategies.summary import is_summary, summary_text
from compaction_eval.strategies.summary_checks import rejection

SHORTEST_ERROR = 8
"""Characters of an error's text by which it is recognised in a view."""


def words_of(one: Standing) -> str:
    """The words of a made message, without the marker of a summary."""
    words = summary_text(one.message) if is_summary(one.message) else ""
    return words or content_text(one.message)


def failures(trial: Trial, x: Exchange) -> list[str]:
    """Why each answer that mustn't stand for messages mustn't."""
    return [reason for ask in x.asks if (reason := _failure(trial, x, ask))]


def good_answers(trial: Trial, x: Exchange) -> list[str]:
    """The answers that may."""
    return [
        ask.answer for ask in x.asks if isinstance(ask.answer, str) and not _failure(trial, x, ask)
    ]


def junk_in(trial: Trial, x: Exchange, words: str) -> str:
    """Why the words of a made message are junk; empty where they aren't."""
    if not words.strip():
        return "an empty summary was made"
    for ask in x.asks:
        error = (ask.error or "").partition(": ")[2]
        if len(error) >= SHORTEST_ERROR and error in words:
            return "the summariser's error was taken for a summary"
    limits = [ask.request.limit for ask in x.asks if ask.request.limit is not None]
    return _rejected(trial, x, words, max(limits, default=None), None)


def _failure(trial: Trial, x: Exchange, ask: Ask) -> str:
    if ask.error is not None:
        return f"the summariser {ask.error}"
    if not isinstance(ask.answer, str):
        return f"the summariser returned no text but {type(ask.answer).__name__}"
    return _rejected(trial, x, ask.answer, ask.request.limit, ask.request.previous)


def _rejected(trial: Trial, x: Exchange, text: str, limit: int | None, previous: str | None) -> str:
    replaced = trial.counter.messages(messages_of(x.removed))
    reason = rejection(
        text, dropped_tokens=replaced, limit=limit, counter=trial.counter, previous=previous
    )
    return reason or ""
