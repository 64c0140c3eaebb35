"""The runs that a report is about: one, or several put together under short names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from compaction_eval.commands.run_folder import finished_run
from compaction_eval.eval.joining import joined
from compaction_eval.eval.store import Run
from compaction_eval.reports.printable import cut, one_line
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

SHORT = 16
"""Terminal columns of a run's name beside a strategy's."""
_BETWEEN = "-_. /"
_OF_RUN = re.compile(r"(?P<name>.+) \[(?P<run>[^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class Reported:
    """What a report is about."""

    folders: tuple[Path, ...]
    run: Run
    remarks: tuple[str, ...] = ()


def reported(given: Sequence[str]) -> Reported:
    """The run in a folder, or those of several as one; without any, the only run in `runs/`.

    ConfigurationError for what holds no run, and for runs that can't be put together.
    """
    for text in given:
        if Path(text).is_file():
            raise ConfigurationError(
                f"{path_text(text)}: is a file; a report is made of run folders, as `run --out DIR`"
                " writes them (a baseline holds no requests, and can only be compared)"
            )
    if len(given) < 2:
        folder, run = finished_run(given[0] if given else None)
        return Reported((folder,), run)
    places: dict[Path, str] = {}
    remarks = []
    for text in given:
        place = Path(text).resolve()
        if place in places:
            remarks.append(f"{path_text(text)}: is named twice, and taken once.")
        places.setdefault(place, text)
    names = short_names(list(places))
    runs = {}
    for name, text in zip(names, places.values(), strict=True):
        _, runs[name] = finished_run(text)
    return Reported(tuple(map(Path, places.values())), joined(runs), tuple(dict.fromkeys(remarks)))


def versions(names: Sequence[str], manifest: Mapping[str, Any]) -> list[str]:
    """The names of strategies as joined runs call them: one that was told apart is all of its."""
    found: dict[str, None] = {}
    for name in names:
        own = [one["label"] for one in manifest["strategies"] if one.get("was") == name]
        found.update(dict.fromkeys(own or [name]))
    return list(found)


def of_run(strategy: str, folder: Path | None) -> str:
    """A strategy as `show` takes it, where it may be copied from a report: `NAME [run]`.

    Raises ConfigurationError where that names another run than the folder's, or there is none.
    """
    copied = _OF_RUN.fullmatch(strategy)
    if copied is None:
        return strategy
    name, run = copied["name"], copied["run"]
    if folder is None:
        raise ConfigurationError(
            f"--strategy: '{strategy}' is a row of a report on several runs; name that run's"
            f" folder too: --run DIR --strategy '{name}'"
        )
    if run.rstrip("…") not in one_line(str(folder.resolve())):
        raise ConfigurationError(
            f"--strategy: '{strategy}' is of another run than {path_text(folder)}; give that one's"
            " folder by --run"
        )
    return name


def short_names(folders: Sequence[Path]) -> list[str]:
    """What to call runs in tables: their folders' names, each another.

    As many folders above are added as that takes; what all long names begin or end with is left
    out, at a space or a stroke, and what is long even so is cut.
    """
    names = [folder.name for folder in folders]
    depth = 1
    while len(set(names)) < len(names):
        depth += 1
        names = ["/".join(folder.parts[-depth:]).replace("//", "/") for folder in folders]
    if max(map(cell_len, names)) > SHORT:
        names = _without_common_start(names)
        backwards = _without_common_start([name[::-1] for name in names])
        names = [name[::-1] for name in backwards]
    for short in ([cut(one_line(name), SHORT) for name in names], list(map(one_line, names))):
        if len(set(short)) == len(names):
            return short
    return names


def _without_common_start(names: Sequence[str]) -> list[str]:
    """The names without the words that all begin with, unless one has no other."""
    common = 0
    for letters in zip(*names, strict=False):
        if len(set(letters)) > 1:
            break
        common += 1
    at = max(names[0].rfind(mark, 0, common) for mark in _BETWEEN) + 1
    return [name[at:] for name in names] if all(name[at:] for name in names) else list(names)
