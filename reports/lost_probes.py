"""The probes that a run lost, each with its place in a file and the compaction that lost it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import REUSE_KINDS, CellKey, CellRecord, ProbeRecord, Verdict
from compaction_eval.eval.store import Run
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.printable import cut, one_line
from compaction_eval.reports.verdict_story import probe_lines, reasons
from compaction_eval.scenarios.records import Scenario, variant_name

KEPT: tuple[Verdict, ...] = ("correct", *UNASKED)
"""Verdicts that say of no answer that it was lost."""
_WIDTH = 160


@dataclass(frozen=True, slots=True)
class LostProbe:
    """One probe at one place whose answer the view didn't hold, or didn't say last."""

    key: CellKey
    probe: str
    place: str
    """The mark's name, `end`, or for a reuse probe `request`."""
    kind: str
    """A kind of written probe, or one of `REUSE_KINDS`."""
    verdict: Verdict
    question: str
    """What was asked; of a reuse probe, the value that the agent used again, and in which tool."""
    where: str
    """At which request it was lost, and what the compaction did there."""
    request: int
    """The request at which it was missed, counted from 0."""
    at: int
    """Messages of the script said before that request."""
    file: str = ""
    """The scenario's file; empty where the run doesn't say."""
    line: int = 0
    details: tuple[str, ...] = field(default=(), repr=False)
    """The whole story, line by line, as `show` tells it."""

    @property
    def scenario(self) -> str:
        """The scenario's id, with its variant in brackets where there is one."""
        return variant_name(self.key.scenario, self.key.variant)

    @property
    def location(self) -> str:
        """`file:line`, or the scenario where the run doesn't say."""
        return f"{self.file}:{self.line}" if self.file else self.scenario

    def __str__(self) -> str:
        what = f"{self.location}: {self.scenario}, {self.probe} ({self.kind}) {self.verdict}"
        return one_line(f"{what}: {self.where}" if self.where else what)

    def story(self) -> list[str]:
        """Place, verdict, question, expected answer, and how it was lost, one line each."""
        return [one_line(f"{self.location}: {self.scenario}"), *self.details]


def lost_probes(
    run: Run, scenarios: Mapping[tuple[str, str], Scenario], width: int = _WIDTH
) -> Iterator[LostProbe]:
    """All probes that count and weren't `correct`, in the order of the cells.

    `scenarios` by id and variant, as the run replayed them. What stands in no share (cells apart,
    values that come free) is left out.
    """
    for cell in run.cells:
        scenario = scenarios[cell.key.scenario, cell.key.variant]
        for record in cell.probes if not cell.apart else ():
            if record.verdict not in KEPT and not record.free:
                yield _lost(run, scenario, cell, record, width)


def _lost(
    run: Run, scenario: Scenario, cell: CellRecord, record: ProbeRecord, width: int
) -> LostProbe:
    file, line = probe_place(run.manifest, scenario.id, record.probe) or ("", 0)
    return LostProbe(
        key=cell.key,
        probe=record.probe,
        place=record.place,
        kind=record.kind,
        verdict=record.verdict,
        question=_question(scenario, record),
        where=cut("; ".join(reasons(scenario, cell, record, width)), width),
        request=record.request,
        at=record.at,
        file=file,
        line=line,
        details=tuple(text for text, _ in probe_lines(scenario, cell, record, width)),
    )


def _question(scenario: Scenario, record: ProbeRecord) -> str:
    if record.kind in REUSE_KINDS:
        found = next(one for one in scenario.reuse if one.id == record.probe)
        where = f"in a call of {found.tool}" if found.tool else "in its own words"
        return f"{found.value} (used again {where})"
    return next(one.ask for one in scenario.probes if one.id == record.probe)
