"""What all importers do with a conversation once it is found: clean, name, judge, count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from compaction_eval.scenarios.importers.asking import askable
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.naming import name_and_title
from compaction_eval.scenarios.importers.offered import offered
from compaction_eval.scenarios.importers.records import (
    Account,
    Conversation,
    Imported,
    Question,
    Tally,
)
from compaction_eval.scenarios.importers.repairs import clean
from compaction_eval.scenarios.importers.thread import kept_only
from compaction_eval.scenarios.importers.usage import Usage
from compaction_eval.scenarios.records import RecordedCompaction


@dataclass(slots=True)
class Chat:
    """A conversation as it was found, in OpenAI's shape as far as it can be one."""

    messages: Sequence[object]
    tools: Sequence[object] = ()
    labels: Sequence[str] = ()
    """What the recording calls it; several without are numbered."""
    compactions: list[RecordedCompaction] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    questions: Sequence[Question] = ()
    """Of a question set; those that can't be asked are left out."""
    only_asked: bool = False
    """Whether it is skipped without a question that can be asked."""
    index: int = 0
    """Of the document's value in which it begins."""


def imported(document: Document, chats: Sequence[Chat], tally: Tally) -> Imported:
    """Conversations that are ready to be written, and the account of everything met."""
    conversations: list[Conversation] = []
    several = sum(not chat.labels for chat in chats) > 1
    for number, chat in enumerate(chats, 1):
        labels = list(chat.labels) or ([str(number)] if several else [])
        conversation = _conversation(document, chat, labels, tally)
        if conversation is not None:
            conversations.append(conversation)
    kept = sum(len(conversation.messages) for conversation in conversations)
    account = Account.of(kept, tally.skipped, tally.repaired)
    return Imported(tuple(conversations), account, tuple(tally.faults))


def _conversation(
    document: Document, chat: Chat, labels: Sequence[str], tally: Tally
) -> Conversation | None:
    """A conversation, if there is something usable in it; adds what was skipped and mended."""
    cleaned = clean(chat.messages)
    tally.skipped += cleaned.skipped
    tally.repaired += cleaned.repaired
    if not cleaned.messages:
        tally.skipped.append("conversation without a usable message")
        return None
    tools = offered(chat.tools, tally)
    moved = {before: now for now, before in enumerate(cleaned.positions)}
    told = [
        replace(one, evidence=tuple(moved[at] for at in one.evidence if at in moved))
        for one in chat.questions
    ]
    asked, reasons = askable(cleaned.messages, tools, told)
    tally.skipped += reasons
    if chat.only_asked and not asked:
        reason = "message of a conversation whose question can't be asked"
        tally.skipped += [reason] * len(cleaned.messages)
        return None
    compactions = kept_only(chat.compactions, cleaned.positions)
    early = sum(each.at == 0 for each in compactions)
    tally.skipped += ["compaction of messages that were all skipped"] * early
    name, title = name_and_title(document.path, labels)
    return Conversation(
        name=name,
        title=title,
        messages=tuple(cleaned.messages),
        tools=tools,
        compactions=compactions[early:],
        usage=chat.usage,
        questions=asked,
        place=document.place(chat.index) if document.lines else document.place(0),
    )
