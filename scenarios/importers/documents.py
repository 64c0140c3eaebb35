"""A file of JSON or JSON Lines, read whole or refused with the place of each mistake."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.records import Place
from compaction_eval.strategies.errors import ConfigurationError

MOST_FAULTS = 10
"""Faults shown for one file; one that isn't JSON at all would have one on each line."""
LONGEST_LINE = 32_000_000
"""Characters of a line among others; a longer one is no message, and reading it takes gigabytes."""
_LINES_SUFFIXES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Document:
    """The values of a file: one of a JSON file, one a line of a JSON Lines file."""

    path: Path
    values: tuple[object, ...]
    lines: bool
    numbers: tuple[int, ...] = (1,)
    """The line on which each value begins."""
    faults: tuple[Fault, ...] = ()
    """Of a JSON Lines file: the lines that can't be read, which have no value."""

    def place(self, index: int) -> Place:
        """Where a value stands."""
        return Place(str(self.path), self.numbers[index])

    beside: tuple[Path, ...] = ()
    """The other files that were given, for formats that spread over several."""


def read_document(path: Path) -> Document:
    """Read a file.

    Raises FaultsError for what isn't UTF-8 or JSON, unless it is some lines of a JSON Lines file;
    ConfigurationError where the file can't be read.
    """
    named_lines = path.suffix.lower() in _LINES_SUFFIXES
    text, faults = _read_text(path, by_line=named_lines)
    whole = _parse(text, path, 1)
    if not isinstance(whole, Fault) and not faults:
        return Document(path, (whole,), lines=named_lines)
    # Only line feeds end a line: a text may hold the other separators that splitlines() knows.
    rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
    if not rows and not faults:
        raise FaultsError([Fault(Place(str(path)), "the file is empty")])
    values: list[object] = []
    numbers: list[int] = []
    for number, row in rows:
        value = _parse(row, path, number) if len(row) <= LONGEST_LINE else _too_long(path, number)
        if not isinstance(value, Fault):
            values.append(value)
            numbers.append(number)
        elif number == rows[0][0] and not named_lines:
            raise FaultsError([whole if isinstance(whole, Fault) else value])
        else:
            faults.append(value)
    faults.sort(key=lambda fault: fault.place.line)
    if not values:
        raise FaultsError(shortened(faults))
    return Document(path, tuple(values), lines=True, numbers=tuple(numbers), faults=tuple(faults))


def _too_long(path: Path, line: int) -> Fault:
    return Fault(Place(str(path), line), f"longer than {LONGEST_LINE:,} characters; no message is")


def _read_text(path: Path, *, by_line: bool) -> tuple[str, list[Fault]]:
    """The text of a file; by line, those that aren't UTF-8 are left empty, each with a fault."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        utf16 = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        if utf16 or not by_line:
            # A byte order mark, if there is one, is not in the object that the error speaks of.
            before = error.object[: error.start]
            line, byte = before.count(b"\n") + 1, error.object[error.start]
            fault = _no_utf8(path, line, len(before) - (before.rfind(b"\n") + 1), byte)
            raise FaultsError([fault]) from None
    faults: list[Fault] = []
    texts: list[str] = []
    for number, row in enumerate(data.removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        try:
            texts.append(row.decode())
        except UnicodeDecodeError as error:
            texts.append("")
            faults.append(_no_utf8(path, number, error.start, row[error.start]))
    return "\n".join(texts), faults


def _no_utf8(path: Path, line: int, before: int, byte: int) -> Fault:
    message = f"byte 0x{byte:02x} isn't UTF-8; convert the file to UTF-8"
    return Fault(Place(str(path), line, before + 1), message)


class _NotJSON(Exception):  # noqa: N818  # never leaves this file
    """What Python's reader would take although JSON has no such thing, or no one meaning for it."""


def _no_constant(name: str) -> object:
    raise _NotJSON(f"not JSON: {name} is no number there")


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _NotJSON(f"the key {twice[:40]!r} is given twice in one object; which one counts?")
    return found


def _parse(text: str, path: Path, line: int) -> object | Fault:
    """The JSON value of a text that begins at a line of the file, or what is wrong with it."""
    try:
        value: object = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
    except _NotJSON as error:
        return Fault(Place(str(path), line), str(error))
    except json.JSONDecodeError as error:
        place = Place(str(path), line + error.lineno - 1, error.colno)
        return Fault(place, f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}")
    except RecursionError:
        return Fault(Place(str(path), line), "nested too deeply to be read")
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        return Fault(Place(str(path), line), "a number has too many digits to be read")
    return value


def shortened(faults: list[Fault]) -> list[Fault]:
    """The first of many faults, with how many more there are."""
    more = len(faults) - MOST_FAULTS
    if more <= 0:
        return faults
    following = faults[MOST_FAULTS]
    message = f"{following.message} (and so on: {more} more lines that can't be read)"
    return [*faults[:MOST_FAULTS], Fault(following.place, message)]
