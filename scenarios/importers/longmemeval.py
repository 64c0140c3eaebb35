"""LongMemEval: each entry is one question over a haystack of dated sessions with an assistant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import listed, said_text
from compaction_eval.scenarios.importers.records import Imported, Question, Tally
from compaction_eval.scenarios.importers.sessions import Sessions
from compaction_eval.scenarios.records import ProbeKind
from compaction_eval.strategies.messages import scalar_text

_ABSENT = "_abs"
_KINDS: Mapping[str, ProbeKind] = {
    "single-session-user": "recall",
    "single-session-assistant": "recall",
    "single-session-preference": "constraint",
    "multi-session": "recall",
    "temporal-reasoning": "temporal",
    "knowledge-update": "update",
}
_ROLES = ("user", "assistant", "system")
_DATE = re.compile(r"[0-9]{4}/[0-9]{2}/[0-9]{2}\b")
"""Such dates, followed by weekday and time, are in order as texts."""
_NEEDED = frozenset({"question", "question_type", "haystack_sessions"})


def recognises(document: Document) -> bool:
    """Whether each entry is a question with its haystack."""
    entries = _entries(document)
    return bool(entries) and all(isinstance(e, Mapping) and e.keys() >= _NEEDED for e in entries)


def convert(document: Document) -> Imported:
    """One conversation for each entry whose question can be asked."""
    tally, chats = Tally(), list[Chat]()
    for number, entry in enumerate(_entries(document), 1):
        row = entry if isinstance(entry, Mapping) else {}
        sessions = _read(row)
        tally.skipped += sessions.skipped
        tally.repaired += sessions.repaired
        label = scalar_text(row.get("question_id") or number)
        question = _question(row, label, sessions)
        if isinstance(question, str):
            tally.skipped.append(f"question: {question}")
        chats.append(
            Chat(
                sessions.messages,
                labels=[label],
                questions=[] if isinstance(question, str) else [question],
                only_asked=True,
                index=number - 1,
            )
        )
    return imported(document, chats, tally)


def _entries(document: Document) -> Sequence[object]:
    values: Sequence[object] = document.values
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _read(row: Mapping[str, Any]) -> Sessions:
    sessions = Sessions()
    ids, dates = listed(row.get("haystack_session_ids")), listed(row.get("haystack_dates"))
    haystack = listed(row.get("haystack_sessions"))
    told = [*zip_longest(haystack, ids[: len(haystack)], dates[: len(haystack)])]
    if all(isinstance(date, str) and _DATE.match(date) for *_, date in told):
        # The shortest of the set's files has the sessions in no order.
        in_time = sorted(told, key=lambda session: str(session[2]))
        if in_time != told:
            sessions.repaired.append("sessions put in the order of their dates")
        told = in_time
    for turns, id, date in told:
        sessions.open(date)
        if not isinstance(turns, list):
            sessions.skipped.append("session without turns")
            continue
        for turn in turns:
            speaker = turn.get("role") if isinstance(turn, Mapping) else None
            if speaker not in _ROLES:
                sessions.skipped.append("turn without a known role")
                continue
            ids_of = [scalar_text(id)] if id is not None else []
            marked = [*ids_of, "has_answer"] if turn.get("has_answer") is True else ids_of
            sessions.add(str(speaker), said_text(turn.get("content")), *marked)
    return sessions


def _question(row: Mapping[str, Any], id: str, sessions: Sessions) -> Question | str:
    asked_type = scalar_text(row.get("question_type"))
    ask = said_text(row.get("question"))
    answer = row.get("answer")
    if _ABSENT in id or asked_type.endswith(_ABSENT):
        # Such an answer explains that there is none; nothing in it is wrong to say.
        return Question(id, "abstention", ask)
    kind = _KINDS.get(asked_type)
    if kind is None:
        return f"unknown type {asked_type[:30]!r}"
    if kind == "temporal" and said_text(row.get("question_date")):
        ask = f"[{row['question_date'].strip()}] {ask}"
    accept = tuple(scalar_text(one).strip() for one in listed(answer) or [answer] if one)
    answering = [scalar_text(one) for one in listed(row.get("answer_session_ids"))]
    named = {at for one in answering for at in sessions.places.get(one, ())}
    if answering and not named:
        return "its evidence isn't in the conversation"
    marked = set(sessions.places.get("has_answer", ()))
    return Question(id, kind, ask, accept, evidence=tuple(sorted(named & marked or named)))
