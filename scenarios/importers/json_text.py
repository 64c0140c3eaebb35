"""JSON and its encoding, read strictly: a value, or what is wrong with the text and where."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from pathlib import Path

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Place

_CONVERT = "convert the file to UTF-8"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class _NotJSON(Exception):  # noqa: N818  # never leaves this file
    """What Python's reader would take although JSON has no such thing, or no one meaning for it."""


def parsed(text: str, path: Path, line: int) -> object | Fault:
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


def decoded(data: bytes, path: Path, line: int) -> str | Fault:
    """The text of bytes that begin at a line of the file, or where they aren't UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        place = Place(str(path), line + before.count(b"\n"), column)
        return Fault(place, f"byte 0x{data[error.start]:02x} isn't UTF-8; {_CONVERT}")


def utf16_fault(start: bytes, path: Path) -> Fault | None:
    """Whether a file begins as UTF-16 does: with its mark, or with an ASCII sign of two bytes."""
    if start[:2] in _UTF16_MARKS or (len(start) >= 2 and start[:2].count(0) == 1):
        return Fault(Place(str(path), 1, 1), f"the file is UTF-16, not UTF-8; {_CONVERT}")
    return None


def _no_constant(name: str) -> object:
    raise _NotJSON(f"not JSON: {name} is no number there")


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise _NotJSON(f"the key {twice[:40]!r} is given twice in one object; which one counts?")
    return found
