"""Messages that aren't the script's (summaries, cut messages, questions): named, kept once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from compaction_eval.eval.records import PartRef
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, reading_text
from compaction_eval.strategies.view import View


@dataclass(slots=True)
class Synthetic:
    """The synthetic messages of one cell, by id (`s0`, `s1`, …); equal messages share an id."""

    messages: dict[str, Message] = field(default_factory=dict)
    _ids: dict[str, str] = field(default_factory=dict)
    _seen: dict[int, tuple[Message, str]] = field(default_factory=dict)
    _texts: dict[int, tuple[Message, str]] = field(default_factory=dict)

    def ref(self, message: Message) -> str:
        """The id of a message, new or known."""
        seen = self._seen.get(id(message))
        if seen is None:
            content = json.dumps(message, ensure_ascii=False, sort_keys=True)
            name = self._ids.setdefault(content, f"s{len(self._ids)}")
            self.messages.setdefault(name, message)
            # The message is kept beside its id, so that the id can't be given to another object.
            seen = self._seen[id(message)] = (message, name)
        return seen[1]

    def refs(self, view: View) -> tuple[PartRef, ...]:
        """A view as references."""
        return tuple(
            (part.start, part.stop) if isinstance(part, range) else self.ref(part)
            for part in view.parts
        )

    def text(self, message: Message) -> str:
        """The normalised reading text of a message."""
        known = self._texts.get(id(message))
        if known is None:
            known = self._texts[id(message)] = (message, normalise(reading_text(message)))
        return known[1]
