"""What is written down of one request: its size, its faults, and what the compaction did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compaction_eval.eval.checking import loose_shapes
from compaction_eval.eval.metering import Usage
from compaction_eval.eval.poisoning import repeats_poison
from compaction_eval.eval.questions import Question
from compaction_eval.eval.records import REPLAYED, PartRef, RequestRecord
from compaction_eval.eval.script import Script
from compaction_eval.eval.synthetic import Synthetic
from compaction_eval.strategies.base import Compaction
from compaction_eval.strategies.messages import content_text
from compaction_eval.strategies.summary import is_summary
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import View

FAULTS_KEPT = 3
"""Faults of one request that are written down in words; the rest are counted."""


@dataclass(slots=True)
class Observer:
    """Watches one cell's replay; remembers the main line's last request, as a cache would."""

    script: Script
    counter: TokenCounter
    budget: int
    """Tokens."""
    profile: str
    """The validity profile whose faults are put into words."""
    synthetic: Synthetic = field(default_factory=Synthetic)
    _last: View | None = None
    _last_summarised: bool = False

    def observe(
        self, before: View, compaction: Compaction, at: int, question: Question | None, usage: Usage
    ) -> tuple[RequestRecord, View]:
        """The record of a request, and the view that it sent."""
        script = self.script
        sent = script.conversation.adopt(compaction.view)
        tokens = self.counter.request(sent)
        asked = self.counter.message(question.ask) if question and question.ask else 0
        floor = script.system_floor[at] + asked if asked else script.floor[at]
        faults, refused_by = self._faults(sent)
        record = RequestRecord(
            at=at,
            probe=question.probe if question else None,
            tokens=tokens,
            full=script.history_tokens(at) + asked,
            view=self.synthetic.refs(sent),
            action=compaction.action,
            dropped=self._dropped(compaction),
            summary=self._new_summary(before, sent, compaction),
            fallback=compaction.fallback,
            blocks_dropped=compaction.blocks_dropped,
            orphans_dropped=compaction.orphans_dropped,
            faults=faults,
            refused_by=refused_by,
            over_budget=tokens > self.budget >= floor,
            infeasible=floor > self.budget,
            events=tuple(self._events(before, sent, compaction, usage)),
            summary_calls=usage.calls,
            summary_tokens_in=usage.tokens_in,
            summary_tokens_out=usage.tokens_out,
            reused_tokens=self._reused(sent),
        )
        if question is None:
            self._last = sent
            self._last_summarised = compaction.summary is not None
        return record, sent

    def _dropped(self, compaction: Compaction) -> tuple[PartRef, ...]:
        if not compaction.dropped:
            return ()
        return self.synthetic.refs(self.script.conversation.adopt(compaction.dropped))

    def _faults(self, view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Faults under the run's profile in words, and the profiles that refuse the view."""
        texts: list[str] = []
        refused: list[str] = []
        loose = loose_shapes(view)
        for checker in self.script.checkers:
            found = [found for found in checker.check(view, loose) if not found[1].warning]
            if not found:
                continue
            name = checker.profile.name
            refused.append(name)
            if name == self.profile:
                texts = [
                    f"{name}.{fault.rule}: message {place} {fault.text}"
                    for place, fault in found[:FAULTS_KEPT]
                ]
                if len(found) > FAULTS_KEPT:
                    texts.append(f"and {len(found) - FAULTS_KEPT} more")
        return tuple(texts), tuple(refused)

    def _new_summary(self, before: View, sent: View, compaction: Compaction) -> str | None:
        """The id of the message that holds the summary made now: a loose one that is new.

        One that is marked as a summary, if there is one, or else one with its words: a message
        that was cut or repeated is loose and new as well.
        """
        if compaction.summary is None:
            return None
        old = {id(message) for _, message in before.loose()}
        new = [message for _, message in sent.loose() if id(message) not in old]
        marked = [message for message in new if is_summary(message)]
        worded = [message for message in new if content_text(message) == compaction.summary]
        return self.synthetic.ref((marked or worded or new)[0]) if new else None

    def _events(
        self, before: View, sent: View, compaction: Compaction, usage: Usage
    ) -> Iterator[str]:
        if compaction.summary is not None:
            freed = self.counter.messages(before) - self.counter.messages(sent)
            if freed < 0:
                yield "summary-grew"
            if self._last_summarised and freed <= usage.tokens_out:
                yield "thrash"
        if compaction.replayed:
            yield REPLAYED
        if compaction.mutated_input:
            yield "mutated_input"
        if self.script.scenario.poison and self._repeats_poison(sent):
            yield "poisoned"

    def _repeats_poison(self, view: View) -> bool:
        """Whether a message that a strategy made up repeats a claim of an injected instruction."""
        script = self.script
        questions = {id(question.ask) for question in script.questions}
        made = (message for _, message in view.loose() if id(message) not in questions)
        poison, messages = script.scenario.poison, script.conversation.messages
        return repeats_poison(made, poison, messages, self.synthetic.text)

    def _reused(self, sent: View) -> int:
        """Tokens of the longest prefix shared with the main line's last request."""
        total = 0
        for mine, theirs in zip(sent.parts, self._last.parts if self._last else (), strict=False):
            if isinstance(mine, range) and isinstance(theirs, range):
                if mine.start != theirs.start:
                    break
                shared = range(mine.start, min(mine.stop, theirs.stop))
                total += self.script.conversation.tokens(shared)
                if mine.stop != theirs.stop:
                    break
            elif isinstance(mine, range) or isinstance(theirs, range) or mine != theirs:
                break
            else:
                total += self.counter.message(mine)
        return total
