"""What is asked of a view, place by place: probes and reuse probes made ready for many replays.

For each question the script is searched once; a verdict on a view then looks only at the places
where something was found, and at the view's loose messages.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from compaction_eval.eval.finding import NOTHING, Form, Marks, Sought, marks_in, text_forms
from compaction_eval.eval.records import Verdict
from compaction_eval.eval.verdicts import (
    never_said_verdict,
    parts_verdict,
    retracted_verdict,
    value_verdict,
)
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import Probe, ReuseProbe, Scenario, Statement
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.view import View

Mode = Literal["value", "retracted", "never-said"]
TextOf = Callable[[Message], str]
"""The normalised reading text of a loose message."""


@dataclass(frozen=True, slots=True)
class Question:
    """One verdict to be: a probe at a place, or a reuse probe at its request."""

    probe: str
    kind: str
    place: str
    at: int
    """Messages of the script said before it."""
    ask: Message | None
    """The question; None for a reuse probe, whose request is the recorded one."""
    mode: Mode
    sought: Sought
    positions: tuple[int, ...]
    """Positions below `at` of the script messages that say something of what is sought."""
    marks: tuple[Marks, ...]
    """What each of them says."""
    source: int | None = None
    """Position of the message whose age counts."""
    retraction: Sought | None = None
    """The retracting words, where the retraction has any."""
    free: bool = False
    own: bool = False

    def verdict(self, view: View, text_of: TextOf) -> tuple[Verdict, float | None]:
        """The verdict on a view (without the question), and the share of parts where there are."""
        marks = self._marks(view, text_of)
        if self.mode == "retracted":
            return retracted_verdict(marks, self._retraction_in(view, text_of)), None
        if self.mode == "never-said":
            return never_said_verdict(marks), None
        if self.sought.parts:
            return parts_verdict(marks, len(self.sought.parts))
        return value_verdict(marks), None

    def _marks(self, view: View, text_of: TextOf) -> Marks:
        total = NOTHING
        for part in view.parts:
            if isinstance(part, range):
                first = bisect_left(self.positions, part.start)
                stop = bisect_left(self.positions, part.stop)
                if first < stop and not (self.sought.stale or self.sought.parts):
                    total += self.marks[first]
                    continue
                for index in range(first, stop):
                    total += self.marks[index]
            elif part is not self.ask:
                total += marks_in(text_of(part), self.sought)
        return total

    def _retraction_in(self, view: View, text_of: TextOf) -> bool:
        for part in view.parts:
            if isinstance(part, range):
                if self.source is not None and self.source in part:
                    return True
            elif (
                self.retraction is not None
                and part is not self.ask
                and marks_in(text_of(part), self.retraction)
            ):
                return True
        return False


def questions_of(scenario: Scenario, corpus: Corpus) -> tuple[Question, ...]:
    """Everything asked in a scenario, ordered by place, then as written; reuse probes last."""
    written = [
        _written(probe, place, at, scenario, corpus)
        for probe in scenario.probes
        for place, at in probe.at
    ]
    reuse = [_reuse(probe, corpus) for probe in scenario.reuse]
    return tuple(sorted(written, key=lambda question: question.at) + reuse)


def _question_message(ask: str) -> Message:
    return cast("Message", {"role": "user", "content": ask})


def _written(probe: Probe, place: str, at: int, scenario: Scenario, corpus: Corpus) -> Question:
    said = [
        statement
        for statement in scenario.statements
        if statement.fact == probe.fact and statement.message < at
    ]
    mode: Mode = "value"
    retraction: Sought | None = None
    source = probe.evidence
    if said:
        source = said[-1].message
    if said and said[-1].retraction:
        mode = "retracted"
        values = tuple(form for one in said if not one.retraction for form in one.forms)
        sought = Sought(stale=text_forms(values))
        retraction = Sought(current=text_forms(said[-1].forms))
    elif not said and not probe.accept:
        mode = "never-said"
        source = None
        never = [form for form in text_forms(probe.reject) if corpus.newest(form.text, at) is None]
        sought = Sought(current=tuple(never))
    elif probe.match in ("all_of", "set"):
        sought = Sought(parts=text_forms(probe.accept))
    else:
        current, stale = _current_and_stale(said)
        if probe.accept:
            current = _accepted(probe)
        sought = Sought(current, tuple(form for form in stale if form not in current))
    positions, marks = _search(corpus, sought, at)
    return Question(
        probe=probe.id,
        kind=probe.kind,
        place=place,
        at=at,
        ask=_question_message(probe.ask),
        mode=mode,
        sought=sought,
        positions=positions,
        marks=marks,
        source=source,
        retraction=retraction,
    )


def _accepted(probe: Probe) -> tuple[Form, ...]:
    if probe.match == "number":
        return tuple(Form(value, "number") for value in probe.accept)
    if probe.match == "regex":
        return tuple(Form(value, "regex") for value in probe.accept)
    return text_forms(probe.accept)


def _current_and_stale(said: Sequence[Statement]) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    """Forms of the value that holds after these statements, and of those that it superseded."""
    if not said:
        return (), ()
    value = said[-1].value
    values = [one for one in said if not one.retraction]
    current = text_forms(tuple(form for one in values if one.value == value for form in one.forms))
    earlier = text_forms(tuple(form for one in values if one.value != value for form in one.forms))
    return current, tuple(form for form in earlier if form not in current)


def _reuse(probe: ReuseProbe, corpus: Corpus) -> Question:
    sought = Sought(current=text_forms((probe.value,)))
    positions, marks = _search(corpus, sought, probe.request)
    return Question(
        probe=probe.id,
        kind="reuse",
        place="request",
        at=probe.request,
        ask=None,
        mode="value",
        sought=sought,
        positions=positions,
        marks=marks,
        source=probe.source,
        free=probe.free,
        own=probe.own,
    )


def _holders(corpus: Corpus, value: str, stop: int) -> tuple[int, ...]:
    holders = corpus.holders(value)
    return holders[: bisect_left(holders, stop)]


def _candidates(corpus: Corpus, forms: Iterable[Form], stop: int) -> set[int]:
    """Positions of the messages that may say one of the forms."""
    found: set[int] = set()
    for form in forms:
        if form.kind == "text":
            found.update(_holders(corpus, form.text, stop))
        else:
            found.update(range(stop))
    return found


def _search(corpus: Corpus, sought: Sought, stop: int) -> tuple[tuple[int, ...], tuple[Marks, ...]]:
    """Positions below `stop` of the messages that say something of what is sought, and what."""
    forms = (*sought.current, *sought.stale, *sought.parts)
    if len(forms) == 1 and forms[0].kind == "text" and sought.current:
        # One value and nothing to weigh it against: where it is said is all there is to know.
        places = _holders(corpus, forms[0].text, stop)
        return places, (Marks(current=True, last_current=True),) * len(places)
    places_found: list[int] = []
    marks_found: list[Marks] = []
    for position in sorted(_candidates(corpus, forms, stop)):
        marks = marks_in(corpus.text(position), sought)
        if marks:
            places_found.append(position)
            marks_found.append(marks)
    return tuple(places_found), tuple(marks_found)
