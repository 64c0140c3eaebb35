"""What is followed through a conversation: facts, answers that aren't one, values used again.

Each has versions: what holds from one message on, in which words, and which older words are wrong
by then. Each question says what it looks for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from compaction_eval.eval.finding import Sought
from compaction_eval.eval.questions import Question, questions_of
from compaction_eval.reports.page.searches import Searches
from compaction_eval.reports.page.text import clipped, shown
from compaction_eval.reports.verdict_story import expected
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.forms import text_forms, value_forms
from compaction_eval.scenarios.records import Probe, ReuseProbe, Scenario
from compaction_eval.scenarios.timeline import standing
from compaction_eval.strategies.mentions import normalise

Plain = dict[str, Any]
Said = Collection[tuple[str, int]]
"""Facts' ids, each with the number of a search that says it."""
_LONGEST_FORM = 2_000


def followed(
    scenario: Scenario, corpus: Corpus, searches: Searches
) -> tuple[list[Plain], list[Plain]]:
    """The facts of a scenario with their versions, and its questions, as the page holds them."""
    questions = questions_of(scenario, corpus)
    facts = [*_facts(scenario, searches)]
    said = {(one["id"], version["search"]) for one in facts for version in one["versions"]}
    facts += [*_answers(scenario, questions, said, searches), *_values(scenario, searches)]
    number = {one["id"]: at for at, one in enumerate(facts)}
    return facts, [_question(scenario, one, number, said, searches) for one in questions]


def _facts(scenario: Scenario, searches: Searches) -> Iterator[Plain]:
    """Facts that are said, updated and taken back; a version for each statement."""
    for fact in dict.fromkeys(statement.fact for statement in scenario.statements):
        versions = []
        for statement in scenario.statements:
            if statement.fact != fact:
                continue
            stands = standing(scenario.statements, fact, statement.message + 1)
            if stands is None:
                continue
            current = value_forms(stands.current, "contains")
            stale = value_forms(stands.superseded, "contains")
            sought = Sought(current, tuple(form for form in stale if form not in current))
            version = {
                "message": statement.message,
                "search": searches.number(sought),
                "forms": _forms(stands.current),
                "old": _forms(stands.superseded),
            }
            if statement.retraction:
                words = Sought(current=text_forms(statement.forms))
                version |= {"taken": searches.number(words), "forms": _forms(statement.forms)}
            versions.append(version)
        yield {
            "id": f"fact {shown(fact)}",
            "name": shown(fact),
            "kind": "fact",
            "versions": versions,
        }


def _answers(
    scenario: Scenario, questions: Sequence[Question], said: Said, searches: Searches
) -> Iterator[Plain]:
    """What probes accept where that isn't what their fact says; they may have none.

    A version for each message that says what is asked about, the first that holds an answer.
    """
    for probe in scenario.probes:
        versions: dict[int, Plain] = {}
        for question in questions:
            if question.probe != probe.id or _followed_as(probe, question, said, searches) != (
                _answer_id(probe)
            ):
                continue
            source = question.source if question.source is not None else 0
            versions[source] = {
                "message": source,
                "search": searches.number(question.sought),
                "forms": _forms(expected(scenario, probe, question.at)),
                "old": _old(scenario, probe, question),
                "parts": len(question.sought.parts),
            }
        if versions:
            ordered = [versions[source] for source in sorted(versions)]
            name = shown(probe.id)
            yield {"id": _answer_id(probe), "name": name, "kind": "answer", "versions": ordered}


def _followed_as(probe: Probe, question: Question, said: Said, searches: Searches) -> str:
    """The id of what is followed for a question: its fact, or else what it takes for an answer."""
    fact = "" if probe.fact is None else f"fact {shown(probe.fact)}"
    same = (fact, searches.number(question.sought)) in said
    return fact if question.absent or same else _answer_id(probe)


def _answer_id(probe: Probe) -> str:
    return f"answer {shown(probe.id)}"


def _values(scenario: Scenario, searches: Searches) -> Iterator[Plain]:
    """Values which the recorded agent used again, with a version for each message it had them from.

    It says the same value anew; what was lost before that is another loss.
    """
    uses: dict[str, list[ReuseProbe]] = {}
    for probe in scenario.reuse:
        uses.setdefault(normalise(probe.value), []).append(probe)
    for value, probes in uses.items():
        search = searches.number(Sought(current=text_forms((value,))))
        forms = _forms((probes[0].value,))
        versions = [
            {"message": source, "search": search, "forms": forms, "old": []}
            for source in sorted({probe.source for probe in probes})
        ]
        name = clipped(probes[0].value, 60)[0]
        yield {"id": f"value {shown(value)}", "name": name, "kind": "value", "versions": versions}


def _question(
    scenario: Scenario,
    question: Question,
    number: dict[str, int],
    said: Said,
    searches: Searches,
) -> Plain:
    written = next((one for one in scenario.probes if one.id == question.probe), None)
    reuse = next((one for one in scenario.reuse if one.id == question.probe), None)
    told: Plain = {
        "probe": shown(question.probe),
        "kind": question.kind,
        "place": shown(question.place),
        "at": question.at,
        "search": searches.number(question.sought),
        "parts": len(question.sought.parts),
        "absent": question.absent,
    }
    if reuse is not None:
        told |= {
            "forms": _forms((reuse.value,)),
            "old": [],
            "tool": shown(reuse.tool),
            "fact": number.get(f"value {shown(normalise(reuse.value))}"),
        }
    elif written is not None:
        told |= _asked(scenario, written, question)
        told["fact"] = number.get(_followed_as(written, question, said, searches))
    if question.retracting:
        told |= {"retracted": question.source, "taken": searches.number(question.retraction)}
    return told


def _asked(scenario: Scenario, probe: Probe, question: Question) -> Plain:
    return {
        "ask": clipped(probe.ask)[0],
        "match": probe.match,
        "forms": _forms(expected(scenario, probe, question.at)),
        "old": _old(scenario, probe, question),
        "reject": _forms(probe.reject),
    }


def _old(scenario: Scenario, probe: Probe, question: Question) -> list[str]:
    if not question.sought.stale:
        return []
    stands = None if probe.fact is None else standing(scenario.statements, probe.fact, question.at)
    return _forms(() if stands is None else stands.superseded)


def _forms(forms: tuple[str, ...]) -> list[str]:
    return [clipped(form, _LONGEST_FORM)[0] for form in forms]
