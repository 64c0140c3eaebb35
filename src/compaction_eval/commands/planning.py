"""From the command line and a configuration file to what a run needs, or to all faults at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from compaction_eval.commands.config_keys import MODEL_OPTION_KEYS
from compaction_eval.commands.configuration import Configuration, Given
from compaction_eval.commands.expression import parse_expression
from compaction_eval.commands.result_files import check_result_file
from compaction_eval.commands.selection import selected_cells
from compaction_eval.commands.transcripts import given_transcripts, measures_something
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import CellKey
from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.library import select
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loaded import Loaded
from compaction_eval.strategies.loading import (
    CONTROLS,
    DEFAULT_STRATEGIES,
    RECORDED,
    Kind,
    load_strategy,
    load_summarizer,
)
from compaction_eval.strategies.relocating import relocated, relocated_path
from compaction_eval.strategies.specs import Spec, parse_spec, spec_from_mapping
from compaction_eval.strategies.summarizers.model import SAME

if TYPE_CHECKING:
    from compaction_eval.eval.recall.opening import ModelPlan
    from compaction_eval.scenarios.importers.in_memory import Transcript

DEFAULT_BUDGETS = ("15%", "30%", "50%")
DEFAULT_SUMMARIZER = "extractive"
_LOADING: Mapping[str, tuple[Kind, Callable[[Spec, Path], Loaded[Any] | None]]] = {
    "strategy": ("strategies", load_strategy),
    "summarizer": ("summarizers", load_summarizer),
}

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run needs, all of it checked."""

    matrix: Matrix
    keys: tuple[CellKey, ...]
    """The selected cells, in the matrix's order."""
    outputs: tuple[Path, ...]
    transcripts: tuple[Transcript, ...] = ()
    """What was taken as it stands; conversations with anything to measure are in the matrix."""
    models: ModelPlan | None = None
    """Who is asked; None where no model is."""


