"""Probes that tell no strategies apart: every strategy passes them at every budget, or none does.

Left aside are the references `none`, `empty` and `evidence-only`, which bound the scale, and
whatever was handed the answer key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.manifest import key_seers
from compaction_eval.eval.records import REUSE_KINDS, CellRecord, Verdict
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import REFERENCES, Marks
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.records import Probe

Outcome = Literal["all", "none"]
_WORDS: Mapping[Outcome, str] = {
    "all": "every strategy passes it at every budget",
    "none": "no strategy passes it at any budget",
}


@dataclass(frozen=True, slots=True)
class Unanimous:
    """A probe with one outcome in every view that counts."""

    scenario: str
    probe: str
    kind: str
    outcome: Outcome
    views: int
    """Verdicts behind it: over strategies, budgets, summarisers, variants and places."""


def unanimous(run: Run, marks: Marks) -> list[Unanimous]:
    """The written probes with one outcome, in the run's order.

    A view that says nothing of what was taken back isn't asked, and no failure: such a probe is
    failed by all only where every view went wrong.
    """
    verdicts: dict[tuple[str, str, str], list[Verdict]] = {}
    for cell in counted(run, marks):
        for probe in cell.probes:
            if probe.kind not in REUSE_KINDS and probe.verdict != "error":
                key = (cell.key.scenario, probe.probe, probe.kind)
                verdicts.setdefault(key, []).append(probe.verdict)
    found = []
    for key, given in verdicts.items():
        outcome = _outcome(given)
        if outcome is not None:
            found.append(Unanimous(*key, outcome, len(given)))
    return found


def counted(run: Run, marks: Marks) -> list[CellRecord]:
    """The cells that have a say: measured, not apart, no reference, without the answer key."""
    seers = key_seers(run.manifest, "strategies")
    prompted = key_seers(run.manifest, "summarizers")
    return [
        cell
        for cell in run.cells
        if cell.error is None
        and not cell.apart
        and cell.key.strategy not in seers
        and cell.key.summarizer not in prompted
        and marks.registered_name(cell.key.strategy) not in REFERENCES
    ]


def _outcome(given: Sequence[Verdict]) -> Outcome | None:
    asked = [verdict for verdict in given if verdict != "not-asked"]
    if not asked:
        return None
    if all(verdict == "correct" for verdict in asked):
        return "all"
    if len(asked) == len(given) and "correct" not in asked:
        return "none"
    return None


def line(found: Unanimous, probe: Probe | None = None) -> str:
    """One line: where it stands if that is known, what it is, what came of it, why it is kept."""
    place = f"{probe.place}: " if probe is not None and probe.place.file else ""
    kept = f"; kept: {probe.kept}" if probe is not None and probe.kept else ""
    return one_line(
        f"{place}{found.scenario}, probe '{found.probe}' ({found.kind}):"
        f" {_WORDS[found.outcome]} ({plural(found.views, 'view')}){kept}"
    )


def comparable(run: Run, marks: Marks) -> bool:
    """Whether there are strategies, or summarisers of one, that a probe could tell apart."""
    keys = [cell.key for cell in counted(run, marks)]
    return len({(key.strategy, key.summarizer) for key in keys}) > 1
