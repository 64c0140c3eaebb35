"""The run folder: a manifest, and one line per finished cell, so that a killed run can go on.

Each line is written whole and flushed as its cell ends; a line that a kill cut short is dropped.
When the last cell is in, the file is put into the matrix's order, so that the same cells make the
same bytes however many workers there were and however often the run was interrupted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compaction_eval.eval.encoding import decode_cell, encode_cell
from compaction_eval.eval.manifest import SCHEMA, same_run
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.strategies.errors import ConfigurationError

MANIFEST = "manifest.json"
CELLS = "cells.jsonl"


@dataclass(frozen=True, slots=True)
class Run:
    """A run's manifest and its cells in the matrix's order."""

    manifest: Mapping[str, Any]
    cells: tuple[CellRecord, ...]
    reused: int = 0
    """How many of the cells were finished before, so that this run didn't measure them."""

    @property
    def errors(self) -> tuple[CellRecord, ...]:
        """The cells that couldn't be measured."""
        return tuple(cell for cell in self.cells if cell.error is not None)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that a run writes to."""

    path: Path

    def open(self, manifest: Mapping[str, Any]) -> dict[CellKey, CellRecord]:
        """Start here, or go on: the cells that are finished already. Errors are tried again.

        Raises ConfigurationError when the folder holds another run.
        """
        try:
            return self._open(manifest)
        except OSError as error:
            where = error.filename or self.path
            raise ConfigurationError(f"{where}: can't write there: {error.strerror}") from error

    def _open(self, manifest: Mapping[str, Any]) -> dict[CellKey, CellRecord]:
        file = self.path / MANIFEST
        self.path.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            # The manifest comes last: a folder with one has a file of cells.
            self.write(())
            _replace(file, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
            return {}
        differing = same_run(_read_manifest(file), manifest)
        if differing:
            raise ConfigurationError(
                f"{self.path}: holds a run with other {', '.join(differing)}; "
                "choose another --out or delete that folder"
            )
        finished = {cell.key: cell for cell in _read_cells(self.path / CELLS) if not cell.error}
        self.write(finished.values())
        return finished

    def append(self, line: str) -> None:
        """Add a finished cell's line, and have it on the way to the disk before returning."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self.path / CELLS, flags, 0o644)
        try:
            data = line.encode() + b"\n"
            while data:
                data = data[os.write(descriptor, data) :]
        finally:
            os.close(descriptor)

    def write(self, cells: Iterable[CellRecord]) -> None:
        """Replace all lines, at once."""
        _replace(self.path / CELLS, "".join(encode_cell(cell) + "\n" for cell in cells))


def read_run(folder: Path) -> Run:
    """A run from its folder. Raises ConfigurationError where there is none."""
    file = folder / MANIFEST
    if not file.is_file():
        raise ConfigurationError(f"{folder}: is no run folder: it has no {MANIFEST}")
    manifest = _read_manifest(file)
    if manifest.get("schema") != SCHEMA:
        raise ConfigurationError(
            f"{file}: its schema isn't {SCHEMA}, so this version can't read it"
        )
    try:
        return Run(manifest, tuple(_read_cells(folder / CELLS)))
    except OSError as error:
        raise ConfigurationError(f"{folder / CELLS}: can't be read: {error.strerror}") from error


def _read_manifest(file: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file}: can't be read: {error}") from error
    if not isinstance(manifest, dict):
        raise ConfigurationError(f"{file}: is no manifest")
    return manifest


def _read_cells(file: Path) -> list[CellRecord]:
    """The whole lines of a file of cells; of two lines for one cell the later counts."""
    cells: dict[CellKey, CellRecord] = {}
    try:
        lines = file.read_text("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    for line in lines:
        try:
            cell = decode_cell(line)
        except ValueError:
            continue
        cells[cell.key] = cell
    return list(cells.values())


def _replace(file: Path, text: str) -> None:
    """Write a file so that a reader, or a kill, sees the old one or the new one."""
    part = file.with_name(file.name + ".part")
    with part.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)
