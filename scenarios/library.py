"""Which scenarios are meant: files, folders, ids and tags become scenarios, all checked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.loader import file_tags, in_order, load_file
from compaction_eval.scenarios.records import Place, Scenario
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.paths import path_text

ON_DEMAND = frozenset({"long", "edge"})
"""Tags of scenarios that are left out unless they're asked for."""
NO_TAGS: frozenset[str] = frozenset()
_SUFFIXES = frozenset({".yaml", ".yml"})
# A folder of scenarios often is a repository, whose configuration is YAML too.
_NO_SCENARIOS = frozenset({"compaction-eval.yaml", "compaction-eval.yml"})


def library_folder() -> Path:
    """The folder of the shipped scenarios; relative where it lies below the current folder."""
    folder = Path(__file__).resolve().parent
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def scenario_files(folder: Path) -> list[Path]:
    """The scenario files in a folder and its sub-folders, sorted; hidden ones are left out."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            Path(parent, name)
            for name in names
            if Path(name).suffix in _SUFFIXES
            and name not in _NO_SCENARIOS
            and not name.startswith(".")
        ]
    return sorted(found)


def select(selectors: Sequence[str] = ()) -> list[Scenario]:
    """The scenarios that are meant by paths, ids and `TAG:x`; without any, the default library.

    That is the shipped one without the tags `ON_DEMAND`.
    A selector that is an existing path wins over an id. Ids and tags are looked up in the library.
    Sorted by file, then in the order of the file's variants. All selected files are checked before
    anything is returned; the faults of all of them are raised together.
    """
    loaded = _Loaded()
    chosen: dict[str, Scenario] = {}
    for selected in [_selected(one, loaded) for one in selectors] or [_default(loaded)]:
        for scenario in selected:
            chosen.setdefault(f"{scenario.file}\n{scenario.variant}", scenario)
    loaded.raise_faults()
    scenarios = sorted(chosen.values(), key=lambda scenario: Path(scenario.file))
    _refuse_namesakes(scenarios)
    return scenarios


class _Loaded:
    """Each file read once; its faults are kept until all files have been read."""

    def __init__(self) -> None:
        self._scenarios: dict[Path, tuple[Scenario, ...]] = {}
        self._faults: list[Fault] = []

    def __call__(self, path: Path, without: frozenset[str] = NO_TAGS) -> tuple[Scenario, ...]:
        real = path.resolve()
        if real not in self._scenarios:
            try:
                self._scenarios[real] = load_file(path, without)
            except FaultsError as error:
                self._scenarios[real] = ()
                self._faults += error.faults
        return self._scenarios[real]

    def all(self, paths: Iterable[Path], without: frozenset[str] = NO_TAGS) -> list[Scenario]:
        return [scenario for path in paths for scenario in self(path, without)]

    def raise_faults(self) -> None:
        if self._faults:
            raise FaultsError(in_order(self._faults))


def _default(loaded: _Loaded) -> list[Scenario]:
    return loaded.all(scenario_files(library_folder()), without=ON_DEMAND)


def _selected(selector: str, loaded: _Loaded) -> list[Scenario]:
    if not selector.strip():
        raise ConfigurationError("a scenario's path, id or TAG:x is empty")
    path = Path(selector)
    if os.path.isdir(path):
        files = scenario_files(path)
        if not files:
            raise ConfigurationError(f"{selector}: no scenario (*.yaml) in this folder")
        return loaded.all(files)
    if os.path.exists(path):
        if path.suffix not in _SUFFIXES:
            message = (
                f"{selector}: a scenario is a .yaml file; `import` turns transcripts into them"
            )
            raise ConfigurationError(message)
        return list(loaded(path))
    variant = _one_variant(selector, loaded)
    if variant is not None:
        return variant
    if path.suffix in _SUFFIXES or os.sep in selector:
        raise ConfigurationError(f"{path_text(selector)}: no such file or folder")
    return _from_library(selector, loaded)


def _one_variant(selector: str, loaded: _Loaded) -> list[Scenario] | None:
    """The one that `FILE.yaml[noise=8]` names; None where there is no such file."""
    name, bracket, _ = selector.partition("[")
    if not bracket or Path(name).suffix not in _SUFFIXES or not os.path.exists(name):
        return None
    variants = loaded(Path(name))
    found = [one for one in variants if selector == name + one.key.removeprefix(one.id)]
    if not found:
        loaded.raise_faults()
        known = ", ".join(name + one.key.removeprefix(one.id) for one in variants)
        raise ConfigurationError(f"'{name}' has no such variant; there are {known}")
    return found


def _from_library(selector: str, loaded: _Loaded) -> list[Scenario]:
    """By tag, id, or id with variant, such as `staging-port[noise=20]`; other files aren't read."""
    files = scenario_files(library_folder())
    if selector[:4].lower() == "tag:":
        tagged = {path: file_tags(path) for path in files}
        chosen = [path for path, tags in tagged.items() if selector[4:] in tags]
        if not chosen:
            tags = sorted({tag for tags in tagged.values() for tag in tags})
            suggestion = (
                did_you_mean(selector[4:].lower(), tags) or f"; there are {', '.join(tags)}"
            )
            raise ConfigurationError(f"no scenario has the tag '{selector[4:]}'{suggestion}")
        return loaded.all(chosen)
    scenario_id = selector.partition("[")[0]
    named = loaded.all(path for path in files if path.stem == scenario_id)
    found = [scenario for scenario in named if selector in (scenario.id, scenario.key)]
    if not found:
        known = [scenario.key for scenario in named] or [path.stem for path in files]
        message = f"no scenario file, id or TAG:x is '{selector}'{did_you_mean(selector, known)}"
        if named:
            message = f"'{scenario_id}' has no such variant; there are {', '.join(known)}"
        loaded.raise_faults()
        raise ConfigurationError(message)
    return found


def _refuse_namesakes(scenarios: Sequence[Scenario]) -> None:
    """Two files with one id would be one line in every table."""
    files: dict[str, str] = {}
    faults = []
    for scenario in scenarios:
        other = files.setdefault(scenario.id, scenario.file)
        if other != scenario.file:
            message = f"the id '{scenario.id}' is taken by {other}; rename one of the two"
            faults.append(Fault(Place(scenario.file), message))
    if faults:
        raise FaultsError(in_order(faults))
