"""What importers found, named and accounted for: from raw messages to an `Imported`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.importers.asking import askable
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.naming import name_and_title
from compaction_eval.scenarios.importers.records import Account, Conversation, Imported, Question
from compaction_eval.scenarios.importers.repairs import clean
from compaction_eval.strategies.messages import Message


@dataclass(slots=True)
class Assembly:
    """The conversations of a document so far, and a reason for each thing skipped or mended."""

    document: Document
    conversations: list[Conversation] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)

    def add_raw(
        self, raw: Sequence[object], label: str = "", tools: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Add a conversation whose messages may need mending, if any of them is usable."""
        cleaned = clean(raw)
        self.skipped += cleaned.skipped
        self.repaired += cleaned.repaired
        self.add(cleaned.messages, label, tools=tools)

    def add(
        self,
        messages: Sequence[Message],
        label: str = "",
        *,
        questions: Sequence[Question] = (),
        tools: Sequence[Mapping[str, Any]] = (),
        only_asked: bool = False,
    ) -> None:
        """Add a conversation of sound messages, with those of its questions that can be asked.

        `only_asked`: without such a question its messages are skipped.
        """
        if not messages:
            self.skipped.append("conversation without a usable message")
            return
        asked, reasons = askable(messages, tools, questions)
        self.skipped += reasons
        if only_asked and not asked:
            reason = "message of a conversation whose question can't be asked"
            self.skipped += [reason] * len(messages)
            return
        name, title = name_and_title(self.document.path, [label] if label else [])
        self.conversations.append(
            Conversation(
                name=name,
                title=title,
                messages=tuple(messages),
                tools=tuple(tools),
                questions=asked,
            )
        )

    def imported(self) -> Imported:
        """All of it."""
        kept = sum(len(conversation.messages) for conversation in self.conversations)
        account = Account.of(kept, self.skipped, self.repaired)
        return Imported(tuple(self.conversations), account)


def said_text(value: object) -> str:
    """A text with something in it; empty for everything else."""
    return value if isinstance(value, str) and value.strip() else ""
