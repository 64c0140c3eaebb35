"""Which files an import reads: those that are named, and those in the folders that are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compaction_eval.strategies.errors import ConfigurationError

_TRANSCRIPTS = frozenset({".json", ".jsonl", ".ndjson", ".traj"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read."""

    path: Path
    name: str
    """The same wherever the folder lies: the path in it, with `/`; of a named file, its name."""
    found: bool = False
    """Whether it was found in a folder, where other files may stand too."""

    @property
    def is_meant(self) -> bool:
        """Whether it has to be a transcript: it was named, or is called like one."""
        return not self.found or self.path.suffix.lower() in _TRANSCRIPTS


def sources(given: Sequence[Path], output: Path) -> list[Source]:
    """The files in the order given, those of a folder sorted, each once.

    Hidden files and folders are left out, and so is the folder that the import writes into.
    Raises ConfigurationError for a folder without a file.
    """
    found: dict[Path, Source] = {}
    for path in given:
        here = list(_in_folder(path, output)) if path.is_dir() else [Source(path, path.name)]
        if not here:
            raise ConfigurationError(f"{path}: no file in this folder")
        for source in here:
            found.setdefault(source.path.absolute(), source)
    # Two folders may have files of one name.
    names = Counter[str]()
    unique: list[Source] = []
    for source in found.values():
        names[source.name] += 1
        number = names[source.name]
        unique.append(replace(source, name=f"{source.name}\n{number}") if number > 1 else source)
    return unique


def _in_folder(folder: Path, output: Path) -> Iterator[Source]:
    written = output.resolve()
    paths: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and Path(parent, name).resolve() != written
        ]
        paths += [Path(parent, name) for name in names if not name.startswith(".")]
    for path in sorted(paths, key=lambda path: path.parts):
        if path.is_file():
            yield Source(path, path.relative_to(folder).as_posix(), found=True)
