"""All blocks of a page: each conversation, then its cells, packed by as many processes as help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.recovery import Variant
from compaction_eval.reports.forking import mapped
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
    blocks = mapped(partial(_one, counter), work, jobs=jobs)
    return dict(zip(by_variant, blocks, strict=True))


def _one(counter: TokenCounter, job: Job) -> Packed:
    told = None if job.scenario is None else conversation(job.scenario, counter)
    return Packed(
        conversation="" if told is None else pack(told.block),
        cells=tuple(pack(cell_block(cell, told)) for cell in job.cells),
    )
