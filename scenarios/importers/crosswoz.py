"""CrossWOZ: Chinese dialogues about places in a city, whose slots tell the gold answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.crosswoz_questions import questions
from compaction_eval.scenarios.importers.crosswoz_slots import Act, Row, Turn
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import said_text
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.strategies.messages import Message, scalar_text

_ROLES = {"usr": "user", "sys": "assistant"}


def recognises(document: Document) -> bool:
    """Whether each value maps ids to dialogues of annotated messages."""
    return all(
        isinstance(value, Mapping) and bool(value) and all(map(_is_dialogue, value.values()))
        for value in document.values
    )


def convert(document: Document) -> Imported:
    """One conversation for each dialogue, with questions about what was said in it."""
    tally, chats = Tally(), list[Chat]()
    for value in document.values:
        for id, dialogue in value.items() if isinstance(value, Mapping) else ():
            turns = list(_turns(dialogue, tally))
            asked, reasons = questions(turns, _goals(dialogue))
            tally.skipped += [f"question: {reason}" for reason in reasons]
            messages = [cast("Message", {"role": t.role, "content": t.text}) for t in turns]
            chats.append(Chat(messages, labels=[f"dialogue {id}"], questions=asked))
    return imported(document, chats, tally)


def _is_dialogue(value: object) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("messages"), list):
        return False
    messages = value["messages"]
    return any(isinstance(m, Mapping) and _speaker(m) and "dialog_act" in m for m in messages)


def _speaker(message: Mapping[str, Any]) -> str:
    """The role that a message has here; empty where it has none of the set's."""
    return _ROLES.get(scalar_text(message.get("role")), "")


def _turns(dialogue: Mapping[str, Any], tally: Tally) -> Iterator[Turn]:
    for message in dialogue["messages"]:
        speaker = _speaker(message) if isinstance(message, Mapping) else ""
        if not speaker:
            tally.skipped.append("no known role")
        elif not said_text(message.get("content")):
            tally.skipped.append("empty")
        else:
            acts = message.get("dialog_act")
            yield Turn(
                speaker,
                message["content"],
                tuple(_acts(acts if isinstance(acts, list) else ())),
                tuple(_rows(message.get("user_state"))),
            )


def _acts(raw: Sequence[object]) -> Iterator[Act]:
    for act in raw:
        if isinstance(act, list) and len(act) == 4:
            yield Act(*map(scalar_text, act))


def _goals(dialogue: Mapping[str, Any]) -> list[Row]:
    return list(_rows(dialogue.get("final_goal")))


def _rows(raw: object) -> Iterator[Row]:
    """Slots of a goal or state: its part's number, domain, slot and values."""
    for row in raw if isinstance(raw, list) else ():
        if isinstance(row, list) and len(row) >= 4:
            given = row[3] if isinstance(row[3], list) else [row[3]]
            values = tuple(text for one in given if (text := scalar_text(one).strip()))
            yield scalar_text(row[0]), scalar_text(row[1]), scalar_text(row[2]), values