@dataclass(slots=True)
class Planner:
    """Reads options; what the command line gives replaces what the configuration gives."""

    options: Mapping[str, Sequence[str]]
    """Values of the command line by long option name; an option that isn't given has none."""
    configuration: Configuration
    directory: Path
    """The working directory."""
    faults: list[str] = field(default_factory=list)
    _asked: dict[Spec, tuple[str, ...]] = field(default_factory=dict)
    """The models that summarise, by the spec that asks them."""

    def plan(self, expression: str | None) -> Plan:
        """The whole plan. Raises ConfigurationError with every fault."""
        # The empty text would be a default, or as a path this folder.
        self.faults += [
            f"--{name}: it is empty"
            for name, texts in self.options.items()
            if not all(map(str.strip, texts))
        ]
        transcripts = self._transcripts(scenarios := self._scenarios())
        taken = (scenario for one in transcripts for scenario in one.scenarios)
        scenarios += filter(measures_something, taken)
        budgets = self._budgets()
        strategies = self._strategies(scenarios)
        summarizers = self.specs("summarizer", (DEFAULT_SUMMARIZER,))
        outputs = self._outputs()
        models = self._models((*strategies, *summarizers))
        test = None
        if expression is not None:
            test = self.attempt(None, "", parse_expression, expression)
        if self.faults:
            raise ConfigurationError("\n".join(dict.fromkeys(self.faults)))
        matrix = Matrix(
            scenarios=tuple(scenarios),
            strategies=tuple(strategies),
            budgets=tuple(budgets),
            summarizers=tuple(summarizers),
            repeats=int(self.one("repeats") or 1),
            encoding=self.one("encoding") or "o200k_base",
            profile=self.one("profile") or "openai",
            directory=self.directory,
            model=models.told(models.answerer) if models else None,
            judge=models.told(models.judge) if models else None,
        )
        return Plan(
            matrix,
            tuple(selected_cells(matrix, test)),
            tuple(outputs),
            tuple(transcripts),
            models,
        )

    def one(self, name: str) -> str | None:
        """The value of an option that can be given once; None where it isn't given."""
        given = self._given(name)
        return given[-1].text if given else None

    def try_one(self, name: str, read: Callable[[str], T]) -> T | None:
        """The value of an option as a function reads it; its ConfigurationError is a fault."""
        given = self._given(name)
        return self.attempt(given[-1], name, read, given[-1].text) if given else None

    def path(self, name: str) -> Path | None:
        """The value of an option that is a path, as the working directory sees it."""
        given = self._given(name)
        return self._located(given[-1]) if given else None

    def _given(self, name: str) -> Sequence[Given]:
        from_command_line = [Given(text) for text in self.options.get(name, ()) if text.strip()]
        return from_command_line or self.configuration.values.get(name, ())

    def _located(self, given: Given) -> Path:
        """A path: as given on the command line, or relative to the configuration file."""
        if given.place is None:
            return Path(given.text)
        path = relocated_path(given.text, self.configuration.directory, self.directory)
        return Path(path).expanduser()

    def attempt(
        self,
        given: Given | None,
        name: str,
        action: Callable[P, T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T | None:
        """The action's result; its ConfigurationError becomes faults with the value's place."""
        try:
            return action(*args, **kwargs)
        except FaultsError as error:
            self.faults += str(error).splitlines()
        except ConfigurationError as error:
            place = given.place if given is not None else None
            prefix = f"{place}: " if place else f"--{name}: " if name else ""
            self.faults += [prefix + line for line in str(error).splitlines()]
        return None

    def _scenarios(self) -> list[Scenario]:
        given = self._given("scenario")
        selectors = []
        for one in given:
            located = self._located(one)
            selectors.append(str(located) if os.path.exists(located) else one.text)
        if not given and self._given("transcript"):
            return []
        first = given[0] if given else None
        return self.attempt(first, "scenario", select, selectors) or []

    def _transcripts(self, scenarios: Sequence[Scenario]) -> list[Transcript]:
        """The transcripts, under ids that none of these scenarios has."""
        given, format_name = self._given("transcript"), self._given("format")
        if not given and format_name:
            place = f"{format_name[-1].place}: " if format_name[-1].place else ""
            self.faults.append(f"{place}--format is that of transcripts; give some by --transcript")
        if not given:
            return []
        from compaction_eval.scenarios.importers import AUTO, find_formats

        paths = [self._located(one) for one in given]
        taken = list(dict.fromkeys(one.id for one in scenarios))
        name = format_name[-1].text if format_name else AUTO
        if self.attempt([*format_name, None][0], "format", find_formats, name) is None:
            return []
        # A fault names its file itself.
        return self.attempt(None, "", given_transcripts, paths, name, taken) or []

    def _budgets(self) -> list[Budget]:
        given = self._given("budget") or [Given(text) for text in DEFAULT_BUDGETS]
        parsed = [self.attempt(one, "budget", Budget.parse, one.text) for one in given]
        return list({budget.label: budget for budget in parsed if budget is not None}.values())

    def _strategies(self, scenarios: Sequence[Scenario]) -> list[Spec]:
        specs = self.specs("strategy", DEFAULT_STRATEGIES)
        if (self.one("controls") or "true").casefold() == "true":
            used = {spec.use for spec in specs}
            named = {spec.label: spec for spec in specs}
            own = [RECORDED] if any(one.recorded for one in scenarios) else []
            for control in (*own, *CONTROLS):
                if control in used:
                    continue
                if control in named:
                    self.faults.append(
                        f"--strategy: '{named[control]}' has the name of the control '{control}',"
                        " which is added; give it another name, or add none by --no-controls"
                    )
                specs.append(Spec(control))
        return specs

    def specs(self, name: str, defaults: Iterable[str]) -> list[Spec]:
        """The specs given, each loaded once, so that its faults are told before anything runs."""
        specs: dict[str, Spec] = {}
        kind, load = _LOADING[name]
        for one in self._given(name) or [Given(text) for text in defaults]:
            spec = self.attempt(one, name, self._spec, kind, one)
            if spec is None:
                continue
            known = specs.setdefault(spec.label, spec)
            if known is spec:
                loaded = self.attempt(one, name, load, spec, self.directory)
                self._asked[spec] = self._models_of(one, name, loaded)
            elif known != spec:
                where = f"{one.place}: " if one.place else f"--{name}: "
                self.faults.append(
                    f"{where}'{spec}' would have the name of '{known}', '{spec.label}'; give it"
                    " another name"
                )
        return list(specs.values())

    def _models_of(self, given: Given, option: str, loaded: Loaded[Any] | None) -> tuple[str, ...]:
        """The models that a spec asks, each name of which is tried."""
        names = loaded.models if loaded is not None else ()
        if names:
            from compaction_eval.eval.models.naming import parse_model

            for name in names:
                if name != SAME:
                    self.attempt(given, option, parse_model, name)
        return names

    def _spec(self, kind: Kind, given: Given) -> Spec:
        spec = parse_spec(given.text) if given.fields is None else spec_from_mapping(given.fields)
        if given.place is None:
            return spec
        # The matrix has one directory, the working one; the label stays as the file has it.
        moved = relocated(kind, spec, self.configuration.directory, self.directory)
        return spec if moved == spec else replace(moved, name=spec.label)

    def _models(self, specs: Iterable[Spec]) -> ModelPlan | None:
        """Who is asked, by options or by one of these specs; None where no model is."""
        asked = [name for spec in specs for name in self._asked.get(spec, ())]
        if not asked and all(self.one(name) is None for name in MODEL_OPTION_KEYS):
            return None
        # Here, since what reaches models is of no use to a run that asks none.
        from compaction_eval.commands.model_planning import plan_models

        return plan_models(self, tuple(dict.fromkeys(asked)))

    def _outputs(self) -> list[Path]:
        outputs = []
        for one in self._given("output"):
            path = self._located(one)
            self.attempt(one, "output", check_result_file, path)
            outputs.append(path)
        return list(dict.fromkeys(outputs))
