"""A file of JSON or JSON Lines, read or refused with the place of each mistake.

JSON Lines are read line by line, so that a gigantic one costs no more than being told of.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.files import refusal
from compaction_eval.scenarios.importers.json_text import decoded, parsed, utf16_fault
from compaction_eval.scenarios.records import Place
from compaction_eval.strategies.errors import ConfigurationError

MOST_FAULTS = 10
"""Faults shown for one file; one that isn't JSON at all would have one on each line."""
LONGEST_LINE = 32_000_000
"""Bytes of a line, or of a file that is one value; reading more would take gigabytes."""
LINES_SUFFIXES = (".jsonl", ".ndjson")


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
    beside: tuple[Path, ...] = ()
    """All files that were given, for formats that spread over several."""

    def place(self, index: int) -> Place:
        """Where a value stands, or an entry of the list that is the only value."""
        return Place(str(self.path), self.numbers[index if len(self.numbers) > 1 else 0])


def read_document(path: Path) -> Document:
    """Read a file.

    Raises FaultsError for what isn't UTF-8 or JSON, unless it is some lines of a JSON Lines file;
    ConfigurationError where the file can't be read.
    """
    named_lines = path.suffix.lower() in LINES_SUFFIXES
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise ConfigurationError(f"{path}: not a regular file")
        with path.open("rb") as file:
            fault = utf16_fault(file.read(2), path)
        if fault is not None:
            raise FaultsError([fault])
        small = path.stat().st_size <= LONGEST_LINE
        if small and not named_lines:
            return _read_whole(path)
        document, faults = _read_lines(path, _rows(path))
    except OSError as error:
        raise ConfigurationError(f"{path}: {refusal(error).lower()}") from None
    if small and faults and (document is None or faults[0].place.line < document.numbers[0]):
        # One value over several lines, whatever the file is called.
        text = decoded(path.read_bytes().removeprefix(codecs.BOM_UTF8), path, 1)
        whole = text if isinstance(text, Fault) else parsed(text, path, 1)
        if not isinstance(whole, Fault):
            return Document(path, (whole,), lines=True)
    if document is None or (faults and not named_lines and faults[0].place.line == 1):
        if not small and not named_lines:
            faults = [_too_large(path)]
        raise FaultsError(shortened(faults) or [Fault(Place(str(path)), "the file is empty")])
    return document


def _read_whole(path: Path) -> Document:
    """A small file that isn't called JSON Lines: one value, or else one a line."""
    text = decoded(path.read_bytes().removeprefix(codecs.BOM_UTF8), path, 1)
    if isinstance(text, Fault):
        raise FaultsError([text])
    if not text.strip():
        raise FaultsError([Fault(Place(str(path)), "the file is empty")])
    whole = parsed(text, path, 1)
    if not isinstance(whole, Fault):
        return Document(path, (whole,), lines=False)
    # Only line feeds end a line: a text may hold the other separators that splitlines() knows.
    rows = ((number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip())
    document, faults = _read_lines(path, rows)
    if document is None or (faults and faults[0].place.line < document.numbers[0]):
        raise FaultsError([whole])
    return document


def _read_lines(
    path: Path, rows: Iterator[tuple[int, str | Fault]]
) -> tuple[Document | None, list[Fault]]:
    """The values of some lines, if any of them has one, and the faults of the others."""
    values: list[object] = []
    numbers: list[int] = []
    faults: list[Fault] = []
    for number, row in rows:
        value = row if isinstance(row, Fault) else parsed(row, path, number)
        if isinstance(value, Fault):
            faults.append(value)
        else:
            values.append(value)
            numbers.append(number)
    if not values:
        return None, faults
    return Document(path, tuple(values), True, tuple(numbers), tuple(faults)), faults


def _rows(path: Path) -> Iterator[tuple[int, str | Fault]]:
    """The lines that aren't blank, with their numbers; for those that aren't text, the reason."""
    with path.open("rb") as file:
        number = 0
        while data := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(data) > LONGEST_LINE:
                while data and not data.endswith(b"\n"):
                    data = file.readline(LONGEST_LINE)
                message = f"longer than {LONGEST_LINE:,} bytes; no message is"
                yield number, Fault(Place(str(path), number), message)
                continue
            if number == 1:
                data = data.removeprefix(codecs.BOM_UTF8)
            if data.strip():
                yield number, decoded(data.rstrip(b"\r\n"), path, number)


def _too_large(path: Path) -> Fault:
    message = (
        f"larger than {LONGEST_LINE:,} bytes and not one value a line; "
        "write its entries as JSON Lines (.jsonl), for instance with `jq -c '.[]'`"
    )
    return Fault(Place(str(path), 1), message)


def shortened(faults: list[Fault]) -> list[Fault]:
    """The first of many faults, with how many more there are."""
    more = len(faults) - MOST_FAULTS
    if more <= 0:
        return faults
    following = faults[MOST_FAULTS]
    message = f"{following.message} (and so on: {more} more lines that can't be read)"
    return [*faults[:MOST_FAULTS], Fault(following.place, message)]
