"""How a message and a fact stand at a request, in the words and signs of the page's explorer.

Each state has a sign and words, so that nothing hangs on the colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rich.text import Text

MessageState = Literal[
    "kept",
    "summary",
    "stand-in",
    "back",
    "new",
    "new-summary",
    "new-stand-in",
    "question",
    "dropped",
    "summarised",
    "reduced",
    "gone",
]
FactState = Literal["in-view", "in-summary", "stale", "lost", "taken-back"]

MESSAGES: Mapping[MessageState, tuple[str, str, str]] = {
    "kept": ("", "kept", ""),
    "summary": ("Σ", "summary", "magenta"),
    "stand-in": ("≈", "stands for a message", "yellow"),
    "back": ("↺", "back again", "green"),
    "new": ("+", "new", "green"),
    "new-summary": ("Σ", "summary, new", "bold magenta"),
    "new-stand-in": ("≈", "stands for a message, new", "bold yellow"),
    "question": ("?", "the question", "bold"),
    "dropped": ("−", "dropped now", "red"),
    "summarised": ("Σ", "summarised now", "magenta"),
    "reduced": ("≈", "cut or masked", "yellow"),
    "gone": ("−", "gone earlier", "dim"),
}
"""Sign, words and style of each state, those that are sent before those that aren't."""

FACTS: Mapping[FactState, tuple[str, str, str]] = {
    "in-view": ("✓", "in view", "green"),
    "in-summary": ("Σ", "in summary", "magenta"),
    "stale": ("«", "stale", "bold black on yellow"),
    "lost": ("✗", "lost", "bold red"),
    "taken-back": ("–", "taken back", "dim"),
}


def message_words(state: MessageState) -> Text:
    """`+ new`."""
    sign, words, style = MESSAGES[state]
    return Text(f"{sign} {words}".strip(), style)


def fact_words(state: FactState) -> Text:
    """`✗ lost`."""
    sign, words, style = FACTS[state]
    return Text(f"{sign} {words}", style)
