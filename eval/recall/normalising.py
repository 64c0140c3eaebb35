"""Recall on the scale that the questions and the model themselves set.

A model that guesses recalls something from the question alone, and one that is weak doesn't recall
everything from the full history. So what a strategy leaves is read between the two: 0 is what the
control `empty` gets, 1 what `none` gets. It lies outside where a shorter view helps or misleads.
"""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.recall.counts import answers_as_probes
from compaction_eval.eval.records import CellRecord, ProbeRecord
from compaction_eval.eval.summary import mean_share
from compaction_eval.eval.verdicts import UNASKED

Question = tuple[str, str, int, str, int]
"""Scenario, variant, repeat, probe, and the messages said before it."""


def normalised_recall(
    own: Sequence[CellRecord], empty: Sequence[CellRecord], none: Sequence[CellRecord]
) -> float | None:
    """(own - empty) / (none - empty): means over scenarios of what was answered under all three.

    The cells are those of the headline, at one budget. None where no question was answered under
    all three, or where the full history is answered no better than the bare question.
    """
    shared = _answered(own) & _answered(empty) & _answered(none)

    def chosen(cell: CellRecord) -> list[ProbeRecord]:
        return [probe for probe in answers_as_probes(cell) if _question(cell, probe) in shared]

    kept, floor, ceiling = (mean_share(cells, chosen) for cells in (own, empty, none))
    if kept is None or floor is None or ceiling is None or ceiling <= floor:
        return None
    return (kept - floor) / (ceiling - floor)


def _answered(cells: Sequence[CellRecord]) -> set[Question]:
    return {
        _question(cell, probe)
        for cell in cells
        for probe in answers_as_probes(cell)
        if probe.verdict not in UNASKED
    }


def _question(cell: CellRecord, probe: ProbeRecord) -> Question:
    return cell.key.scenario, cell.key.variant, cell.key.repeat, probe.probe, probe.at
