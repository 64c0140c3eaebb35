"""A file of JSON or JSON Lines, read whole or refused with the place of each mistake."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.records import Place
from compaction_eval.strategies.errors import ConfigurationError

MOST_FAULTS = 10
"""Faults shown for one file; one that isn't JSON at all would have one on each line."""
_LINES_SUFFIXES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Document:
    """The values of a file: one of a JSON file, one a line of a JSON Lines file."""

    path: Path
    values: tuple[object, ...]
    lines: bool
    beside: tuple[Path, ...] = ()
    """The other files that were given, for formats that spread over several."""


def read_document(path: Path) -> Document:
    """Read a file.

    Raises FaultsError for what isn't UTF-8 or JSON, ConfigurationError where it can't be read.
    """
    text = _read_text(path)
    named_lines = path.suffix.lower() in _LINES_SUFFIXES
    whole = _parse(text, path, 1)
    if not isinstance(whole, Fault):
        return Document(path, (whole,), lines=named_lines)
    # Only line feeds end a line: a text may hold the other separators that splitlines() knows.
    rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
    if not rows:
        raise FaultsError([Fault(Place(str(path)), "the file is empty")])
    parsed = [_parse(row, path, number) for number, row in rows]
    if isinstance(parsed[0], Fault) and not named_lines:
        raise FaultsError([whole])
    faults = [value for value in parsed if isinstance(value, Fault)]
    if faults:
        raise FaultsError(_shortened(faults))
    return Document(path, tuple(parsed), lines=True)


def _read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A byte order mark, if there is one, is not in the object that the error speaks of.
        before = error.object[: error.start]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        byte = error.object[error.start]
        message = f"byte 0x{byte:02x} isn't UTF-8; convert the file to UTF-8"
        raise FaultsError([Fault(Place(str(path), line, column), message)]) from None


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


def _shortened(faults: list[Fault]) -> list[Fault]:
    more = len(faults) - MOST_FAULTS
    if more <= 0:
        return faults
    following = faults[MOST_FAULTS]
    message = f"{following.message} (and so on: {more} more lines that can't be read)"
    return [*faults[:MOST_FAULTS], Fault(following.place, message)]
