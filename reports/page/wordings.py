"""The forms of a value as a person reads them: of a pattern, words of the conversation that fit."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.eval.questions import Question
from compaction_eval.reports.page.text import clipped
from compaction_eval.reports.verdict_story import expected
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import Probe, Scenario

MOST_WORDINGS = 3
_LONGEST_FORM = 2_000


def cut_forms(values: Iterable[str]) -> list[str]:
    """Values for the page, each cut where it is too long."""
    return [clipped(value, _LONGEST_FORM)[0] for value in values]


def has_patterns(probe: Probe) -> bool:
    """Whether what a probe accepts are patterns."""
    return probe.match == "regex" and bool(probe.accept)


def told_forms(scenario: Scenario, probe: Probe, question: Question, corpus: Corpus) -> list[str]:
    """What counts as the answer to a question; of patterns, words that fit them."""
    if has_patterns(probe):
        return cut_forms(_wordings(question, corpus))
    return cut_forms(expected(scenario, probe, question.at))


def _wordings(question: Question, corpus: Corpus) -> list[str]:
    """The shortest texts that were said by then and fit, as the scorer reads them."""
    found: dict[str, None] = {}
    for position in question.positions:
        text = corpus.text(position)
        for form in question.sought.current:
            if form.kind == "regex":
                found |= dict.fromkeys(text[one.start : one.end] for one in form.find(text))
    return sorted(filter(None, found), key=len)[:MOST_WORDINGS]
