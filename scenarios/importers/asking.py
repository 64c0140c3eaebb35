"""Questions of question sets that a scenario can ask, and why it can't ask the others.

The sets were made for models that reason and for judges that read. Here an answer is looked for as
text, so it must have been said, in the place it is said to come from, and nowhere for free.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from compaction_eval.scenarios.asked import Asked
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.forms import Form, text_forms
from compaction_eval.scenarios.importers.naming import Ids
from compaction_eval.scenarios.importers.records import Question
from compaction_eval.scenarios.records import Probe, Scenario
from compaction_eval.scenarios.said import Said
from compaction_eval.strategies.blocks import blocks
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, role

_SURROGATE = re.compile("[\ud800-\udfff]")
_COMMON = frozenset(
    {"yes", "no", "true", "false", "none", "是", "否", "有", "无", "one", "two", "three", "four"}
    | {"five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
)
"""Answers that stand somewhere by chance; numbers of one or two digits do too."""


def askable(
    messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], questions: Sequence[Question]
) -> tuple[tuple[Question, ...], list[str]]:
    """The questions that the loader takes, with ids and the message that answers each.

    And a reason for each of the others.
    """
    if not questions:
        return (), []
    corpus = Corpus(messages)
    scenario = Scenario("imported", "", "en", tuple(messages), tools=tuple(tools))
    said = Said(scenario, corpus)
    block_of = {at: block for block in blocks(messages) for at in block}
    kept: list[Question] = []
    reasons: list[str] = []
    ids, asked = Ids(), set[str]()
    for question in questions:
        found = _judged(question, said, block_of)
        if not isinstance(found, str) and normalise(found.ask) in asked:
            found = "asked before"
        if isinstance(found, str):
            reasons.append(f"question: {found}")
        else:
            asked.add(normalise(found.ask))
            kept.append(replace(found, id=ids.take(found.id)))
    return tuple(kept), reasons


def _judged(
    question: Question, said: Said, block_of: Mapping[int, Sequence[int]]
) -> Question | str:
    """The question as it can be asked, or why it can't."""
    ask = " ".join(question.ask.split())
    if not ask:
        return "no text"
    if any(map(_SURROGATE.search, (ask, *question.accept, *question.reject))):
        return "unpaired surrogate in it"
    if question.kind == "abstention":
        return _unanswerable(replace(question, ask=ask), said.corpus)
    if not text_forms(question.accept):
        return "no answer given"
    accept = tuple(v for v in question.accept if normalise(v) and not _form(v).find(normalise(ask)))
    forms = text_forms(accept)
    if not forms:
        return "gives its answer away"
    parts = question.match in ("all_of", "set")
    evidence = _evidence(question, forms, parts, said.corpus, block_of)
    if evidence is None:
        if any(said.corpus.holders(form.text) for form in forms):
            return "answer isn't in its evidence"
        return "answer isn't said in the conversation"
    if _is_repeated(forms, evidence, said):
        return "answer is repeated by the newest user message"
    if not parts and all(_is_common(form.text) for form in forms):
        places = {at for form in forms for at in said.corpus.holders(form.text)}
        if len(places) > 1:
            return "answer too common to be told from chance"
    found = replace(question, ask=ask, accept=accept, evidence=(evidence,))
    end = len(said.corpus)
    probe = Probe(
        found.id,
        found.kind,
        ask,
        (("end", end),),
        accept=accept,
        match=found.match,
        evidence=evidence,
    )
    if any(Asked.of(said, probe, "end", end).faults()):
        return "answer is known without remembering, from system messages or tools"
    return found


def _unanswerable(question: Question, corpus: Corpus) -> Question | str:
    if not text_forms(question.reject):
        return "unanswerable, and the set names no wrong answer"
    reject = tuple(v for v in question.reject if normalise(v) and not corpus.holders(_form(v).text))
    if not reject:
        return "unanswerable, but its wrong answer stands in the conversation"
    return replace(question, accept=(), reject=reject, match="contains", evidence=())


def _evidence(
    question: Question,
    forms: Sequence[Form],
    parts: bool,
    corpus: Corpus,
    block_of: Mapping[int, Sequence[int]],
) -> int | None:
    """The message that gives the answer: the first that may, or after an update the last."""
    places = sorted(set(question.evidence)) or range(len(corpus))
    if question.kind == "update":
        places = [*places][::-1]
    holders = [frozenset(corpus.holders(form.text)) for form in forms]
    for at in places:
        if not any(at in held for held in holders):
            continue
        if not parts or all(not held.isdisjoint(block_of[at]) for held in holders):
            return at
    return None


def _is_repeated(forms: Sequence[Form], evidence: int, said: Said) -> bool:
    """Whether the newest user message after the evidence says the answer again."""
    messages = said.scenario.messages
    later = range(len(messages) - 1, evidence, -1)
    newest = next((at for at in later if role(messages[at]) == "user"), None)
    return newest is not None and any(form.find(said.corpus.text(newest)) for form in forms)


def _is_common(text: str) -> bool:
    return text in _COMMON or (text.isdecimal() and len(text) <= 2)


def _form(value: str) -> Form:
    return Form(normalise(value))
