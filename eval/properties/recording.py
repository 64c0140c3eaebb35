"""Writes down what happens at each request, and tries each view a second time.

Only scenarios of the edge suite are recorded: it costs a second compaction at every request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from compaction_eval.eval.properties.trial import Ask, Exchange, Standing, Trial
from compaction_eval.eval.records import RequestRecord
from compaction_eval.eval.script import Script
from compaction_eval.strategies.base import (
    Compaction,
    Context,
    Strategy,
    Summarizer,
    SummaryRequest,
)
from compaction_eval.strategies.claims import identity
from compaction_eval.strategies.errors import reason_of
from compaction_eval.strategies.messages import Message, answered_id, call_ids, role
from compaction_eval.strategies.rendering import spoken
from compaction_eval.strategies.returned import copied
from compaction_eval.strategies.summary import is_summary
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import View

ALIKE = 16
"""Characters at its beginning or end that a shortened message has in common with the original."""
_GAP = re.compile(r"\s*[\[(<]*(?:…|\.{3})[\])>]*\s*")
"""What stands for words that were left out."""


@dataclass(slots=True)
class Listener:
    """A summariser that writes down what it is asked and what it answers."""

    inner: Summarizer
    asks: list[Ask]

    @property
    def name(self) -> str:
        """The name of the summariser inside."""
        return self.inner.name

    def summarize(self, request: SummaryRequest) -> str:
        """The inner summariser's answer; raises what it raises."""
        try:
            text = self.inner.summarize(request)
        except Exception as error:
            self.asks.append(Ask(request, error=reason_of(error)))
            raise
        self.asks.append(Ask(request, text))
        return text


def listening(context: Context, asks: list[Ask]) -> Context:
    """The context with its summariser listened to."""
    if context.summarizer is None:
        return context
    return replace(context, summarizer=Listener(context.summarizer, asks))


def once_more(compact: Callable[[], tuple[Strategy, Context]], sent: View) -> str:
    """What compacting a view that was just sent does; empty where it does nothing.

    `compact` gives a forked strategy and its context, so that the trial leaves no trace.
    """
    asks: list[Ask] = []
    try:
        strategy, context = compact()
        again = list(strategy.compact(sent, listening(context, asks)).view)
    except Exception as error:  # noqa: BLE001  # foreign code; what it raises is the finding
        return f"compacting it again {reason_of(error)}"
    before = list(sent)
    if again != before:
        differing = (
            at for at, (one, two) in enumerate(zip(before, again, strict=False)) if one != two
        )
        at = next(differing, min(len(before), len(again)))
        return (
            f"compacting it again makes {len(again)} messages of {len(before)},"
            f" different from message {at} of the view on"
        )
    return "compacting it again asks the summariser" if asks else ""


@dataclass(slots=True)
class Recorder:
    """Collects the exchanges of one cell."""

    script: Script
    counter: TokenCounter
    budget: int
    profile: str
    exchanges: list[Exchange] = field(default_factory=list)
    _known: dict[int, Standing] = field(default_factory=dict)
    """What each message is, by its identity; it is kept here, so that no other can get its id."""
    _copies: dict[int, tuple[Message, Message]] = field(default_factory=dict)
    """Each message that was given to the strategy, beside a copy made before."""
    _equal: dict[object, list[int]] = field(default_factory=dict)
    """What a message says -> positions of the script's messages that say it."""

    def __post_init__(self) -> None:
        for at, message in enumerate(self.script.conversation.messages):
            self._equal.setdefault(identity(message), []).append(at)

    def remember(self, before: View) -> None:
        """Copy what a strategy is about to be given."""
        for message in before:
            if id(message) not in self._copies:
                self._copies[id(message)] = (message, copied(message))

    def note(
        self,
        before: View,
        sent: View,
        compaction: Compaction,
        record: RequestRecord,
        asks: Iterable[Ask],
        again: str,
    ) -> None:
        """Write down one request of the main line."""
        given = tuple(self._standing(before, (), record.at))
        self.exchanges.append(
            Exchange(
                at=record.at,
                before=given,
                sent=tuple(self._standing(sent, given, record.at)),
                tokens_before=self.counter.request(before),
                record=record,
                compaction=compaction,
                asks=tuple(asks),
                mutated=self._mutated(given, compaction),
                again=again,
            )
        )

    def trial(self) -> Trial:
        """The whole conversation."""
        return Trial(self.script, self.counter, self.budget, self.profile, tuple(self.exchanges))

    def _mutated(self, given: Iterable[Standing], compaction: Compaction) -> str:
        for one in given:
            message, copy = self._copies[id(one.message)]
            if message != copy:
                self._copies[id(message)] = (message, copied(message))
                return f"{name_of(one)} was changed in place"
        return "the list that was handed in was changed" if compaction.mutated_input else ""

    def _standing(self, view: View, given: tuple[Standing, ...], at: int) -> list[Standing]:
        """Which message of the script each message of a view is."""
        position = self.script.conversation.position
        kept = {position[id(message)] for message in view if id(message) in position}
        kept |= {self._known[id(m)].position for m in view if id(m) in self._known}
        found: list[Standing] = []
        for message in view:
            known = self._known.get(id(message))
            if known is None:
                own = position.get(id(message))
                if own is None:
                    known = self._identified(message, given, kept, at)
                    kept.add(known.position)
                else:
                    known = Standing(message, "whole", own)
                self._known[id(message)] = known
            found.append(known)
        return found

    def _identified(
        self, message: Message, given: tuple[Standing, ...], kept: set[int], at: int
    ) -> Standing:
        """What a message is that was never seen before."""
        equal = [position for position in self._equal.get(identity(message), ()) if position < at]
        if equal:
            # One too many of them stands there twice, and is told so.
            return Standing(message, "whole", ([p for p in equal if p not in kept] or equal)[-1])
        if not is_summary(message):
            for one in reversed(given):
                free = one.kind != "made" and one.position not in kept
                if free and stands_for(message, self.script.conversation.messages[one.position]):
                    return Standing(message, "altered", one.position)
        return Standing(message, "made")


def stands_for(message: Message, original: Message) -> bool:
    """Whether a message is another one with something left out.

    A tool's answer is one as long as it answers the same call, and calls are as long as they have
    the same ids; of words, the beginning or the end must be the original's, or all that stands
    between marked gaps.
    """
    if role(message) != role(original):
        return False
    if role(message) == "tool":
        return answered_id(message) == answered_id(original) != ""
    if call_ids(message) or call_ids(original):
        return call_ids(message) == call_ids(original)
    words, whole = spoken(message).strip(), spoken(original).strip()
    if not words or len(words) >= len(whole):
        return False
    most = min(ALIKE, len(words))
    return words[:most] == whole[:most] or words[-most:] == whole[-most:] or _in_gaps(words, whole)


def _in_gaps(words: str, whole: str) -> bool:
    """Whether some words are another text with gaps marked as such: all of them, in their order."""
    pieces = [piece for piece in _GAP.split(words) if piece]
    at = 0
    for piece in pieces:
        at = whole.find(piece, at) + len(piece)
        if at < len(piece):
            return False
    return bool(pieces) and _GAP.search(words) is not None


def name_of(one: Standing) -> str:
    """A message as reasons name it."""
    return f"message {one.position}" if one.kind != "made" else "a message that was made up"
