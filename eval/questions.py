"""What is asked of a view, place by place: probes and reuse probes made ready for many replays.

For each question the script is searched once; a verdict on a view then looks only at the places
where something was found, and at the view's loose messages.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

from compaction_eval.eval.finding import NOTHING, Marks, Sought, marks_in
from compaction_eval.eval.records import Verdict
from compaction_eval.eval.verdicts import absent_verdict, parts_verdict, value_verdict
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.forms import Form, accepted_forms, text_forms, value_forms
from compaction_eval.scenarios.records import Probe, ReuseProbe, Scenario, Where
from compaction_eval.scenarios.timeline import Standing, standing
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.view import View

TextOf = Callable[[Message], str]
"""The normalised reading text of a loose message."""
NO_WORDS = Sought()


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
    sought: Sought
    positions: tuple[int, ...]
    """Positions below `at` of the script messages that say something of what is sought."""
    marks: tuple[Marks, ...]
    """What each of them says."""
    source: int | None = None
    """Position of the message whose age counts."""
    absent: bool = False
    """Whether no value holds there, so that a view can only go wrong."""
    retraction: Sought = NO_WORDS
    """The words that take the value back, where there are any."""
    retracting: tuple[int, ...] = ()
    """Positions below `at` of the script messages that take the value back, ascending."""
    free: bool = False
    own: bool = False
    where: Where = "call"
    chance: bool = False
    recoverable: bool = False

    def verdict(self, view: View, text_of: TextOf) -> tuple[Verdict, float | None]:
        """The verdict on a view (without the question), and the share of parts where there are."""
        marks = self._marks(view, text_of)
        if self.absent:
            return absent_verdict(marks, marks.stale and self._retraction_in(view, text_of)), None
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
                first = bisect_left(self.retracting, part.start)
                if first < len(self.retracting) and self.retracting[first] < part.stop:
                    return True
            elif part is not self.ask and marks_in(text_of(part), self.retraction):
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
    stands = None if probe.fact is None else standing(scenario.statements, probe.fact, at)
    retracted = stands is not None and stands.last.retraction
    unsaid = stands is None and (probe.kind == "abstention" or not probe.accept)
    absent = retracted or unsaid
    sought = _absent(probe, stands, corpus, at) if absent else _wanted(probe, stands)
    positions, marks = search(corpus, sought, at)
    retraction = NO_WORDS
    retracting: set[int] = set()
    if stands is not None and retracted:
        retraction = Sought(current=text_forms(stands.last.forms))
        retracting = {stands.last.message, *search(corpus, retraction, at)[0]}
    return Question(
        probe=probe.id,
        kind=probe.kind,
        place=place,
        at=at,
        ask=_question_message(probe.ask),
        sought=sought,
        positions=positions,
        marks=marks,
        source=stands.last.message if stands is not None else None if unsaid else probe.evidence,
        absent=absent,
        retraction=retraction,
        retracting=tuple(sorted(retracting)),
    )


def _wanted(probe: Probe, stands: Standing | None) -> Sought:
    """What is sought where a value holds: what is accepted, and what was superseded."""
    if probe.accept and probe.match in ("all_of", "set"):
        return Sought(parts=accepted_forms(probe.accept, probe.match))
    current = accepted_forms(probe.accept, probe.match)
    if stands is None:
        return Sought(current)
    superseded = value_forms(stands.superseded, probe.match)
    if not current:
        current = value_forms(stands.current, probe.match)
    return Sought(current, tuple(form for form in superseded if form not in current))


def _absent(probe: Probe, stands: Standing | None, corpus: Corpus, at: int) -> Sought:
    """What is sought where no value holds: what was taken back, and what nobody ever said."""
    never: tuple[Form, ...] = ()
    if probe.kind == "abstention":
        rejected = text_forms(probe.reject)
        never = tuple(form for form in rejected if corpus.newest(form.text, at) is None)
    return Sought(never, () if stands is None else value_forms(stands.superseded, probe.match))


def _reuse(probe: ReuseProbe, corpus: Corpus) -> Question:
    sought = Sought(current=text_forms((probe.value,)))
    positions, marks = search(corpus, sought, probe.request)
    return Question(
        probe=probe.id,
        kind="reuse-text" if probe.where == "text" else "reuse",
        place="request",
        at=probe.request,
        ask=None,
        sought=sought,
        positions=positions,
        marks=marks,
        source=probe.source,
        free=probe.free,
        own=probe.own,
        where=probe.where,
        chance=probe.chance,
        recoverable=probe.recoverable,
    )


def _holders(corpus: Corpus, value: str, stop: int) -> tuple[int, ...]:
    holders = corpus.holders(value)
    return holders[: bisect_left(holders, stop)]


def _candidates(corpus: Corpus, forms: Iterable[Form], stop: int) -> set[int]:
    """Positions of the messages that may say one of the forms."""
    found: set[int] = set()
    for form in forms:
        found.update(_holders(corpus, form.text, stop) if form.kind == "text" else range(stop))
    return found


def search(corpus: Corpus, sought: Sought, stop: int) -> tuple[tuple[int, ...], tuple[Marks, ...]]:
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
