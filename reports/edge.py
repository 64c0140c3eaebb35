"""What the edge suite found: each property of each scenario under each strategy, and tallies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.figures import plural
from compaction_eval.scenarios.properties import PROPERTIES, Family
from compaction_eval.scenarios.records import variant_name

FAMILIES: tuple[str, ...] = get_args(Family)


@dataclass(frozen=True, slots=True)
class EdgeScenario:
    """What a report says of a scenario."""

    id: str
    variant: str
    title: str
    about: tuple[str, ...]
    """The properties that it is about; a case that names none is about all of them."""

    @property
    def key(self) -> str:
        """The name of this variant."""
        return variant_name(self.id, self.variant)


@dataclass(frozen=True, slots=True)
class EdgeVerdict:
    """Whether a property held in a scenario under a strategy, wherever it applied."""

    scenario: EdgeScenario
    strategy: str
    name: str
    """The property's name."""
    reason: str
    """The first request at which it didn't hold, and why; empty where it held."""

    @property
    def family(self) -> str:
        """The property's family."""
        return PROPERTIES[self.name].family

    @property
    def held(self) -> bool:
        """Whether it held."""
        return not self.reason

    @property
    def about(self) -> bool:
        """Whether the scenario says that it is about this property."""
        return self.name in self.scenario.about


@dataclass(frozen=True)
class EdgeReport:
    """A finished run over the edge suite."""

    manifest: Mapping[str, Any]
    scenarios: Sequence[EdgeScenario]
    strategies: Sequence[str]
    """Labels, in the order of tables."""
    cells: Sequence[CellRecord]

    @cached_property
    def verdicts(self) -> list[EdgeVerdict]:
        """All verdicts: scenario by scenario, strategy by strategy, in the properties' order."""
        known = {(one.id, one.variant): one for one in self.scenarios}
        return [
            EdgeVerdict(known[cell.key.scenario, cell.key.variant], cell.key.strategy, name, reason)
            for cell in self.cells
            for name in PROPERTIES
            if (reason := cell.properties.get(name)) is not None
        ]

    @cached_property
    def tallies(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Strategy and family -> pairs of scenario and property that held, and that applied."""
        tallies: dict[tuple[str, str], tuple[int, int]] = {}
        for one in self.verdicts:
            held, applied = tallies.get((one.strategy, one.family), (0, 0))
            tallies[one.strategy, one.family] = (held + one.held, applied + 1)
        return tallies

    @cached_property
    def failed(self) -> frozenset[tuple[str, str]]:
        """Scenario and strategy of each cell that ended in an error."""
        known = {(one.id, one.variant): one.key for one in self.scenarios}
        return frozenset(
            (known[cell.key.scenario, cell.key.variant], cell.key.strategy)
            for cell in self.cells
            if cell.error is not None
        )

    def broken(self, strategies: Collection[str]) -> list[EdgeVerdict]:
        """The broken ones of some strategies; first those that their scenario is about."""
        found = [one for one in self.verdicts if not one.held and one.strategy in strategies]
        return sorted(found, key=lambda one: not one.about)

    def outcome(self, scenario: EdgeScenario, strategy: str) -> str:
        """`yes`, `no`, `–` or `error`: whether what a scenario is about held."""
        if (scenario.key, strategy) in self.failed:
            return "error"
        held = self._held.get((scenario.key, strategy))
        return "–" if held is None else "yes" if held else "no"

    @cached_property
    def _held(self) -> dict[tuple[str, str], bool]:
        held: dict[tuple[str, str], bool] = {}
        for one in self.verdicts:
            if one.about or not one.scenario.about:
                key = (one.scenario.key, one.strategy)
                held[key] = held.get(key, True) and one.held
        return held


def selected(broken: Sequence[EdgeVerdict], names: Collection[str]) -> list[EdgeVerdict]:
    """Those whose property, or its family, is among the names."""
    return [one for one in broken if one.name in names or one.family in names]


def scenarios_text(report: EdgeReport) -> str:
    """`2 scenarios`, or `1 scenario in 2 variants`."""
    count = len({one.id for one in report.scenarios})
    variants = len(report.scenarios)
    told = plural(count, "scenario")
    return told if variants == count else f"{told} in {plural(variants, 'variant')}"
