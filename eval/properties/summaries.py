"""Summary: what becomes of a summary, and of a summariser that fails."""

from __future__ import annotations

from compaction_eval.eval.properties.answers import (
    OPENING,
    failures,
    good_answers,
    junk_in,
    opens_alike,
    squeezed,
    words_of,
)
from compaction_eval.eval.properties.judging import Judged, unless
from compaction_eval.eval.properties.shown import said_in
from compaction_eval.eval.properties.trial import Exchange, Standing, Trial
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import content_text, role
from compaction_eval.strategies.summary import is_summary


def fallback_told(trial: Trial) -> Judged:
    """Where the summariser failed or gave junk, and nothing better in its place."""
    for x in trial.exchanges:
        failed = failures(trial, x)
        if failed and not good_answers(trial, x):
            yield x.at, unless(x.compaction.fallback, f"{failed[0]}, and no reason was told")


def no_junk(trial: Trial) -> Judged:
    """Where the summariser failed or gave junk."""
    for x in trial.exchanges:
        if failures(trial, x):
            found = (junk_in(trial, x, words_of(one)) for one in x.newly_made)
            yield x.at, next((f"{reason}, and it is in the view" for reason in found if reason), "")


def summary_marked(trial: Trial) -> Judged:
    """Where a summary is in the view, or a text was given to the summariser as the summary so
    far."""
    answers: set[str] = set()
    for x in trial.exchanges:
        answers |= {squeezed(ask.answer) for ask in x.asks if isinstance(ask.answer, str)}
        summaries = [one for one in x.made if _is_summary(x, one, answers)]
        taken = [ask.request.previous for ask in x.asks if ask.request.previous]
        if summaries or taken:
            faults = [*map(_marking_fault, summaries), *(_taken(trial, x, t) for t in taken)]
            yield x.at, next(filter(None, faults), "")


def summary_in_view(trial: Trial) -> Judged:
    """Where a summary was made: the strategy says so, or the summariser gave a good one and no
    reason is told why it wasn't used."""
    for x in trial.exchanges:
        made = x.compaction.summary
        if any(one.kind == "altered" and content_text(one.message) == made for one in x.sent):
            made = None  # the guard takes the only new message for a summary
        if made is None and x.compaction.fallback is None:
            made = next(iter(good_answers(trial, x)), None)
        if made is not None:
            held = any(opens_alike(words_of(one), made) for one in x.made)
            yield x.at, unless(held, "a summary was made, and no message of the view holds it")


def summary_survives(trial: Trial) -> Judged:
    """Where there was a summary in the view before."""
    for x in trial.exchanges:
        before = [one for one in x.before if one.kind == "made"]
        if not before:
            continue
        lost = []
        for one in before:
            words = words_of(one)
            stayed = any(opens_alike(words_of(other), words) for other in x.made)
            if not stayed and not _given(trial, x, words):
                lost.append(words)
        yield x.at, unless(not lost, "an earlier summary is gone, and no summariser was given it")


def one_call(trial: Trial) -> Judged:
    """Where the summariser was asked."""
    for x in trial.exchanges:
        if x.asks:
            yield x.at, unless(len(x.asks) == 1, f"the summariser was asked {len(x.asks)} times")


def _is_summary(x: Exchange, one: Standing, answers: set[str]) -> bool:
    """Whether a made message is a summary and no mere note: it is marked, or holds such words."""
    if is_summary(one.message):
        return True
    words = squeezed(content_text(one.message))
    told = squeezed(x.compaction.summary)
    return any(text[:OPENING] in words for text in {*answers, told} if text)


def _marking_fault(one: Standing) -> str:
    message = one.message
    if not isinstance(message.get("content"), str) or message.get("tool_calls"):
        return "a summary isn't plain text"
    if role(message) in ("tool", "function"):
        return f"a summary is a message of role {role(message)}"
    return unless(is_summary(message), "a summary has no mark")


def _taken(trial: Trial, x: Exchange, previous: str) -> str:
    """Why what was given as the summary so far is none: it is a message of the script."""
    known = [squeezed(words_of(one)) for one in x.before if one.kind == "made"]
    text = squeezed(previous)
    if any(text in words or words in text for words in known):
        return ""
    for one in x.before:
        if one.kind != "made" and text and text in squeezed(content_text(one.message)):
            return f"message {one.position} was taken for a summary"
    return ""


def _given(trial: Trial, x: Exchange, words: str) -> bool:
    """Whether a summariser that gave a good answer was given these words."""
    good = good_answers(trial, x)
    return any(normalise(words) in said_in(ask.request) for ask in x.asks if ask.answer in good)
