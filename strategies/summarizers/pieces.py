"""The pieces of a message with all that is known of them before they're compared with others.

Cached by text: a message is summarised in many cells of a run, and taken apart in the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import pow

from compaction_eval.strategies.summarizers.cues import cues, emphasis
from compaction_eval.strategies.summarizers.fragments import Fragment, fragments, thirds
from compaction_eval.strategies.summarizers.terms import IDENTIFIER, NAME, WORD, Term, terms
from compaction_eval.strategies.summary_checks import is_chatter


@dataclass(frozen=True, slots=True)
class Piece:
    """A fragment of a text and what it says."""

    text: str
    thirds: int
    """Length in thirds of a wide character."""
    terms: tuple[Term, ...]
    topic: frozenset[str]
    """The plain words of its whole sentence: what it is about."""
    values: frozenset[str]
    """Its numbers, identifiers and names."""
    subjects: frozenset[str]
    """The last two of these: what its numbers may be the numbers of."""
    emphasis: float
    """What its cues, and to a lesser part its sentence's, multiply it with."""
    changes: bool
    """Whether its sentence says that something is other than it was."""
    template: str
    """Its words in order, or the kinds of its values where it has none: equal for the lines of one
    log, listing or list."""
    continues: bool
    is_question: bool
    is_chatter: bool


@lru_cache(maxsize=4096)
def pieces(text: str, language: str) -> tuple[Piece, ...]:
    """The pieces of a text that say anything, in order."""
    return tuple(piece for sentence in _sentences(text) for piece in _pieces(sentence, language))


def _sentences(text: str) -> Iterator[list[Fragment]]:
    """The fragments of a text, the clauses of one sentence together."""
    held: list[Fragment] = []
    for fragment in fragments(text):
        if held and not (fragment.continues and fragment.clause):
            yield held
            held = []
        held.append(fragment)
    if held:
        yield held


def _pieces(sentence: list[Fragment], language: str) -> Iterator[Piece]:
    """A sentence's fragments with what they say; topic and cues are the whole sentence's."""
    said = [terms(fragment.text, language) for fragment in sentence]
    topic = frozenset(term.key for some in said for term in some if term.kind == WORD)
    own = [cues(fragment.text) for fragment in sentence]
    hints = frozenset().union(*own)
    around = pow(emphasis(hints), 0.3) if len(sentence) > 1 else 1.0
    for fragment, some, marks in zip(sentence, said, own, strict=True):
        if some:
            words = [term.key for term in some if term.kind == WORD]
            yield Piece(
                text=fragment.text,
                thirds=thirds(fragment.text),
                terms=some,
                topic=topic,
                values=frozenset(term.key for term in some if term.kind != WORD),
                subjects=frozenset(term.key for term in some if term.kind in (IDENTIFIER, NAME)),
                emphasis=emphasis(marks) * around,
                changes="change" in hints,
                template=" ".join(words or [f"<{term.kind}>" for term in some]),
                continues=fragment.continues,
                is_question=fragment.text.endswith(("?", "？", "吗", "呢", "か。")),
                is_chatter=is_chatter(fragment.text),
            )
