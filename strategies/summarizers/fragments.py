"""Texts in pieces small enough to be kept or left one by one: sentences, clauses, pairs, lines.

JSON and tables come apart into `key=value` pairs, so that one value of a long line can be kept
without the rest. No piece is much longer than `LONGEST`, whatever the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from compaction_eval.strategies.messages import scalar_text
from compaction_eval.strategies.sentences import sentences
from compaction_eval.strategies.summary import wide_characters

LONG = 28
"""From this length on (wide characters) a sentence is taken apart at its commas."""
LONGEST = 60
"""A piece that has no bounds of its own is cut at spaces to about this length."""
_SHORTEST = 5


class Fragment(NamedTuple):
    """A piece of a text."""

    text: str
    continues: bool = False
    """Whether it goes on with the piece before it, in the same sentence, record or line."""
    clause: bool = False
    """Whether it is part of a sentence, and means little without the rest of it."""


_MARKUP = re.compile(r"^(?:[-*+•>|]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+|\*\*|`{3}\w*| ?\| ?$")
_CLAUSE = re.compile(
    r"(?<=[，：])|(?<=[,:])\s+|\s+(?=[-–—(]\s?)|\s+(?=(?:because|but|so that|although|which|while"
    r"|weil|aber|sondern|damit|obwohl)\s)|(?<=[、])(?=.{12})|(?<=、)(?=[^、]{6})"
)
_COLUMNS = re.compile(r" ?\| ?")


def fragments(text: str) -> Iterator[Fragment]:
    """The pieces of a text in order; pieces without a letter or digit are left out."""
    stripped = text.strip()
    if stripped[:1] in ("{", "["):
        try:
            value = json.loads(stripped)
        except (ValueError, RecursionError):
            pass
        else:
            if isinstance(value, dict | list):
                yield from _record(value, "")
                return
    head: list[str] = []
    for raw in stripped.splitlines():
        line = " ".join(raw.split())
        cells = _cells(line)
        if len(cells) > 1:
            if len(cells) == len(head):
                yield from _joined(list(_row(head, cells)))
                continue
            if _is_rule(line):
                continue
            head = cells if _is_heading(cells) else []
            if head:
                continue
        elif not _is_rule(line):
            head = []
        yield from _line(line)


def _record(value: object, path: str, *, row: bool = False) -> Iterator[Fragment]:
    """The pairs of a JSON value. Those of an object in a list stay together: they're one row."""
    if isinstance(value, dict):
        pairs: list[Fragment] = []
        for key, inner in value.items():
            name = key
            if thirds(key) > 3 * LONG:
                # A text and no name: it's told once, and not again with each of its values.
                pairs.extend(_text(key))
                name = ""
            if isinstance(inner, dict | list):
                yield from _joined(pairs) if row else pairs
                pairs = []
                yield from _record(inner, name)
            elif inner not in (None, "", False):
                pairs.extend(_pair(name, scalar_text(inner), continues=bool(pairs)))
        yield from _joined(pairs) if row else pairs
    elif isinstance(value, list):
        if value and not any(isinstance(inner, dict | list) for inner in value):
            yield from _pair(path, ", ".join(map(scalar_text, value)), continues=False)
            return
        for inner in value:
            if isinstance(inner, dict | list):
                yield from _record(inner, path, row=True)
            elif inner is not None:
                yield from _pair(path, scalar_text(inner), continues=False)


def _joined(pairs: list[Fragment]) -> Iterator[Fragment]:
    """Pairs as one piece, or several of at most about LONG."""
    held = ""
    continues = False
    for pair in pairs:
        if held and thirds(held) + thirds(pair.text) > 3 * LONG:
            yield Fragment(held, continues)
            held, continues = "", True
        held = f"{held}, {pair.text}" if held else pair.text
    if held:
        yield Fragment(held, continues)


def _pair(key: str, value: str, *, continues: bool) -> Iterator[Fragment]:
    """One piece where key and value are short; the value's own pieces where it is a text."""
    if not any(map(str.isalnum, value)):
        return
    if thirds(value) <= 3 * LONG:
        yield Fragment(f"{key}={value}" if key else value, continues)
        return
    for number, piece in enumerate(_text(value)):
        yield Fragment(f"{key}={piece.text}") if number == 0 and key else piece


def _text(text: str) -> Iterator[Fragment]:
    """The pieces of a text without records and tables."""
    for line in text.splitlines():
        yield from _line(" ".join(line.split()))


def _cells(line: str) -> list[str]:
    return _COLUMNS.split(line.strip("| ")) if "|" in line else [line]


def _is_heading(cells: list[str]) -> bool:
    """Whether the cells name what stands below them: short, and without a digit."""
    return all(
        cell and thirds(cell) <= 3 * LONG and not any(map(str.isdigit, cell)) for cell in cells
    )


def _is_rule(line: str) -> bool:
    """Whether a line only draws: the rule below a table's heading, a separator."""
    return not any(map(str.isalnum, line))


def _row(head: list[str], cells: list[str]) -> Iterator[Fragment]:
    """A table's row: its first cell by itself, each other one under its heading."""
    for number, (name, cell) in enumerate(zip(head, cells, strict=True)):
        if not any(map(str.isalnum, cell)):
            continue
        for piece in _chopped(f"{name}={cell}" if number else cell):
            if any(map(str.isalnum, piece)):
                yield Fragment(piece, continues=number > 0)


def _line(line: str) -> Iterator[Fragment]:
    """The sentences of a line, long ones as clauses."""
    for sentence in sentences(_MARKUP.sub("", line)):
        clauses = [sentence]
        if thirds(sentence) > 3 * LONG:
            clauses = list(_grouped(_CLAUSE.split(sentence)))
        continues = False
        for clause in clauses:
            for piece in _chopped(clause):
                if any(map(str.isalnum, piece)):
                    yield Fragment(piece, continues, len(clauses) > 1)
                    continues = True


def _grouped(clauses: list[str]) -> Iterator[str]:
    """Clauses joined until each says something."""
    held = ""
    for clause in clauses:
        gap = " " if held and not held[-1:] > "\u2fff" else ""
        held = f"{held}{gap}{clause.strip()}" if held else clause.strip()
        if thirds(held) > 3 * _SHORTEST:
            yield held
            held = ""
    if held:
        yield held


def _chopped(text: str) -> Iterator[str]:
    """The text in lengths of at most about LONGEST, cut at spaces where it has any."""
    if thirds(text) <= 3 * LONGEST:
        yield text
        return
    held: list[str] = []
    size = 0
    for word in re.findall(r"\S{1,120}\s*", text):
        width = thirds(word)
        if held and size + width > 3 * LONGEST:
            yield "".join(held).strip()
            held, size = [], 0
        held.append(word)
        size += width
    if held:
        yield "".join(held).strip()


def thirds(text: str) -> int:
    """The length of a text as `summary_length` measures it, unrounded, in thirds."""
    return len(text) + 2 * wide_characters(text)
