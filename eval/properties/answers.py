"""What a summariser's answers are worth: which failed, which are junk, which may stand."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.eval.properties.trial import Ask, Exchange, Standing, Trial, messages_of
from compaction_eval.strategies.messages import content_text
from compaction_eval.strategies.summary import is_summary, summary_text
from compaction_eval.strategies.summary_checks import rejection

OPENING = 20
"""Characters by which a summary is found again, even if it had to be shortened."""
SHORTEST_ERROR = 8
"""Characters of an error's text by which it is recognised in a view."""


def words_of(one: Standing) -> str:
    """The words of a made message, without the marker of a summary."""
    return summary_text(one.message) if is_summary(one.message) else content_text(one.message)


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
    # A strategy's own note may be longer than the little that it stands for.
    own = [ask for ask in x.asks if isinstance(ask.answer, str) and opens_alike(words, ask.answer)]
    previous = own[0].request.previous if own else None
    return _rejected(trial, x.removed if own else (), words, max(limits, default=None), previous)


def opens_alike(words: str, summary: str) -> bool:
    """Whether some words are a summary, or what is left of one that was shortened."""
    one, two = (squeezed(text).rstrip("… ") for text in (words, summary))
    return bool(one and two) and (one[:OPENING] in two or two[:OPENING] in one)


def squeezed(text: object) -> str:
    """A text with each run of white space a space; empty for what is no text."""
    return " ".join(text.split()) if isinstance(text, str) else ""


def _failure(trial: Trial, x: Exchange, ask: Ask) -> str:
    if ask.error is not None:
        return f"the summariser {ask.error}"
    if not isinstance(ask.answer, str):
        return f"the summariser returned no text but {type(ask.answer).__name__}"
    return _rejected(trial, x.removed, ask.answer, ask.request.limit, ask.request.previous)


def _rejected(
    trial: Trial, removed: Iterable[Standing], text: str, limit: int | None, previous: str | None
) -> str:
    replaced = trial.counter.messages(messages_of(removed))
    reason = rejection(
        text, dropped_tokens=replaced, limit=limit, counter=trial.counter, previous=previous
    )
    return reason or ""
