"""All blocks of a page: each conversation, then its cells, packed by as many processes as help."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.recovery import Variant
from compaction_eval.reports.page.cell import cell_block
from compaction_eval.reports.page.conversation import conversation
from compaction_eval.reports.page.packing import pack
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Job:
    """One conversation, or None where it isn't at hand, and its cells."""

    scenario: Scenario | None
    cells: tuple[CellRecord, ...]


@dataclass(frozen=True, slots=True)
class Packed:
    """The blocks of one conversation."""

    conversation: str
    """Empty where it isn't at hand."""
    cells: tuple[str, ...]


_waiting: tuple[TokenCounter, Sequence[Job]] | None = None
"""What the processes of a pool are to pack, which no pipe has to carry then."""


def packed(
    cells: Sequence[CellRecord],
    scenarios: dict[Variant, Scenario],
    counter: TokenCounter,
    *,
    jobs: int = 1,
) -> dict[Variant, Packed]:
    """The blocks by scenario and variant, in the order in which the cells have them."""
    by_variant: dict[Variant, list[CellRecord]] = {}
    for cell in cells:
        by_variant.setdefault((cell.key.scenario, cell.key.variant), []).append(cell)
    work = [Job(scenarios.get(which), tuple(own)) for which, own in by_variant.items()]
    return dict(zip(by_variant, _all(counter, work, jobs), strict=True))


def _all(counter: TokenCounter, work: Sequence[Job], jobs: int) -> list[Packed]:
    global _waiting
    alone = jobs < 2 or len(work) < 2 or sys.platform != "linux"
    if alone or threading.active_count() > 1:
        return [_one(counter, job) for job in work]
    _waiting = (counter, work)
    try:
        with multiprocessing.get_context("fork").Pool(min(jobs, len(work))) as pool:
            return pool.map(_waited, range(len(work)), chunksize=1)
    finally:
        _waiting = None


def _waited(at: int) -> Packed:
    assert _waiting is not None
    counter, work = _waiting
    return _one(counter, work[at])


def _one(counter: TokenCounter, job: Job) -> Packed:
    told = None if job.scenario is None else conversation(job.scenario, counter)
    return Packed(
        conversation="" if told is None else pack(told.block),
        cells=tuple(pack(cell_block(cell, told)) for cell in job.cells),
    )
