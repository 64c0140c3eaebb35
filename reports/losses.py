"""Verdicts that got worse, each with what a reviewer asks: which line, and which compaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compaction_eval.eval.evidence import place_of
from compaction_eval.eval.pairing import Flip
from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import (
    REUSE_KINDS,
    CellKey,
    CellRecord,
    ProbeRecord,
    RequestRecord,
)
from compaction_eval.eval.recovery import Variant, recovered
from compaction_eval.eval.store import Run
from compaction_eval.reports.what_was_lost import what_was_asked
from compaction_eval.scenarios.records import Scenario, variant_name


@dataclass(frozen=True, slots=True)
class Loss:
    """A flip with its places. Texts are as they came, made safe by whoever shows them."""

    flip: Flip
    file: str | None
    """The scenario's file, as the run saw it; null where the run doesn't say."""
    line: int
    lost: str
    """`lost at request before message 12 (summarize)`."""
    what: str = ""
    """The question with its answer by then; empty where the scenario isn't at hand."""

    @property
    def scenario(self) -> str:
        """The scenario with its variant, as `port[noise=20]`."""
        return scenario_of(self.flip.key)

    @property
    def probe(self) -> str:
        """The probe and where it was asked, as `port@end`."""
        return probe_of(self.flip.kind, self.flip.probe, self.flip.place)

    @property
    def row(self) -> str:
        """The strategy, budget and summariser, as `mine at 30% with extractive`."""
        return row_of(self.flip.key)

    @property
    def change(self) -> str:
        """`correct -> missing`."""
        return f"{self.flip.before} -> {self.flip.after}"


def scenario_of(key: CellKey) -> str:
    """A cell's scenario with its variant."""
    return variant_name(key.scenario, key.variant)


def row_of(key: CellKey) -> str:
    """A cell's strategy, budget, summariser and, after the first, its repeat."""
    repeat = f", repeat {key.repeat + 1}" if key.repeat else ""
    return f"{key.strategy} at {key.budget} with {key.summarizer}{repeat}"


def probe_of(kind: str, probe: str, place: str) -> str:
    """A probe with its place; a reuse probe's is the message that used the value."""
    return f"{probe}@message {place}" if kind in REUSE_KINDS else f"{probe}@{place}"


def losses(flips: Sequence[Flip], run: Run) -> list[Loss]:
    """The flips with their places, in their order; their scenarios are read again."""
    wanted = {flip.key for flip in flips}
    cells = {cell.key: cell for cell in run.cells if cell.key in wanted}
    at_hand = recovered(run.manifest, {(key.scenario, key.variant) for key in wanted}).scenarios
    return [_loss(flip, cells.get(flip.key), run, at_hand) for flip in flips]


def _loss(
    flip: Flip, cell: CellRecord | None, run: Run, at_hand: Mapping[Variant, Scenario]
) -> Loss:
    file, line = probe_place(run.manifest, flip.key.scenario, flip.probe) or (None, 1)
    probes = cell.probes if cell is not None else ()
    record = next(
        (one for one in probes if (one.probe, place_of(one)) == (flip.probe, flip.place)), None
    )
    lost = _where(cell, record) if cell is not None and record is not None else "lost"
    scenario = at_hand.get((flip.key.scenario, flip.key.variant))
    what = ""
    if scenario is not None and record is not None:
        what = what_was_asked(scenario, flip.probe, record.at)
    return Loss(flip, file, line, lost, what)


def _where(cell: CellRecord, record: ProbeRecord) -> str:
    """The request that lost it: on the main line, or only the one that asks."""
    if record.lost_at is not None and 0 <= record.lost_at < len(cell.requests):
        return f"lost at request {_told(cell.requests[record.lost_at])}"
    if not 0 <= record.request < len(cell.requests):
        return "lost"
    request = cell.requests[record.request]
    if record.place == "end":
        return f"lost at the question itself, at the end ({_deed(request)})"
    what = "the request that uses it" if record.kind in REUSE_KINDS else "the question itself"
    return f"lost at {what}, {_told(request)}"


def _told(request: RequestRecord) -> str:
    return f"before message {request.at} ({_deed(request)})"


def _deed(request: RequestRecord) -> str:
    return "no compaction" if request.action == "none" else request.action
