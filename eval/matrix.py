"""What a run measures: every scenario variant under every strategy, budget and summariser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from compaction_eval.eval.records import CellKey
from compaction_eval.scenarios.budgets import Budget
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import RECORDED
from compaction_eval.strategies.specs import Spec

__all__ = ["Budget", "Matrix"]


@dataclass(frozen=True, slots=True)
class Matrix:
    """The cells of a run and what they share. Holds specifications only, so workers can load it."""

    scenarios: tuple[Scenario, ...]
    strategies: tuple[Spec, ...]
    budgets: tuple[Budget, ...]
    summarizers: tuple[Spec, ...]
    repeats: int = 1
    encoding: str = "o200k_base"
    profile: str = "openai"
    directory: Path = field(default_factory=Path.cwd)
    """What `./file.py:Name` is relative to."""
    model: str | None = None
    """The model that is asked each written probe; None where none is."""
    judge: str | None = None
    """The model that judges its answers; None where none does."""
    chaos: str | None = None
    """The faults that were put before the endpoint of all its models; None where none were."""

    def __post_init__(self) -> None:
        """Refuse two of one name: their cells would share a key, and one the other's figures.

        And a replay of recorded compactions where not one of the scenarios has any.
        """
        for kind, names in (
            ("scenario", [scenario.key for scenario in self.scenarios]),
            ("strategy", [spec.label for spec in self.strategies]),
            ("budget", [budget.label for budget in self.budgets]),
            ("summarizer", [spec.label for spec in self.summarizers]),
        ):
            for name, times in Counter(names).items():
                if times > 1:
                    raise ConfigurationError(f"{kind} '{name}' is given {times} times")
        replays = any(spec.use == RECORDED for spec in self.strategies)
        if replays and self.scenarios and not any(one.recorded for one in self.scenarios):
            raise ConfigurationError(
                f"strategy '{RECORDED}' replays what the recorded agent's own tool compacted, and"
                " no scenario here tells of that; leave it out, or give a transcript or scenario"
                " that does"
            )

    def cells(self) -> Iterator[CellKey]:
        """Every cell; scenario by scenario, so that neighbours share a prepared script."""
        for scenario in self.scenarios:
            for strategy in self.strategies:
                for budget in self.budgets:
                    for summarizer in self.summarizers:
                        for repeat in range(self.repeats):
                            yield CellKey(
                                scenario.id,
                                scenario.variant,
                                strategy.label,
                                budget.label,
                                summarizer.label,
                                repeat,
                            )
