"""What charts can show of a row: facts in view, values used again, answers of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.eval.recall.counts import answers_as_probes
from compaction_eval.eval.recall.normalising import normalised_recall
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.statistics import Interval
from compaction_eval.eval.summary import Chosen, reused, written
from compaction_eval.reports.best_words import PHRASES
from compaction_eval.reports.marks import Marks


@dataclass(frozen=True, slots=True)
class Measure:
    """A share that a row may have."""

    name: str
    """A field of the summary row."""
    axis: str
    chosen: Chosen
    of_answers: bool = False
    """Whether it is about what a model answered, and not about the view."""

    @property
    def keeps(self) -> str:
        """What a strategy does, before "most: 40% of ..."."""
        return PHRASES[self.name].keeps

    @property
    def keep(self) -> str:
        """What several do."""
        return PHRASES[self.name].keep

    @property
    def about(self) -> str:
        """What it is a share of, after "40% of"."""
        return PHRASES[self.name].about

    @property
    def kept(self) -> str:
        """What befalls that of which it is a share."""
        return "recalled" if self.of_answers else "kept"

    @property
    def suffix(self) -> str:
        """Of the names of charts that show views without it."""
        return f"-{self.name}" if self.of_answers else ""


SURVIVAL = Measure("survival", "facts still in view", written)
RECALL = Measure(
    "recall", "questions that the model answered rightly", answers_as_probes, of_answers=True
)
REUSE = Measure("reuse", "values used again that were in view", reused)
MEASURES = (SURVIVAL, RECALL, REUSE)


def measured(rows: Sequence[SummaryRow]) -> list[Measure]:
    """The measures that some row has."""
    return [one for one in MEASURES if any(value(row, one) is not None for row in rows)]


def led_by(rows: Sequence[SummaryRow]) -> list[Measure]:
    """What a chart is drawn of that isn't drawn of everything: the view, and the answers apart.

    Of views it is survival, or reuse where no probes were written.
    """
    found = measured(rows)
    of_views = [one for one in found if not one.of_answers]
    return [*of_views[:1], *(one for one in found if one.of_answers)]


def value(row: SummaryRow, measure: Measure) -> float | None:
    """The row's figure, 0 to 1."""
    found: float | None = getattr(row, measure.name)
    return found


class Headline(RowShares):
    """The cells that shares rest on, sorted out once."""

    def normalised(self, row: SummaryRow, rows: Sequence[SummaryRow], marks: Marks) -> float | None:
        """The row's recall between `empty` (0) and `none` (1) at its budget.

        None without both of them, and where the scale has no length.
        """
        ends = {
            marks.registered_name(other.strategy): self.cells_of(other)
            for other in rows
            if other.budget == row.budget and marks.is_reference(other)
        }
        if "empty" not in ends or "none" not in ends:
            return None
        return normalised_recall(self.cells_of(row), ends["empty"], ends["none"])

    @staticmethod
    def interval(row: SummaryRow, measure: Measure) -> Interval | None:
        """The row's share with its interval over scenarios; None with too few of them."""
        found = value(row, measure)
        low, high = getattr(row, f"{measure.name}_low"), getattr(row, f"{measure.name}_high")
        return None if found is None or low is None else Interval(found, low, high)
