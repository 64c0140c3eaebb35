"""The one message that a strategy may invent: a summary, marked so that it is found again.

A summary is known by its `name` field, not by its words: a user who quotes the marker isn't taken
for a summary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import Literal, cast

from compaction_eval.strategies.messages import Message, content_text
from compaction_eval.strategies.view import View

SUMMARY_NAME = "compaction_summary"
DEFAULT_LIMIT = 300
"""Longest summary, in wide characters (see `summary_length`), where none is asked for."""

SummaryRole = Literal["user", "assistant", "system"]
SummaryPlace = Literal["front", "end"]

_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff"
    "\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)
_MARKERS = {
    "zh": "【此前对话的摘要】",
    "ja": "【これまでの会話の要約】",
    "de": "[Zusammenfassung des bisherigen Gesprächs]",
}
_MARKER = "[Summary of the conversation so far]"
_ALL_MARKERS = frozenset({_MARKER, *_MARKERS.values()})


def marker(language: str) -> str:
    """The words that open a summary in the conversation's language."""
    return _MARKERS.get(language.split("-")[0].lower(), _MARKER)


def summary_message(text: str, *, role: SummaryRole = "user", language: str = "en") -> Message:
    """A marked message that holds a summary."""
    content = f"{marker(language)}\n{text}"
    return cast("Message", {"role": role, "name": SUMMARY_NAME, "content": content})


def is_summary(message: Message) -> bool:
    """Whether a strategy made this message."""
    return message.get("name") == SUMMARY_NAME


def summary_text(message: Message) -> str:
    """The words of a summary message, without its marker; one from outside may have none."""
    text = content_text(message)
    opening, _, words = text.partition("\n")
    return words if opening in _ALL_MARKERS else text


def previous_summary(messages: Sequence[Message]) -> tuple[int, str] | None:
    """Place and words of the newest summary in a view; nothing where there is none.

    In a measured view only the loose messages are looked at: what a strategy made is never part
    of the conversation itself.
    """
    candidates = messages.loose() if isinstance(messages, View) else enumerate(messages)
    found = [(position, message) for position, message in candidates if is_summary(message)]
    return (found[-1][0], summary_text(found[-1][1])) if found else None


def summary_length(text: str) -> int:
    """Length in wide characters: a CJK character counts one, any other a third.

    One measure for all languages: 300 is about 300 Chinese characters or 900 letters, and near
    200 tokens in both.
    """
    if text.isascii():
        return ceil(len(text) / 3)
    wide = wide_characters(text)
    return wide + ceil((len(text) - wide) / 3)


def wide_characters(text: str) -> int:
    """How many characters of a text are as wide as a Chinese one."""
    return 0 if text.isascii() else len(_WIDE.findall(text))
