"""From the options of `stress` to what it needs, or to all faults at once."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.commands.configuration import Configuration
from compaction_eval.commands.planning import Planner
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import CellKey
from compaction_eval.reports.edge import FAMILIES
from compaction_eval.reports.edge_files import EDGE_WRITERS
from compaction_eval.reports.results import check_output
from compaction_eval.scenarios.cases import read_cases
from compaction_eval.scenarios.library import library_folder, scenario_files, select
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.properties import PROPERTIES
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.loading import DEFAULT_STRATEGIES, load_summarizer
from compaction_eval.strategies.relocating import relocated
from compaction_eval.strategies.specs import Spec, parse_spec

_YAML = (".yaml", ".yml")
EDGE = "edge"
"""The tag of the shipped scenarios that are taken if none is named."""


@dataclass(frozen=True, slots=True)
class StressOptions:
    """The options as given."""

    selectors: Sequence[str] = ()
    strategies: Sequence[str] = ()
    cases: Sequence[str] = ()
    require: Sequence[str] = ()
    summarizer: str | None = None
    outputs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class StressPlan:
    """What `stress` needs, all of it checked."""

    matrix: Matrix
    """The union of all scenarios' budgets and summarisers."""
    keys: tuple[CellKey, ...]
    """Each scenario under its own budget and summariser only."""
    named: tuple[str, ...]
    """Labels of the strategies that were given; of all where none was."""
    required: tuple[str, ...]
    """Families and properties."""
    outputs: tuple[Path, ...]
    in_memory: frozenset[str]
    """Ids of the scenarios that are no files: cases."""


def plan_stress(options: StressOptions, directory: Path) -> StressPlan:
    """The whole plan. Raises ConfigurationError with every fault."""
    given = {"strategy": list(options.strategies), "output": list(options.outputs)}
    planner = Planner(given, Configuration(directory), directory)
    planner.faults += [
        f"--{name}: it is empty"
        for name, texts in (*given.items(), ("require", options.require), ("cases", options.cases))
        if not all(text.strip() for text in texts)
    ]
    scenarios = _scenarios(options, planner)
    strategies = planner.specs("strategy", DEFAULT_STRATEGIES)
    settings = [_setting(one, options.summarizer, planner) for one in scenarios]
    for name in options.require:
        _check_required(name, bool(options.strategies), planner)
    outputs = [Path(text) for text in options.outputs if text.strip()]
    for path in outputs:
        planner.attempt(None, "output", check_output, path, EDGE_WRITERS)
    if planner.faults:
        raise ConfigurationError("\n".join(dict.fromkeys(planner.faults)))
    known = [setting for setting in settings if setting is not None]
    matrix = Matrix(
        scenarios=tuple(scenarios),
        strategies=tuple(strategies),
        budgets=tuple({budget.label: budget for budget, _ in known}.values()),
        summarizers=tuple({spec.label: spec for _, spec in known}.values()),
        directory=directory,
    )
    keys = [
        CellKey(one.id, one.variant, strategy.label, budget.label, summarizer.label)
        for one, (budget, summarizer) in zip(scenarios, known, strict=True)
        for strategy in strategies
    ]
    return StressPlan(
        matrix,
        tuple(keys),
        tuple(spec.label for spec in strategies),
        tuple(dict.fromkeys(options.require)),
        tuple(dict.fromkeys(outputs)),
        frozenset(one.id for one in scenarios if not _is_file(one)),
    )


def _scenarios(options: StressOptions, planner: Planner) -> list[Scenario]:
    """The selected scenarios and the cases; each has what it is to be judged by."""
    found: list[Scenario] = []
    selectors = [text for text in options.selectors if not _is_cases(text)]
    planner.faults += [
        f"{text}: holds cases and no scenario; give it with --cases"
        for text in options.selectors
        if _is_cases(text)
    ]
    if selectors:
        found = planner.attempt(None, "", select, selectors) or []
        bare = [one for one in found if one.stress is None]
        named = {one.id for text in selectors if _names_one(text) for one in _each(text)}
        planner.faults += [
            f"{one.file}: '{one.id}' has no `stress` section, so there is nothing to judge;"
            " docs/edge-suite.md says how to write one"
            for one in bare
            if one.id in named
        ]
        found = [one for one in found if one.stress is not None]
    elif not options.cases and not options.selectors:
        found = planner.attempt(None, "", _shipped) or []
    for text in options.cases:
        if Path(text).suffix.lower() in _YAML:
            planner.faults.append(f"--cases: {text}: is YAML; a scenario is given without --cases")
        elif text.strip():
            found += planner.attempt(None, "cases", read_cases, Path(text), Budget.parse) or []
    counts = Counter((one.id, one.variant) for one in found)
    planner.faults += [
        f"{_place(one)}: the id '{one.id}' is given {counts[one.id, one.variant]} times; rename one"
        for one in found
        if counts[one.id, one.variant] > 1
    ]
    return found


def _is_cases(selector: str) -> bool:
    """Whether a selector is a file of cases, by its suffix."""
    return Path(selector).suffix.lower() == ".jsonl" and os.path.isfile(selector)


def _place(scenario: Scenario) -> str:
    """Its file; of a case also the line."""
    if _is_file(scenario):
        return scenario.file
    return f"{scenario.file}:{scenario.places[0].line}"


def _is_file(scenario: Scenario) -> bool:
    """Whether a scenario is a file, and no line of one."""
    return Path(scenario.file).suffix in _YAML


def _names_one(selector: str) -> bool:
    """Whether a selector names a scenario and no folder or tag."""
    return not os.path.isdir(selector) and selector[:4].lower() != "tag:"


def _each(selector: str) -> list[Scenario]:
    try:
        return select([selector])
    except ConfigurationError:
        return []  # told already


def _shipped() -> list[Scenario]:
    """The edge suite, without reading the rest of the library."""
    files = scenario_files(library_folder())
    return [
        one
        for path in files
        if b"stress" in path.read_bytes()
        for one in load_file(path)
        if EDGE in one.tags and one.stress is not None
    ]


def _setting(
    scenario: Scenario, summarizer: str | None, planner: Planner
) -> tuple[Budget, Spec] | None:
    """The budget and the summariser under which a scenario is replayed."""
    assert scenario.stress is not None
    stress = scenario.stress

    def read() -> tuple[Budget, Spec]:
        spec = parse_spec(stress.summarizer if summarizer is None else summarizer)
        if summarizer is None:
            spec = relocated("summarizers", spec, Path(scenario.file).parent, planner.directory)
        load_summarizer(spec, planner.directory)
        return Budget.parse(stress.budget), spec

    try:
        return read()
    except ConfigurationError as error:
        place = "--summarizer" if summarizer is not None else f"{scenario.file}: stress"
        planner.faults += [f"{place}: {line}" for line in str(error).splitlines()]
        return None


def _check_required(name: str, named: bool, planner: Planner) -> None:
    known = [*FAMILIES, *PROPERTIES]
    if name.strip() and name not in known:
        hint = did_you_mean(name.strip().lower(), known) or f"; families are {', '.join(FAMILIES)}"
        planner.faults.append(f"--require: no family or property is '{name}'{hint}")
    if not named:
        planner.faults.append("--require: say with --strategy which strategies it is about")
