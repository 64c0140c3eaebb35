"""LoCoMo: two people talk over many sessions; questions name the turns that answer them.

The first speaker becomes the user, the second the assistant, each turn opened by its speaker's
name, by which the questions ask.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import listed, said_text
from compaction_eval.scenarios.importers.records import Imported, Question, Tally
from compaction_eval.scenarios.importers.sessions import Sessions
from compaction_eval.scenarios.records import ProbeKind
from compaction_eval.strategies.messages import scalar_text

_SESSION = re.compile(r"session_([0-9]+)")
_TURN_ID = re.compile(r"D:?0*([0-9]+):0*([0-9]+)")
_KINDS: Mapping[str, ProbeKind] = {
    "1": "recall",
    "2": "temporal",
    "3": "recall",
    "4": "recall",
    "5": "abstention",
}
"""Category -> kind: several turns, time, what the world knows besides, one turn, unanswerable."""
_WITH_A_REASON = "3"
"""Category whose answers may go on with a reason, after a semicolon."""
_BETWEEN_PARTS = re.compile(r",\s+(?:and\s+)?|\s+and\s+")


def recognises(document: Document) -> bool:
    """Whether each entry has sessions of turns by speaker."""
    entries = _entries(document)
    return bool(entries) and all(isinstance(e, Mapping) and _has_turns(e) for e in entries)


def convert(document: Document) -> Imported:
    """One conversation for each sample, with its questions."""
    tally, chats = Tally(), list[Chat]()
    for number, entry in enumerate(_entries(document), 1):
        sample = entry if isinstance(entry, Mapping) else {}
        sessions = _read(sample)
        tally.skipped += sessions.skipped
        tally.repaired += sessions.repaired
        questions = []
        for at, row in enumerate(listed(sample.get("qa")), 1):
            question = _question(row, f"q{at}", sessions)
            if isinstance(question, str):
                tally.skipped.append(f"question: {question}")
            else:
                questions.append(question)
        label = scalar_text(sample.get("sample_id") or number)
        chats.append(Chat(sessions.messages, labels=[label], questions=questions, index=number - 1))
    return imported(document, chats, tally)


def _entries(document: Document) -> Sequence[object]:
    values: Sequence[object] = document.values
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _talk(sample: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object that has the sessions: `conversation`, or the sample itself."""
    inner = sample.get("conversation")
    return inner if isinstance(inner, Mapping) else sample


def _sessions(sample: Mapping[str, Any]) -> list[str]:
    """The keys of the sessions, in order of time."""
    talk = _talk(sample)
    found = [(int(m[1]), key) for key in talk if (m := _SESSION.fullmatch(key))]
    return [key for _, key in sorted(found)]


def _has_turns(sample: Mapping[str, Any]) -> bool:
    return any(_is_turn(turn) for key in _sessions(sample) for turn in listed(_talk(sample)[key]))


def _is_turn(value: object) -> bool:
    return isinstance(value, Mapping) and "speaker" in value and "dia_id" in value


def _read(sample: Mapping[str, Any]) -> Sessions:
    talk, sessions = _talk(sample), Sessions()
    keys = _sessions(sample)
    first = talk.get("speaker_a") or next(
        (turn["speaker"] for key in keys for turn in listed(talk[key]) if _is_turn(turn)), None
    )
    for key in keys:
        sessions.open(talk.get(f"{key}_date_time"))
        if not listed(talk[key]):
            sessions.skipped.append("session without turns")
        for turn in listed(talk[key]):
            if not _is_turn(turn):
                sessions.skipped.append("turn without speaker and id")
                continue
            speaker = "user" if turn["speaker"] == first else "assistant"
            caption = said_text(turn.get("blip_caption"))
            shown = f"[shares a picture: {caption}]" if caption else ""
            text = "\n".join(filter(None, (said_text(turn.get("text")), shown)))
            named = text and f"{scalar_text(turn['speaker'])}: {text}"
            sessions.add(speaker, named, *_turn_ids(scalar_text(turn["dia_id"])))
    return sessions


def _question(row: object, id: str, sessions: Sessions) -> Question | str:
    if not isinstance(row, Mapping):
        return "not an object"
    category = row.get("category")
    kind = _KINDS.get(scalar_text(category))
    if kind is None:
        return f"unknown category {scalar_text(category)[:20]!r}"
    ask, answer = said_text(row.get("question")), _answer(row.get("answer"))
    if scalar_text(category) == _WITH_A_REASON:
        answer = answer.partition(";")[0].strip()
    if kind == "abstention":
        wrong = _answer(row.get("adversarial_answer")) or answer
        return Question(id, kind, ask, reject=tuple(filter(None, [wrong])))
    turns = _turn_ids(" ".join(map(scalar_text, listed(row.get("evidence")))))
    evidence = tuple(at for turn in turns for at in sessions.places.get(turn, ()))
    if turns and not evidence:
        return "its evidence isn't in the conversation"
    accept, parts = (answer,) if answer else (), _BETWEEN_PARTS.split(answer)
    whole = any(_says(sessions, at, answer) for at in evidence)
    if len(parts) > 1 and not whole:
        return Question(id, kind, ask, tuple(parts), match="all_of", evidence=evidence)
    return Question(id, kind, ask, accept, evidence=evidence)


def _turn_ids(text: str) -> list[str]:
    """The ids of turns in a text, as one writes them: some have zeros or a colon too many."""
    return [f"D{session}:{turn}" for session, turn in _TURN_ID.findall(text)]


def _says(sessions: Sessions, at: int, answer: str) -> bool:
    return answer.casefold() in str(sessions.messages[at].get("content")).casefold()


def _answer(value: object) -> str:
    return "" if value is None or isinstance(value, Mapping | list) else scalar_text(value).strip()
