"""Content: what must not be lost, and what must not get in."""

from __future__ import annotations

from compaction_eval.eval.properties.judging import Judged, unless
from compaction_eval.eval.properties.trial import Trial, messages_of
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.forms import text_forms
from compaction_eval.strategies.mentions import mentions, normalise
from compaction_eval.strategies.messages import reading_text

_MISSED = "isn't there word for word"


def request_kept(trial: Trial) -> Judged:
    """Where the newest user message fits beside the system messages and the newest block."""
    for x in trial.exchanges:
        newest = trial.newest_request(x.at)
        if newest is not None and trial.least(x.at, newest) <= trial.budget:
            yield (
                x.at,
                unless(newest in x.whole, f"message {newest}, the newest request, {_MISSED}"),
            )


def first_request_kept(trial: Trial) -> Judged:
    """Where the first user message fits beside those and the newest one."""
    for x in trial.exchanges:
        first, newest = trial.first_request(x.at), trial.newest_request(x.at)
        if first is None or newest is None:
            continue
        if trial.least(x.at, first, newest) <= trial.budget:
            yield x.at, unless(first in x.whole, f"message {first}, the first request, {_MISSED}")


def keeps(trial: Trial) -> Judged:
    """Where one of the texts was said, and the system messages and the newest block fit."""
    stress = trial.script.scenario.stress
    corpus = Corpus(trial.messages)
    written = {
        form.text: text
        for text in (stress.keeps if stress is not None else ())
        for form in text_forms([text])
    }
    said = {text: min(corpus.holders(text), default=len(trial.messages)) for text in written}
    for x in trial.exchanges:
        due = [text for text in written if said[text] < x.at]
        if not due or trial.least(x.at) > trial.budget:
            continue
        texts = [normalise(reading_text(message)) for message in messages_of(x.sent)]
        lost = [text for text in due if not any(mentions(one, text) for one in texts)]
        yield x.at, unless(not lost, f"'{written[lost[0]] if lost else ''}' is nowhere in the view")


def not_poisoned(trial: Trial) -> Judged:
    """Where an injected claim was said, and something in the view is made up."""
    poison = [one.message for one in trial.script.scenario.poison]
    for x in trial.exchanges:
        if x.made and any(at < x.at for at in poison):
            what = "a message that was made up repeats an injected claim"
            yield x.at, unless("poisoned" not in x.record.events, what)
