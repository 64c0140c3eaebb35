"""Private values replaced throughout an import, each by the same stand-in wherever it occurs.

First all texts are looked through, then all are rewritten: a key that is told as one in the last
message also goes where it stands alone in the first. Nothing of the originals is kept or written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from compaction_eval.scenarios.importers.credentials import tells_of_key
from compaction_eval.scenarios.importers.literals import any_of
from compaction_eval.scenarios.importers.private_values import (
    KINDS,
    Found,
    Kind,
    private_values,
)
from compaction_eval.scenarios.importers.records import Conversation
from compaction_eval.scenarios.importers.stand_ins import StandIns, lowered

_BEFORE = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})|(?<=[0-9\[]m))"
)
_AFTER = r"(?![A-Za-z0-9])"
_WORDS = """
additionalproperties allof anyof audio cache_control call_id custom default description
developer file_data file_id format function_call image_url input_audio input_schema integer
number oneof parameters refusal schema strict text tool_call tool_call_id tool_calls tool_choice
tool_result tool_use
"""
_STRUCTURE = frozenset(_WORDS.split())
"""Words that messages and tools are made of; replaced, they'd be none any more."""


class Scrubber:
    """Looks through all conversations with `look`, and then rewrites them with `scrubbed`."""

    def __init__(self) -> None:
        self._found: dict[str, Found] = {}
        self._stand_ins: dict[str, tuple[Kind, str]] = {}
        self._pattern: re.Pattern[str] | None = None
        self._places: Counter[Kind] = Counter()
        self._values: dict[Kind, set[str]] = {kind: set() for kind in KINDS}

    def look(self, conversation: Conversation) -> None:
        """Take in the private values of a conversation; all are, before any is scrubbed."""
        for text in _texts(conversation):
            for found in private_values(text):
                value = lowered(found.text)
                if value not in _STRUCTURE:
                    self._found.setdefault(value, found)

    def scrubbed(self, conversation: Conversation) -> Conversation:
        """A conversation with a stand-in at each place of a value that was found anywhere."""
        if not self._found:
            return conversation
        if self._pattern is None:
            self._prepare()
        return replace(
            conversation,
            name=self._text(conversation.name),
            title=self._text(conversation.title),
            messages=tuple(cast(Any, self._value(one)) for one in conversation.messages),
            tools=tuple(self._value(one) for one in conversation.tools),
            compactions=tuple(
                replace(one, summary=self._text(one.summary), trigger=self._text(one.trigger))
                for one in conversation.compactions
            ),
            questions=tuple(
                replace(
                    one,
                    id=self._text(one.id),
                    ask=self._text(one.ask),
                    accept=tuple(map(self._text, one.accept)),
                    reject=tuple(map(self._text, one.reject)),
                )
                for one in conversation.questions
            ),
        )

    def account(self) -> Mapping[Kind, tuple[int, int]]:
        """How many different values of each kind were replaced, and at how many places."""
        return {
            kind: (len(self._values[kind]), self._places[kind])
            for kind in KINDS
            if self._places[kind]
        }

    def _prepare(self) -> None:
        """Choose all stand-ins, for short values first, and make the pattern of all values."""
        made = StandIns(self._found.__contains__)
        for value, found in sorted(self._found.items(), key=lambda item: len(item[0])):
            stand_in = made.for_value(found)
            self._stand_ins[value] = (found.kind, stand_in)
            if found.kind == "e-mail address" and "@" in value:
                quoted = value.replace("@", "%40")
                self._stand_ins.setdefault(quoted, (found.kind, stand_in.replace("@", "%40")))
            if not value.isascii():
                escaped = json.dumps(value)[1:-1]
                self._stand_ins.setdefault(escaped, (found.kind, stand_in))
        # A key is told by itself; everything else may be part of a longer word.
        ways: dict[tuple[str, str], list[str]] = {}
        for value, (kind, _) in self._stand_ins.items():
            before = _BEFORE if value[0].isalnum() and kind != "key" else ""
            ways.setdefault((before, "" if kind == "key" else _AFTER), []).append(value)
        self._pattern = re.compile(
            "|".join(f"{before}(?:{any_of(of)}){after}" for (before, after), of in ways.items()),
            re.IGNORECASE | re.ASCII,
        )

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self._text(key): self._value(inner) for key, inner in value.items()}
        return [*map(self._value, value)] if isinstance(value, list | tuple) else value

    def _text(self, text: str) -> str:
        return self._pattern.sub(self._replaced, text) if self._pattern is not None else text

    def _replaced(self, match: re.Match[str]) -> str:
        """The stand-in, with the capitals of the place where it is spelt sign by sign."""
        value = lowered(match[0])
        kind, stand_in = self._stand_ins[value]
        self._places[kind] += 1
        self._values[kind].add(stand_in)
        if len(stand_in) < len(value):
            return stand_in  # for a value with escapes
        return "".join(
            new.upper() if old.isupper() else new
            for old, new in zip(match[0], stand_in, strict=True)
        )


def _texts(conversation: Conversation) -> Iterator[str]:
    """All texts that are written; of a mapping, a text together with its key too."""
    yield from (conversation.name, conversation.title)
    for value in (*conversation.messages, *conversation.tools):
        yield from _leaves(value)
    for compaction in conversation.compactions:
        yield from (compaction.summary, compaction.trigger)
    for one in conversation.questions:
        yield from (one.id, one.ask, *one.accept, *one.reject)


def _leaves(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if tells_of_key(key):
            yield f"{key}={value}"
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _leaves(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
