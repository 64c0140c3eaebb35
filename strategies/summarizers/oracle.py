"""The perfect summariser: copies every planted fact that it is shown, and nothing else.

What is missing after it was lost by the strategy's own choice of what to summarise. It reads the
answer key, which every report says, and it ignores the wanted length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import PlantedFact, SummaryRequest
from compaction_eval.strategies.mentions import Mention, find_mentions, normalise, outside
from compaction_eval.strategies.messages import content_text
from compaction_eval.strategies.rendering import render

NOTHING = "Nothing that is asked for was said."
HEADING = "Known so far:"
"""Stands above the facts, so that even a single short value makes a summary."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """One line for each planted fact shown: its newest shown value, or that it was retracted."""

    @property
    def sees_answer_key(self) -> bool:
        """True: it can't work without."""
        return True

    @property
    def name(self) -> str:
        """The registered name."""
        return "oracle"

    def summarize(self, request: SummaryRequest) -> str:
        """The facts in the order of their first statement. LookupError without an answer key."""
        if request.answer_key is None:
            raise LookupError("the summarizer 'oracle' was given no answer key")
        contents = [content_text(message) for message in request.messages]
        before = map(_value, (request.previous or "").splitlines())
        shown = normalise("\n".join([*before, *contents]))
        statements: dict[str, list[PlantedFact]] = {}
        for fact in request.answer_key.facts:
            statements.setdefault(fact.id, []).append(fact)
        lines = []
        for identity, said in statements.items():
            newest = _newest(said, shown, contents)
            if newest is not None and newest.forms:
                lines.append(f"- {identity}: {newest.forms[0]}")
        return "\n".join([HEADING, *lines]) if lines else NOTHING


def _value(line: str) -> str:
    """A line of an earlier summary without the fact's id, which may look like a value itself."""
    return line.partition(": ")[2] if line.startswith("- ") else line


def _newest(said: Sequence[PlantedFact], shown: str, contents: Sequence[str]) -> PlantedFact | None:
    """The newest of one fact's statements that the material shows."""
    spans = [_spans(fact.forms, shown) for fact in said]
    for number in range(len(said) - 1, -1, -1):
        others = [span for other, some in enumerate(spans) if other != number for span in some]
        if outside(spans[number], others):
            return said[number]
        # A retraction need have no words of its own: then its message must be there whole.
        if not said[number].forms and any(
            content_text(message) in contents for message in render([said[number].message])
        ):
            return said[number]
    return None


def _spans(forms: Iterable[str], text: str) -> list[Mention]:
    return [span for form in forms for span in find_mentions(text, normalise(form))]
