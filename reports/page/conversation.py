"""A conversation as the page holds it: its messages, what is followed in it, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compaction_eval.reports.page.facts import followed
from compaction_eval.reports.page.searches import Searches
from compaction_eval.reports.page.text import clipped, shown
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import (
    Message,
    call_arguments,
    call_name,
    content_text,
    role,
    tool_calls,
)
from compaction_eval.strategies.tokens import TokenCounter

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A conversation ready for the page, and the searches that its cells share."""

    scenario: Scenario
    searches: Searches
    block: Plain


def conversation(scenario: Scenario, counter: TokenCounter) -> Told:
    """The block of one scenario. Sizes are in tokens."""
    corpus = Corpus(scenario.messages)
    searches = Searches(corpus)
    facts, questions = followed(scenario, corpus, searches)
    messages = [
        plain_message(message) | {"tokens": counter.message(message)}
        for message in scenario.messages
    ]
    block = {
        "messages": messages,
        "facts": facts,
        "questions": questions,
        "searches": searches.found(),
    }
    return Told(scenario, searches, block)


def plain_message(message: Message) -> Plain:
    """A message as shown: role, text, calls, and how many characters were left out of each."""
    text, cut = clipped(content_text(message))
    plain: Plain = {"role": shown(role(message)), "text": text}
    if cut:
        plain["cut"] = cut
    calls = [_call(call_name(call), call_arguments(call)) for call in tool_calls(message)]
    if calls:
        plain["calls"] = calls
    return plain


def _call(name: str, arguments: str) -> Plain:
    text, cut = clipped(arguments)
    plain: Plain = {"name": shown(name), "text": text}
    return plain | {"cut": cut} if cut else plain
