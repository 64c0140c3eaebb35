"""The run folder: a manifest, and one line per finished cell, so that a killed run can go on.

Each line is written whole and flushed as its cell ends; a line that a kill cut short is dropped.
When the last cell is in, the file is put into the matrix's order, so that the same cells make the
same bytes however many workers there were and however often the run was interrupted.

ConfigurationError      the folder can't be used: nothing was measured
RunFolderError          it can't be written any longer (a full disk): what was finished is kept
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compaction_eval.eval.differing import Mended, differences, mended
from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.manifest import SCHEMA
from compaction_eval.eval.places import made_in, seen_from_here
from compaction_eval.eval.recall.unanswered import is_open, is_unanswered
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord
from compaction_eval.eval.run_files import CELLS, MANIFEST, read_cells, read_manifest, refusals_as
from compaction_eval.eval.selected import selected_keys, selecting
from compaction_eval.eval.writing import check_folder, replace_file
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text


class RunFolderError(Exception):
    """A run folder that can't be written any longer, in one line; its finished cells are kept."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run's manifest and its cells in the matrix's order."""

    manifest: Mapping[str, Any]
    cells: tuple[CellRecord, ...]
    reused: int = 0
    """How many of the cells were finished before, so that this run didn't measure them."""
    damaged: int = 0
    """Whole lines that hold no cell; a last line that a kill cut short is none of them."""

    @property
    def errors(self) -> tuple[CellRecord, ...]:
        """The cells that couldn't be measured."""
        return tuple(cell for cell in self.cells if cell.error is not None)

    @property
    def unanswered(self) -> tuple[ProbeRecord, ...]:
        """The questions that got no answer for a reason that may pass: the run isn't whole."""
        return tuple(p for cell in self.cells for p in cell.probes if is_unanswered(p))


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that a run writes to."""

    path: Path
    made_in: Path = field(default_factory=Path.cwd)
    """The folder from which its paths are given."""

    def check(self, manifest: Mapping[str, Any]) -> None:
        """Raise ConfigurationError where `open` would, and write nothing."""
        check_folder(self.path)
        self.mended(manifest)

    def mended(self, manifest: Mapping[str, Any]) -> Mended:
        """What failed here and has another file now, so that all its cells are measured anew.

        Raises ConfigurationError when the folder holds another run.
        """
        file = self.path / MANIFEST
        if not file.exists():
            return Mended()
        known = read_manifest(file)
        differing = differences(known, manifest)
        if not differing:
            return Mended()
        with refusals_as(ConfigurationError, self.path):
            found = mended(known, manifest, read_cells(self.path / CELLS)[0])
        if found is None:
            raise ConfigurationError(
                f"{self.path}: holds a run with other {', '.join(differing)}; "
                "choose another --out or delete that folder"
            )
        return found

    def open(
        self, manifest: Mapping[str, Any], keys: Iterable[CellKey] | None = None
    ) -> dict[CellKey, CellRecord]:
        """Start here, or go on: the cells that are finished already.

        Errors are tried again, and cells with questions that got no answer. `keys` are the cells
        that are asked for now; the manifest keeps which were, now or before (default: all).

        Raises ConfigurationError when the folder holds another run, or can't be written.
        """
        self.check(manifest)
        file = self.path / MANIFEST
        with refusals_as(ConfigurationError, self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                # The manifest comes last: a folder with one has a file of cells.
                self._write(())
                kept = manifest if keys is None else selecting(manifest, keys)
                self._put({**kept, **made_in(self.path, self.made_in)})
                return {}
            known = read_manifest(file)
            found = self.mended(manifest)
            finished = self._finished(found)
            if found:
                # What failed goes last: until then, a kill leaves what may be mended again.
                cells, _ = read_cells(self.path / CELLS)
                self._write(c for c in cells if c.error is not None or not found.concerns(c))
                known = {**known, **manifest}
            now = known if keys is None else selecting(known, {*selected_keys(known), *keys})
            if found or now != known:
                self._put(now)
            self._write(finished.values())
            return finished

    def finished(self, manifest: Mapping[str, Any]) -> dict[CellKey, CellRecord]:
        """The cells that `open` would find; nothing is written. Raises ConfigurationError."""
        self.check(manifest)
        with refusals_as(ConfigurationError, self.path):
            return self._finished(self.mended(manifest))

    def note(self, more: Mapping[str, Any]) -> None:
        """Add to the manifest what makes no other run. Raises RunFolderError."""
        with refusals_as(RunFolderError, self.path):
            self._put({**read_manifest(self.path / MANIFEST), **more})

    def noted(self, key: str) -> Any:
        """What was noted under a key of the manifest; None without."""
        file = self.path / MANIFEST
        return read_manifest(file).get(key) if file.exists() else None

    def append(self, line: str) -> None:
        """Add a finished cell's line, and have it on the way to the disk before returning.

        Raises RunFolderError.
        """
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with refusals_as(RunFolderError, self.path):
            descriptor = os.open(self.path / CELLS, flags, 0o644)
            try:
                data = line.encode() + b"\n"
                while data:
                    data = data[os.write(descriptor, data) :]
            finally:
                os.close(descriptor)

    def write(self, cells: Iterable[CellRecord]) -> None:
        """Replace all lines, at once. Raises RunFolderError."""
        with refusals_as(RunFolderError, self.path):
            self._write(cells)

    def _finished(self, anew: Mended) -> dict[CellKey, CellRecord]:
        cells, _ = read_cells(self.path / CELLS)
        return {c.key: c for c in cells if not c.error and not is_open(c) and not anew.concerns(c)}

    def _put(self, manifest: Mapping[str, Any]) -> None:
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        replace_file(self.path / MANIFEST, text.encode())

    def _write(self, cells: Iterable[CellRecord]) -> None:
        text = "".join(encode_cell(cell) + "\n" for cell in cells)
        replace_file(self.path / CELLS, text.encode())


def read_run(folder: Path) -> Run:
    """A run from its folder, its places as seen from the current one.

    Raises ConfigurationError where there is none.
    """
    file = folder / MANIFEST
    if not folder.exists():
        raise ConfigurationError(
            f"{path_text(folder)}: there is no such folder; `run --out {path_text(folder)}` makes"
            " it"
        )
    if not file.is_file():
        raise ConfigurationError(f"{path_text(folder)}: is no run folder: it has no {MANIFEST}")
    manifest = read_manifest(file)
    if manifest.get("schema") != SCHEMA:
        raise ConfigurationError(
            f"{path_text(file)}: its schema isn't {SCHEMA}, so this version can't read it"
        )
    try:
        cells, damaged = read_cells(folder / CELLS)
    except OSError as error:
        raise ConfigurationError(
            f"{path_text(folder / CELLS)}: can't be read: {error.strerror}"
        ) from error
    return Run(seen_from_here(manifest, folder), tuple(cells), damaged=damaged)
