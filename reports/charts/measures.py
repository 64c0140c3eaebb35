"""What charts can show of a row: facts in view, values used again, answers of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.eval.statistics import FEWEST, Interval, mean_interval
from compaction_eval.eval.summary import Chosen, reused, scenario_shares, written

RowKey = tuple[str, str, str]
"""Strategy, budget and summariser; the last is empty where it makes no difference."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A share that a row may have."""

    name: str
    """A field of the summary row."""
    about: str
    """What it is a share of, after "keeps 40% of"."""
    axis: str
    chosen: Chosen


MEASURES = (
    Measure("survival", "the facts", "facts still in view", written),
    Measure("reuse", "the values used again", "values used again that were in view", reused),
)


def measured(rows: Sequence[SummaryRow]) -> list[Measure]:
    """The measures that some row has."""
    return [one for one in MEASURES if any(value(row, one) is not None for row in rows)]


def value(row: SummaryRow, measure: Measure) -> float | None:
    """The row's figure, 0 to 1."""
    found: float | None = getattr(row, measure.name)
    return found


@dataclass(frozen=True)
class Headline:
    """The cells that shares rest on, sorted out once."""

    cells: Sequence[CellRecord]

    @cached_property
    def by_row(self) -> Mapping[RowKey, list[CellRecord]]:
        """Measured cells that don't stand apart; also without a summariser's name."""
        found: dict[RowKey, list[CellRecord]] = {}
        for cell in self.cells:
            if cell.error is None and not cell.apart:
                key = (cell.key.strategy, cell.key.budget, cell.key.summarizer)
                found.setdefault(key, []).append(cell)
        for (strategy, budget, _), group in list(found.items()):
            found.setdefault((strategy, budget, ""), group)
        return found

    def of(self, row: SummaryRow) -> list[CellRecord]:
        """The cells of a row."""
        return self.by_row.get((row.strategy, row.budget, row.summarizer), [])

    def interval(self, row: SummaryRow, measure: Measure) -> Interval | None:
        """The row's share with its interval over scenarios; None with too few of them."""
        shares = list(scenario_shares(self.of(row), measure.chosen).values())
        return mean_interval(shares) if len(shares) >= FEWEST else None
