"""Of a gate that isn't met the first cell, and the first probe in it, that made its figure so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome
from compaction_eval.eval.gate_results import Result
from compaction_eval.eval.metrics import asked_of
from compaction_eval.eval.records import CellKey
from compaction_eval.scenarios.records import variant_name


class Cause(NamedTuple):
    """What to look at: a cell, and a probe of it where the figure rests on verdicts."""

    key: CellKey
    probe: str | None


def first_cause(results: Sequence[Result], evidence: Evidence) -> Cause | None:
    """That of the first failed gate which has one; tokens and cache hits have none."""
    for result in results:
        if result.judgement == "fail":
            cause = next(_causes(result, evidence), None)
            if cause is not None:
                return cause
    return None


def _causes(result: Result, evidence: Evidence) -> Iterator[Cause]:
    metric = result.gate.metric
    for cell in _cells(result, evidence):
        if metric.of_verdicts:
            for outcome in asked_of(cell, lambda one: _is_asked(result, one)):
                if (outcome.verdict == metric.counted) == _is_too_much(result):
                    yield Cause(cell.key, outcome.probe)
        elif metric.unit == "count" and getattr(cell.totals, metric.name, 0) > 0:
            yield Cause(cell.key, None)


def _cells(result: Result, evidence: Evidence) -> Iterator[CellEvidence]:
    filters = result.gate.filters
    tags = {(one.id, one.variant): one.tags for one in evidence.scenarios}
    for cell in evidence.cells:
        key = cell.key
        names = (key.scenario, variant_name(key.scenario, key.variant))
        if (
            not cell.error
            and not (cell.apart and result.gate.metric.of_verdicts)
            and (key.strategy, key.budget, key.summarizer) == result.row
            and filters.get("scenario", key.scenario) in names
            and ("tag" not in filters or filters["tag"] in tags[key.scenario, key.variant])
        ):
            yield cell


def _is_asked(result: Result, outcome: Outcome) -> bool:
    gate = result.gate
    return gate.metric.family(outcome) and gate.filters.get("kind", outcome.kind) == outcome.kind


def _is_too_much(result: Result) -> bool:
    """Whether the verdict that counts is what there is too much of."""
    return result.gate.rule in ("fail-over", "fail-on-rise")
