"""Where each value stands: in a conversation, searched once as the scorer does, and in summaries.

A search is what one probe, or one version of a fact, looks for. What a message says of it is a
number, so that the browser adds messages up as the scorer does:

1       it says the value that holds
2       it says an old one
4       its last mention is of the value that holds
8, 16 … it says the first, the second … part of an answer of several parts
"""

from __future__ import annotations

from compaction_eval.eval.finding import Marks, Sought, marks_in
from compaction_eval.eval.questions import search
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, reading_text

CURRENT, STALE, LAST, FIRST_PART = 1, 2, 4, 8
MOST_PARTS = 28
"""Parts of an answer that a browser's whole numbers have room for; more aren't told apart."""
Saying = tuple[int, int]
"""The position of a message (or the number of a search), and what is said there."""


def code(marks: Marks) -> int:
    """What a text says, as a number."""
    number = CURRENT * marks.current + STALE * marks.stale + LAST * marks.last_current
    return number + sum(FIRST_PART << part for part in marks.parts if part < MOST_PARTS)


class Searches:
    """The searches over one conversation, each made once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._numbers: dict[Sought, int] = {}
        self._known: dict[str, list[Saying]] = {}

    def number(self, sought: Sought) -> int:
        """The number of a search, new or known."""
        return self._numbers.setdefault(sought, len(self._numbers))

    def found(self) -> list[list[Saying]]:
        """Of each search, by number, the positions of the messages that say something of it."""
        return [self._positions(sought) for sought in self._numbers]

    def said_by(self, message: Message) -> list[Saying]:
        """What a message that isn't the conversation's says: the searches that find something."""
        written = reading_text(message)
        known = self._known.get(written)
        if known is None:
            text = normalise(written)
            marks = (
                (number, marks_in(text, sought))
                for sought, number in self._numbers.items()
                if _may_say(text, sought)
            )
            known = self._known[written] = [(number, code(one)) for number, one in marks if one]
        return known

    def _positions(self, sought: Sought) -> list[Saying]:
        positions, marks = search(self._corpus, sought, len(self._corpus))
        return [(at, code(one)) for at, one in zip(positions, marks, strict=True)]


def _may_say(text: str, sought: Sought) -> bool:
    """Whether a look at the text is worth it: most say nothing of most values."""
    return any(
        form.kind != "text" or form.text in text
        for form in (*sought.current, *sought.stale, *sought.parts)
    )
