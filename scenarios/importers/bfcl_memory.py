"""BFCL's memory questions: prerequisite conversations, questions about them, accepted answers.

The set is spread over files. Whichever is given, the others are looked for among the given ones,
then where they are as the set is published. The conversations have no replies: each turn gets a
short one, so that there is a request after it, as there was when the set was run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.documents import Document, read_document
from compaction_eval.scenarios.importers.json_values import said_text
from compaction_eval.scenarios.importers.records import Imported, Question, Tally
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, content_text, scalar_text

_REPLY: Message = {"role": "assistant", "content": "Noted."}
_PREREQUISITE = "memory_prereq"
_FOLDERS = ("memory_prereq_conversation", "possible_answer")
"""Folders below the questions, as the set is published."""
_NEAR = ("*memory*.json", "possible_answer*.json", *(f"{folder}/*.json" for folder in _FOLDERS))
_QUOTED = re.compile(r"\.\.\.|…")
_LEAST_QUOTED = 12
"""Characters of a quotation by which its message is found."""

Row = Mapping[str, Any]


def recognises(document: Document) -> bool:
    """Whether all lines are of one of the set's three kinds of files."""
    return _part(document) is not None


def convert(document: Document) -> Imported:
    """One conversation for each scenario of the set that the file is about."""
    files = [*map(_part_of, (path for path in document.beside if path != document.path))]
    part = _part(document)
    given = {one[0] for one in files if one is not None}
    if (part == "answers" and given) or (part == "questions" and "conversations" in given):
        return replace(imported(document, [], Tally()), companion=True)
    near = [*files, *map(_part_of, _near(document))]
    parts: dict[str, dict[str, Row]] = {"conversations": {}, "questions": {}, "answers": {}}
    for found in [(part, _rows(document)), *filter(None, near)]:
        for row in found[1]:
            parts[found[0] or ""].setdefault(row["id"], row)
    about = parts["questions"].values() if part != "conversations" else _rows(document)
    scenarios = sorted({row["scenario"] for row in about})
    if part == "conversations":
        own = {row["id"] for row in _rows(document)}
        parts["conversations"] = {
            id: row for id, row in parts["conversations"].items() if id in own
        }
    return _assembled(document, parts, scenarios)


def _assembled(
    document: Document, parts: Mapping[str, Mapping[str, Row]], scenarios: Sequence[str]
) -> Imported:
    tally, chats = Tally(), list[Chat]()
    for scenario in scenarios:
        told = [r for r in parts["conversations"].values() if r["scenario"] == scenario]
        rows = [r for r in parts["questions"].values() if r["scenario"] == scenario]
        if not told:
            tally.skipped += ["question: its conversation isn't beside the file"] * len(rows)
            continue
        if not rows:
            tally.skipped.append("question: none found beside the file")
        messages = list(_messages(told, tally))
        questions = [_question(row, parts["answers"].get(row["id"]), messages) for row in rows]
        label = "" if len(scenarios) == 1 and scenario in document.path.stem else scenario
        chats.append(Chat(messages, labels=[label] if label else [], questions=questions))
    return imported(document, chats, tally)


def _part(document: Document) -> str | None:
    values = document.values
    if not all(isinstance(v, Mapping) and isinstance(v.get("id"), str) for v in values):
        return None
    rows = _rows(document)
    if all("ground_truth" in r and str(r["id"]).startswith("memory") for r in rows):
        return "answers"
    if not all(
        isinstance(r.get("question"), list) and isinstance(r.get("scenario"), str) for r in rows
    ):
        return None
    if all(str(r["id"]).startswith(_PREREQUISITE) for r in rows):
        return "conversations"
    return "questions" if all(str(r["id"]).startswith("memory") for r in rows) else None


def _rows(document: Document) -> list[Row]:
    return [value for value in document.values if isinstance(value, Mapping)]


def _near(document: Document) -> Iterator[Path]:
    """Files that may be of the set: in the folder of the questions, and in the set's below it."""
    own = document.path.resolve()
    for folder in [own.parent, *([own.parent.parent] if own.parent.name in _FOLDERS else [])]:
        for pattern in _NEAR:
            for path in sorted(folder.glob(pattern)):
                if path.is_file() and path != own:
                    yield path


def _part_of(path: Path) -> tuple[str, list[Row]] | None:
    """What another file is to the set; one that can't be read is told when it is itself read."""
    try:
        document = read_document(path)
    except ConfigurationError:
        return None
    part = _part(document)
    return None if part is None else (part, _rows(document))


def _messages(rows: Sequence[Row], tally: Tally) -> Iterator[Message]:
    for row in rows:
        for turn in row["question"]:
            replied = True
            for message in turn if isinstance(turn, list) else [turn]:
                speaker = message.get("role") if isinstance(message, Mapping) else None
                text = said_text(message.get("content")) if isinstance(message, Mapping) else ""
                if speaker not in ("user", "assistant", "system"):
                    tally.skipped.append("no role")
                elif not text:
                    tally.skipped.append("empty")
                else:
                    yield {"role": speaker, "content": text}
                    replied = speaker != "user"
            if not replied:
                tally.repaired.append("reply added to a turn, as the set has none")
                yield _REPLY.copy()


def _question(row: Row, answer: Row | None, messages: Sequence[Message]) -> Question:
    asked = [m for turn in row["question"] if isinstance(turn, list) for m in turn]
    ask = " ".join(said_text(m.get("content")) for m in asked if isinstance(m, Mapping))
    accepted = (answer or {}).get("ground_truth")
    accept = accepted if isinstance(accepted, list) else [accepted] if accepted else []
    evidence = _quoted(said_text((answer or {}).get("source")), messages)
    return Question(row["id"], "recall", ask, tuple(map(scalar_text, accept)), evidence=evidence)


def _quoted(source: str, messages: Sequence[Message]) -> tuple[int, ...]:
    """The messages that an answer's source quotes; none where it can't be told."""
    pieces = [normalise(piece).strip("\"' ") for piece in _QUOTED.split(source)]
    long = [piece for piece in pieces if len(piece) >= _LEAST_QUOTED]
    texts = [normalise(content_text(message)) for message in messages]
    return tuple(at for at, text in enumerate(texts) if any(piece in text for piece in long))
