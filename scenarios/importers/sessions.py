"""Conversations that a question set tells as dated sessions, joined into one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from compaction_eval.strategies.messages import Message

_DATED = "date of a session put before its first message"
EMPTY = "empty"


@dataclass(slots=True)
class Sessions:
    """The messages so far, and where each of them came from."""

    messages: list[Message] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)
    """The set's own id of a message or session -> positions."""
    _date: str = ""

    def open(self, date: object) -> None:
        """Begin a session; its date, if it has one, is told by the next message."""
        self._date = date.strip() if isinstance(date, str) else ""

    def add(self, speaker: str, text: str, *ids: str) -> None:
        """Add a message, which is known by some ids."""
        if not text.strip():
            self.skipped.append(EMPTY)
            return
        if self._date:
            text = f"[{self._date}]\n{text}"
            self.repaired.append(_DATED)
            self._date = ""
        for one in ids:
            self.places.setdefault(one, []).append(len(self.messages))
        self.messages.append(cast("Message", {"role": speaker, "content": text}))
