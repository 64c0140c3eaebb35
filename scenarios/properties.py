"""What compaction code should get right: the properties that an edge scenario can be about.

Only their names and sentences stand here; `eval/properties/` judges them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Family = Literal[
    "validity",
    "order",
    "idempotence",
    "trigger",
    "budget",
    "summary",
    "content",
    "cost",
    "portable",
]


@dataclass(frozen=True, slots=True)
class Property:
    """One thing that should hold of every request of a conversation."""

    family: Family
    about: str
    """One sentence, true where the property holds."""


PROPERTIES: Mapping[str, Property] = {
    "valid": Property("validity", "Every view obeys the API's rules."),
    "whole-blocks": Property(
        "validity", "An assistant message with calls and all their results stay or go together."
    ),
    "pending-calls": Property("validity", "A call that has no result yet is never taken away."),
    "never-empty": Property("validity", "The newest block is in the view, whatever the budget."),
    "system-first": Property(
        "order", "System messages stay as they were, in front; none appears anywhere else."
    ),
    "in-order": Property(
        "order", "Messages that stay keep their order, and none stands there twice."
    ),
    "request-last": Property(
        "order",
        "A summary stands before the newest user message, unless it tells of work done since.",
    ),
    "idempotent": Property(
        "idempotence", "Compacting what was just sent changes nothing and asks no summariser."
    ),
    "unmutated": Property("idempotence", "The messages that were handed in stay as they were."),
    "untouched": Property("trigger", "A view that fits the budget is sent as it is."),
    "fires": Property("trigger", "A view over the budget is made smaller."),
    "outcome-told": Property(
        "trigger", "What was done is said: `none` exactly where nothing changed, else what."
    ),
    "dropped-told": Property("trigger", "The messages said to be dropped are those that are gone."),
    "counted": Property(
        "trigger", "Sizes are those of the tokenizer, for any script, code, image or encoding."
    ),
    "fits": Property("budget", "Every view fits, the new summary included, where one could."),
    "shrinks": Property("budget", "No compaction makes a view larger."),
    "oversized-reduced": Property(
        "budget", "A newest message that is too large alone is shortened, head and tail kept."
    ),
    "fallback-told": Property(
        "summary", "When the summariser fails, the reason is told and the run goes on."
    ),
    "no-junk": Property(
        "summary", "No error text, refusal, empty or inflated summary replaces messages."
    ),
    "summary-marked": Property(
        "summary", "A summary is a message of plain text, known by its mark, not by its words."
    ),
    "summary-in-view": Property("summary", "A summary that was made is in the view that is sent."),
    "summary-survives": Property(
        "summary", "An earlier summary is still there, or was given whole to the summariser."
    ),
    "all-shown": Property(
        "summary", "Whatever a summary replaces was shown to the summariser, its middle too."
    ),
    "only-new-shown": Property(
        "summary", "The summariser is given the earlier summary and what is new, nothing twice."
    ),
    "one-call": Property("summary", "No request asks the summariser more than once."),
    "request-kept": Property("content", "The newest user message is in the view, word for word."),
    "first-request-kept": Property(
        "content", "The first user message is in the view, word for word."
    ),
    "keeps": Property(
        "content", "The texts that the scenario names under `keeps` are in the view."
    ),
    "not-poisoned": Property(
        "content", "No summary repeats what only an injected instruction claims."
    ),
    "no-thrash": Property("cost", "Summaries on consecutive requests gain something each time."),
    "in-batches": Property("cost", "At most every other request changes what was sent before."),
    "same-bytes": Property(
        "cost", "An old message that is shortened reads the same at every later request."
    ),
    "opens-with-user": Property(
        "portable", "The first message that is no system message is a user message or a summary."
    ),
    "alternates": Property(
        "portable", "A summary makes no two user messages in a row where there were none."
    ),
}
