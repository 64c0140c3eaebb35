"""A probe at one place: whether its answer can be known there, and only by remembering it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.forms import Form, accepted_forms, value_forms
from compaction_eval.scenarios.records import Probe
from compaction_eval.scenarios.said import Said
from compaction_eval.scenarios.timeline import Standing, standing
from compaction_eval.strategies.mentions import Mention, normalise, outside
from compaction_eval.strategies.messages import role


@dataclass(frozen=True, slots=True)
class Asked:
    """A probe at one place."""

    said: Said
    probe: Probe
    name: str
    place: int
    fact: Standing | None
    forms: tuple[Form, ...]
    """Accepted forms, or the parts of which all are wanted."""
    parts: bool

    @classmethod
    def of(cls, said: Said, probe: Probe, name: str, place: int) -> Asked:
        fact = standing(said.scenario.statements, probe.fact, place) if probe.fact else None
        forms = accepted_forms(probe.accept, probe.match)
        if not forms and fact is not None:
            forms = value_forms(fact.current, probe.match)
        parts = bool(probe.accept) and probe.match in ("all_of", "set")
        return cls(said, probe, name, place, fact, forms, parts)

    def faults(self) -> Iterator[Fault]:
        """Why it can't work there."""
        if self.fact is not None and self.fact.last.retraction:
            yield from self._old_again(value_forms(self.fact.superseded, self.probe.match))
            return
        if self.probe.kind == "abstention":
            if self.fact is not None:
                yield self._fault(
                    f"the fact '{self.probe.fact}' holds at '{self.name}', so there is an answer; "
                    "retract it before, or choose another kind"
                )
            return
        yield from self._rejected()
        yield from self._given_away()
        yield from self._absent()
        if self.fact is not None and not self.parts:
            superseded = value_forms(self.fact.superseded, self.probe.match)
            old = tuple(form for form in superseded if form not in self.forms)
            yield from self._alike(old)
            yield from self._old_again(old)

    def _fault(self, message: str) -> Fault:
        return Fault(self.probe.place, f"probe '{self.probe.id}': {message}")

    def _in(self, *texts: str) -> str | None:
        """The answer as it can be read from these texts; None where it can't."""
        found = [form.text for form in self.forms if any(form.find(text) for text in texts)]
        enough = len(found) == len(self.forms) if self.parts else bool(found)
        return ", ".join(found) if enough and found else None

    def _rejected(self) -> Iterator[Fault]:
        """An answer that is right and wrong at once."""
        accepted = {form.text for form in self.forms}
        for text in self.probe.reject:
            if normalise(text) in accepted:
                yield self._fault(f"its answer '{text}' is also rejected; take it out of `reject`")

    def _given_away(self) -> Iterator[Fault]:
        """Places from which the answer is known without remembering it."""
        ask = normalise(self.probe.ask)
        for form in self.forms:
            if form.find(ask):
                yield self._fault(
                    f"the question gives its answer '{form.text}' away; ask without it"
                )
        messages, corpus = self.said.scenario.messages, self.said.corpus
        system = [corpus.text(at) for at in self.said.system if at < self.place]
        answer = self._in(*system)
        if answer:
            yield self._fault(
                f"its answer '{answer}' stands in a system message, which every strategy keeps; "
                "let a user or a tool say it"
            )
        answer = self._in(*self.said.schemas)
        if answer:
            yield self._fault(
                f"its answer '{answer}' stands in `tools`, which every request carries; name the "
                "tool otherwise"
            )
        later = range(self.place - 1, self._source(), -1)
        newest = next((at for at in later if role(messages[at]) == "user"), None)
        answer = None if newest is None else self._in(corpus.text(newest))
        if newest is not None and answer:
            yield self._fault(
                f"its answer '{answer}' is repeated by the newest user message at '{self.name}', "
                f"{self._line(newest)}; ask later, leave it out there, or say the fact there anew"
            )
        yield from self._taken_for_another()

    def _taken_for_another(self) -> Iterator[Fault]:
        """Other facts whose current values, however they're worded, hold the answer."""
        values = self.said.values(self.place)
        if self.probe.fact is None or self._in(*map("\n".join, values.values())) is None:
            return
        for other, forms in values.items():
            value = next((form for form in forms if self._in(form)), None)
            if other != self.probe.fact and value is not None:
                yield self._fault(
                    f"its answer '{self._in(value)}' also stands in the fact '{other}', "
                    f"'{value}', so one can be taken for the other; change one of them"
                )

    def _absent(self) -> Iterator[Fault]:
        """The answer isn't where it is meant to come from."""
        if self.fact is not None and self.probe.accept:
            statements = self.said.scenario.statements
            sources = {
                position
                for one in statements
                if one.fact == self.probe.fact and one.message < self.place
                for position in self.said.block(one.message)
            }
            where = f"where the fact '{self.probe.fact}' is said"
        elif self.fact is None and self.probe.evidence is not None:
            sources = set(self.said.block(self.probe.evidence))
            where = "in one message; split the probe, or name its `fact`"
        elif self.fact is None:
            sources = set()
            where = "in the conversation"
        else:
            return
        texts = [self.said.corpus.text(at) for at in sorted(sources) if at < self.place]
        if self._in(*texts) is None:
            missing = [f.text for f in self.forms if not any(f.find(text) for text in texts)]
            yield self._fault(f"its answer '{', '.join(missing)}' isn't {where}{self._remedy()}")

    def _remedy(self) -> str:
        """How an answer is written so that it is found."""
        if self.probe.match == "regex":
            return (
                "; a pattern is searched in a whole message, all in lower case and with single "
                "spaces"
            )
        if self.fact is None and self.probe.evidence is not None:
            return ""
        return "; write it as a turn words it, or let a turn say it"

    def _alike(self, old: Sequence[Form]) -> Iterator[Fault]:
        """Old values that count as the new one, or the other way round."""
        new = self.forms
        for form in old:
            if outside(_all(new, form.text), _all(old, form.text)):
                yield self._fault(
                    f"the old value '{form.text}' counts as the answer; make `accept` narrower"
                )
        for form in new:
            if form.kind != "regex" and outside(_all(old, form.text), _all(new, form.text)):
                yield self._fault(f"the answer '{form.text}' counts as the old value")

    def _old_again(self, old: Sequence[Form]) -> Iterator[Fault]:
        """Messages after the update (or retraction) that say the old value."""
        if self.fact is None:
            return
        last = self.fact.last
        places = {at for form in old for at in self.said.positions(form)}
        for at in sorted(at for at in places if last.message <= at < self.place):
            text = self.said.corpus.text(at)
            new_here = _all(self.forms, text)
            old_here = outside(_all(old, text), new_here)
            if at == last.message:
                if last.retraction or max(old_here, default=(-1,)) < max(new_here, default=(-1,)):
                    continue
            elif not old_here:
                continue
            value = text[slice(*max(old_here))]
            what = "retracted" if last.retraction else "updated"
            turn = self.said.scenario.places
            yield Fault(
                turn[at] if turn else self.probe.place,
                f"the old value '{value}' of '{last.fact}' is said after it was {what} on line "
                f"{last.place.line}, so a view that holds it isn't stale; reword this turn",
            )

    def _source(self) -> int:
        if self.fact is not None:
            return self.fact.last.message
        return -1 if self.probe.evidence is None else self.probe.evidence

    def _line(self, position: int) -> str:
        places = self.said.scenario.places
        return f"line {places[position].line}" if places else f"message {position}"


def _all(forms: Sequence[Form], text: str) -> list[Mention]:
    return [mention for form in forms for mention in form.find(text)]
