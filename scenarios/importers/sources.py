"""Which files an import reads: those that are named, and those in the folders that are."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compaction_eval.scenarios.files import refusal
from compaction_eval.strategies.errors import ConfigurationError

_TRANSCRIPTS = frozenset({".json", ".jsonl", ".ndjson", ".traj"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read, or one that was found and can't or needn't be."""

    path: Path
    name: str
    """The same wherever the folder lies: the path in it, with `/`; of a named file, its name."""
    found: bool = False
    """Whether it was found in a folder, where other files may stand too."""
    passed: str = ""
    """Why it isn't read, whatever it holds."""
    fault: str = ""
    """Why what may be in it can't be had."""

    @property
    def is_meant(self) -> bool:
        """Whether it has to be a transcript: it was named, or is called like one."""
        return not self.found or self.path.suffix.lower() in _TRANSCRIPTS


def sources(given: Sequence[Path], output: Path) -> list[Source]:
    """The files in the order given, those of a folder sorted, each once.

    Hidden files and folders are left out, and so is the folder that the import writes into. Links
    to folders aren't followed.
    Raises ConfigurationError for a folder without a file.
    """
    found: dict[Path, Source] = {}
    real: set[str] = set()
    for path in given:
        here = list(_in_folder(path, output)) if path.is_dir() else [Source(path, path.name)]
        if not here:
            raise ConfigurationError(f"{path}: no file in this folder")
        for source in here:
            place = source.path.absolute()
            if place in found:
                continue
            if not (source.passed or source.fault):
                file = os.path.realpath(place)
                if file in real:
                    source = replace(source, passed="the same file as another")
                real.add(file)
            found[place] = source
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
    closed: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=closed.append):
        shown = [name for name in folders if not name.startswith(".")]
        paths += [Path(parent, name) for name in names if not name.startswith(".")]
        paths += [Path(parent, name) for name in shown if Path(parent, name).is_symlink()]
        folders[:] = [name for name in shown if Path(parent, name).resolve() != written]
    for error in closed:
        path = Path(error.filename)
        yield _found(path, folder, fault=refusal(error).lower())
    for path in sorted(paths, key=lambda path: path.parts):
        yield _found(path, folder, passed=_passed(path))


def _found(path: Path, folder: Path, passed: str = "", fault: str = "") -> Source:
    name = path.relative_to(folder).as_posix()
    return Source(path, name, found=True, passed=passed, fault=fault)


def _passed(path: Path) -> str:
    """Why a file of a folder isn't read; empty for one that is."""
    if path.is_dir():
        return "a link to a folder"
    if path.is_symlink() and not path.exists():
        return "a link to nowhere"
    if not path.is_file():
        return "no regular file"
    return "the transcript of a scenario" if _is_written(path) else ""


def _is_written(path: Path) -> bool:
    """Whether an import wrote a file, which its scenario beside it names."""
    if path.suffix != ".jsonl":
        return False
    try:
        text = path.with_suffix(".yaml").read_text("utf-8")
    except (OSError, UnicodeError):
        return False
    return (
        re.search(rf"^transcript:\s+path: {re.escape(path.name)}$", text, re.MULTILINE) is not None
    )
