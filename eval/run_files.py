"""The two files of a run folder as they lie there: a manifest, and a line a finished cell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from compaction_eval.eval.encoding import decode_cell
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

MANIFEST = "manifest.json"
CELLS = "cells.jsonl"


def read_manifest(file: Path) -> dict[str, Any]:
    """What a manifest says. Raises ConfigurationError where it is none."""
    try:
        manifest = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path_text(file)}: can't be read: {error}") from error
    if not isinstance(manifest, dict):
        raise ConfigurationError(f"{path_text(file)}: is no manifest")
    return manifest


def read_cells(file: Path) -> tuple[list[CellRecord], int]:
    """The cells of a file, and how many whole lines are none; of two for one cell the later."""
    cells: dict[CellKey, CellRecord] = {}
    damaged = 0
    try:
        *lines, rest = file.read_text("utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return [], 0
    for line in (*lines, rest):
        try:
            cell = decode_cell(line)
        except ValueError:
            damaged += bool(line.strip()) and line is not rest
            continue
        cells[cell.key] = cell
    return list(cells.values()), damaged


@contextmanager
def refusals_as(kind: type[Exception], folder: Path) -> Iterator[None]:
    """What the operating system refuses, as an error of that kind with one line to show."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        raise kind(f"{path_text(where)}: can't write there: {error.strerror}") from error
