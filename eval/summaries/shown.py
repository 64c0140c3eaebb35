"""Which of the facts that left the view a summariser was shown, and which its summary kept.

What it never saw was lost by the strategy's own selection, whoever summarises; what it saw and left
out is the summariser's loss. The summariser itself is told nothing of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from compaction_eval.eval.properties.trial import Ask
from compaction_eval.eval.summaries.planted import Planted
from compaction_eval.strategies.base import Compaction
from compaction_eval.strategies.mentions import mentions_any, normalise
from compaction_eval.strategies.messages import content_text, reading_text
from compaction_eval.strategies.summary import is_summary
from compaction_eval.strategies.view import View

if TYPE_CHECKING:
    from compaction_eval.eval.replay import Request


@dataclass(frozen=True, slots=True)
class Facts:
    """Of the facts whose message left the main line's view: numbers of statements."""

    dropped: int
    """Those that still held when their message left."""
    shown: int
    """Of those, the ones that stood in messages that the summariser was given."""
    kept: int
    """Of those, the ones in the summary that came of it."""
    left: tuple[tuple[int, str, bool], ...]
    """Each of the dropped: position of the message that says it, its fact, whether it was shown."""


@dataclass(frozen=True, slots=True)
class _Call:
    at: int
    shown: tuple[str, ...]
    summary: str


@dataclass(slots=True)
class Showing:
    """Notes the calls of one cell's main line."""

    planted: Sequence[Planted]
    _calls: list[_Call] = field(default_factory=list)

    def note(self, at: int, asks: Iterable[Ask], compaction: Compaction) -> None:
        """What the summariser was given at a place, and the summary that was made of it.

        A strategy that doesn't tell its summary has used what it was given, unless it fell back.
        """
        for ask in asks:
            summary = compaction.summary
            if summary is None and compaction.fallback is None and isinstance(ask.answer, str):
                summary = ask.answer
            shown = tuple(content_text(message) for message in ask.request.messages)
            self._calls.append(_Call(at, shown, summary or ""))

    def facts(self, requests: Sequence[Request]) -> Facts | None:
        """The numbers, once all is sent; None where no summary was asked for."""
        if not self._calls:
            return None
        dropped = self._dropped(requests)
        shown: set[int] = set()
        left = set(range(len(dropped)))
        """Places in `dropped` of those that no summary has kept yet."""
        for call in self._calls:
            wanted = [number for number in left if dropped[number].position < call.at]
            if not wanted:
                continue
            text = "\n".join(map(_normalised, call.shown))
            seen = [number for number in wanted if mentions_any(text, dropped[number].forms)]
            if seen:
                shown.update(seen)
                summary = normalise(call.summary)
                left -= {n for n in seen if mentions_any(summary, dropped[n].forms)}
        each = tuple(
            (one.position, one.fact, number in shown) for number, one in enumerate(dropped)
        )
        return Facts(len(dropped), len(shown), len(dropped) - len(left), each)

    def _dropped(self, requests: Sequence[Request]) -> list[Planted]:
        """Those whose message left the view while they held."""
        found: list[Planted] = []
        pending = list(self.planted)
        notes = [call.summary for call in self._calls if call.summary]
        for request in requests:
            at = request.record.at
            if request.question is not None or request.record.action == "none":
                continue
            staying: list[Planted] = []
            for fact in pending:
                if fact.position >= at or _holds(request.view, fact, notes):
                    staying.append(fact)
                elif fact.superseded >= at:
                    found.append(fact)
            pending = staying
        return found


@lru_cache(maxsize=4096)
def _normalised(text: str) -> str:
    """A shown text, which many cells of one conversation have in common."""
    return normalise(text)


def _holds(view: View, fact: Planted, notes: Sequence[str]) -> bool:
    """Whether a view has the message, or what is left of one that was cut inside.

    What isn't the conversation's own may also be a summary, one of `notes` where it isn't marked.
    """
    position = fact.position
    if any(isinstance(part, range) and position in part for part in view.parts):
        return True
    loose = (message for _, message in view.loose() if not is_summary(message))
    texts = [text for text in map(reading_text, loose) if not any(note in text for note in notes)]
    return any(mentions_any(normalise(text), fact.forms) for text in texts)
