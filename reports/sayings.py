"""What in one request's view says the value that a probe asks for, and what says an old one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from compaction_eval.eval.finding import Marks, marks_in
from compaction_eval.eval.questions import Question, questions_of
from compaction_eval.eval.records import CellRecord, ProbeRecord, RequestRecord
from compaction_eval.reports.printable import excerpt, one_line
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import Probe, Scenario
from compaction_eval.scenarios.timeline import standing
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, reading_text, role
from compaction_eval.strategies.summary import is_summary, summary_text


@dataclass(frozen=True, slots=True)
class Saying:
    """One message of a view, and what it says."""

    part: int | str
    """The position of a message of the script, or the id of a synthetic one."""
    marks: Marks


@dataclass(frozen=True, slots=True)
class Witness:
    """Knows what a written probe looked for in a cell, so it can tell what the views say of it."""

    scenario: Scenario
    cell: CellRecord
    probe: Probe
    question: Question

    def sayings(self, request: RequestRecord) -> list[Saying]:
        """The messages of a view that say something of what is sought, in the view's order."""
        return [saying for saying in self._all(request) if saying.marks]

    def gone_at(self, record: ProbeRecord) -> int | None:
        """Index of the request at which the answer left the view, None for the question's own.

        `lost_at` is where the verdict turned: before the answer left, an old value may have had
        the last word for a while.
        """
        gone = record.lost_at
        if gone is None or self.question.sought.parts or not self._answers(gone):
            return gone
        main = (at for at in range(gone, record.request) if self.cell.requests[at].probe is None)
        gone = None
        for at in reversed([*main]):
            if self._answers(at):
                break
            gone = at
        return gone

    def last_word(self, record: ProbeRecord, width: int) -> str | None:
        """Which message says what is wrong, in a line; None where none does."""
        asked = self.sayings(self.cell.requests[record.request])
        if record.verdict == "wrong":
            said, forms, what = _last_current(asked), self.probe.reject, "what nobody said"
        else:
            said, forms, what = _last_stale(asked), self._superseded(record.at), "the old value"
            if self.question.absent:
                what = "what was taken back, and nothing in the view takes it back"
        if said is None:
            return None
        where = self._place(said)
        answer = None if self.question.absent else _last_current(asked)
        if answer == said:
            where += " says the answer, and after it"
        elif answer is not None:
            where = f"{self._place(answer)} says the answer, and after it {where}"
        head = f"{where} says {what}: "
        return head + self._words(said, forms, max(width - len(head), 60))

    def _all(self, request: RequestRecord) -> Iterator[Saying]:
        known = dict(zip(self.question.positions, self.question.marks, strict=True))
        for part in request.view:
            if isinstance(part, str):
                message = self._message(part)
                if message != self.question.ask:
                    text = normalise(reading_text(message))
                    yield Saying(part, marks_in(text, self.question.sought))
            else:
                yield from (Saying(at, known[at]) for at in range(*part) if at in known)

    def _answers(self, index: int) -> bool:
        return _last_current(self.sayings(self.cell.requests[index])) is not None

    def _superseded(self, at: int) -> tuple[str, ...]:
        fact = self.probe.fact
        stands = None if fact is None else standing(self.scenario.statements, fact, at)
        return () if stands is None else stands.superseded

    def _place(self, saying: Saying) -> str:
        """`message 24 (tool)`, `summary s3`, or the id of another message that was made up."""
        if isinstance(saying.part, int):
            return f"message {saying.part} ({one_line(role(self._message(saying.part)))})"
        kind = "summary" if is_summary(self._message(saying.part)) else "message"
        return f"{kind} {one_line(saying.part)}"

    def _words(self, saying: Saying, forms: Sequence[str], width: int) -> str:
        message = self._message(saying.part)
        text = summary_text(message) if is_summary(message) else reading_text(message)
        return excerpt(text, forms, width)

    def _message(self, part: int | str) -> Message:
        if isinstance(part, int):
            return self.scenario.messages[part]
        found: Message = self.cell.synthetic.get(part, {})
        return found


def witness(
    scenario: Scenario, cell: CellRecord, probe: Probe, record: ProbeRecord
) -> Witness | None:
    """The witness of a written probe's verdict; None where the probe isn't asked there."""
    alone = replace(scenario, probes=(probe,), reuse=())
    for question in questions_of(alone, Corpus(scenario.messages)):
        if (question.place, question.at) == (record.place, record.at):
            return Witness(scenario, cell, probe, question)
    return None


def _last_current(sayings: Sequence[Saying]) -> Saying | None:
    return next((one for one in reversed(sayings) if one.marks.current), None)


def _last_stale(sayings: Sequence[Saying]) -> Saying | None:
    return next((one for one in reversed(sayings) if one.marks.stale), None)
