"""Where cells are measured: loads what the specifications name, and keeps what cells share.

A workshop lives in the process that measures, be it the only one or one of several workers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compaction_eval.eval.cells import StrategyFactory, SummarizerFactory, failed, measure
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.script import Script, prepare
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.loading import load_strategy, load_summarizer
from compaction_eval.strategies.specs import Spec
from compaction_eval.strategies.summarizers.model import Models
from compaction_eval.strategies.tokens import TokenCounter

SCRIPTS_KEPT = 2
"""Prepared scripts that are kept: cells come scenario by scenario."""


@dataclass(slots=True)
class Workshop:
    """Measures the cells of one matrix."""

    matrix: Matrix
    counter: TokenCounter
    time_limit: float | None
    """Seconds that one call of foreign code may take."""
    hard: bool
    """Whether this process may end itself to stop foreign code."""
    _scripts: dict[tuple[str, str], Script] = field(default_factory=dict)
    _strategies: dict[str, StrategyFactory] = field(default_factory=dict)
    _summarizers: dict[str, SummarizerFactory] = field(default_factory=dict)

    def measure(self, key: CellKey, models: Models | None = None) -> CellRecord:
        """The record of one cell; `models` reaches those that write its summaries."""
        script = self._script(key)
        return measure(
            key,
            script,
            self._strategy(key.strategy) if models is None else self._asking_strategy(key, models),
            self._summarizer(key.summarizer)
            if models is None
            else self._asking_summarizer(key, models),
            self.counter,
            self._budget(key).of(script.conversation_tokens),
            self.matrix.profile,
        )

    def fail(self, key: CellKey, reason: str) -> CellRecord:
        """The record of a cell that was stopped from outside."""
        script = self._script(key)
        return failed(key, script, self._budget(key).of(script.conversation_tokens), reason)

    def _script(self, key: CellKey) -> Script:
        place = (key.scenario, key.variant)
        script = self._scripts.get(place)
        if script is None:
            while len(self._scripts) >= SCRIPTS_KEPT:
                del self._scripts[next(iter(self._scripts))]
            script = self._scripts[place] = prepare(self._scenario(key), self.counter)
        return script

    def _scenario(self, key: CellKey) -> Scenario:
        return next(
            scenario
            for scenario in self.matrix.scenarios
            if (scenario.id, scenario.variant) == (key.scenario, key.variant)
        )

    def _budget(self, key: CellKey) -> Budget:
        return next(budget for budget in self.matrix.budgets if budget.label == key.budget)

    def _strategy(self, label: str) -> StrategyFactory:
        factory = self._strategies.get(label)
        if factory is None:
            spec = _labelled(self.matrix.strategies, label)
            factory = self._strategies[label] = load_strategy(
                spec, self.matrix.directory, time_limit=self.time_limit, hard=self.hard
            )
        return factory

    def _summarizer(self, label: str) -> SummarizerFactory:
        if label not in self._summarizers:
            spec = _labelled(self.matrix.summarizers, label)
            self._summarizers[label] = load_summarizer(
                spec, self.matrix.directory, time_limit=self.time_limit, hard=self.hard
            )
        return self._summarizers[label]

    def _asking_strategy(self, key: CellKey, models: Models) -> StrategyFactory:
        """For one cell alone: who asks is known to whom it asks."""
        return load_strategy(
            _labelled(self.matrix.strategies, key.strategy),
            self.matrix.directory,
            time_limit=self.time_limit,
            hard=self.hard,
            models=models,
        )

    def _asking_summarizer(self, key: CellKey, models: Models) -> SummarizerFactory:
        return load_summarizer(
            _labelled(self.matrix.summarizers, key.summarizer),
            self.matrix.directory,
            time_limit=self.time_limit,
            hard=self.hard,
            models=models,
        )


def _labelled(specs: tuple[Spec, ...], label: str) -> Spec:
    return next(spec for spec in specs if spec.label == label)
