"""Judging gates on evidence: each row of the table passes, fails, or leaves it open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome
from compaction_eval.eval.gate_results import Judgement, Result, Row
from compaction_eval.eval.gates import ON_CHANGE, ROW_FILTERS, Gate
from compaction_eval.eval.metrics import asked_of
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.row_cells import row_key
from compaction_eval.eval.weighing import decided, weighed_change, weighed_share
from compaction_eval.scenarios.records import variant_name
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

ROUNDING = 1e-12
"""What two ways of adding the same numbers may differ by; no figure is rounded beyond that."""


def judge(
    gates: Sequence[Gate],
    evidence: Evidence,
    pairs: Sequence[Pair] = (),
    *,
    statistical: bool | None = False,
) -> list[Result]:
    """Every gate on every row that it is about, in the order of gates and rows.

    `pairs` are the cells in common with a baseline; rules on changes look at these alone.
    `statistical` judges shares with intervals over scenarios, as live runs need; None: only those
    of a model's answers.
    Raises ConfigurationError where a gate finds nothing to look at.
    """
    results: list[Result] = []
    faults: list[str] = []
    for gate in gates:
        try:
            rows = _comparable(gate, _rows(gate, evidence), pairs)
            weighed = gate.metric.of_answers if statistical is None else statistical
            results += [_judged(gate, row, evidence, pairs, weighed) for row in rows]
        except ConfigurationError as error:
            faults.append(f"{gate}: {error}")
    if faults:
        raise ConfigurationError("\n".join(faults))
    return decided(results)


def _rows(gate: Gate, evidence: Evidence) -> list[Row]:
    """The rows that a gate is about: all but the controls, or those that it names."""
    controls = {one.label for one in evidence.strategies if one.is_control}
    rows = list(
        dict.fromkeys((c.key.strategy, c.key.budget, c.key.summarizer) for c in evidence.cells)
    )
    wanted = [
        row
        for row in rows
        if (row[0] not in controls or "strategy" in gate.filters)
        and all(
            gate.filters.get(key, value) == value
            for key, value in zip(ROW_FILTERS, row, strict=True)
        )
    ]
    if not wanted:
        for at, key in enumerate(ROW_FILTERS):
            known = list(dict.fromkeys(row[at] for row in rows))
            value = gate.filters.get(key)
            if value is not None and value not in known:
                hint = did_you_mean(value, known) or f"; there are {', '.join(known)}"
                raise ConfigurationError(f"no {key} is '{value}'{hint}")
        raise ConfigurationError("there is nothing but controls to look at; name a strategy")
    return wanted


def _comparable(gate: Gate, rows: Sequence[Row], pairs: Sequence[Pair]) -> list[Row]:
    """The rows that a rule can be applied to: a change needs a row that was there before."""
    if gate.rule not in ON_CHANGE:
        return list(rows)
    known = {
        (one.after.key.strategy, one.after.key.budget, one.after.key.summarizer) for one in pairs
    }
    found = [row for row in rows if row in known]
    if not found:
        raise ConfigurationError("the baseline has none of these strategies, budgets, summarizers")
    return found


def _judged(
    gate: Gate, row: Row, evidence: Evidence, pairs: Sequence[Pair], statistical: bool
) -> Result:
    chosen = _chosen(gate)
    tags = {(one.id, one.variant): one.tags for one in evidence.scenarios}

    def wanted(cell: CellEvidence) -> bool:
        key = cell.key
        tag, scenario = gate.filters.get("tag"), gate.filters.get("scenario")
        return (
            row_key(key) == row
            and scenario in (None, key.scenario, variant_name(key.scenario, key.variant))
            and (tag is None or tag in tags.get((key.scenario, key.variant), ()))
        )

    if gate.rule not in ON_CHANGE:
        cells = gate.metric.seen([cell for cell in evidence.cells if wanted(cell)])
        value = _value(gate, row, cells, chosen)
        harm = gate.harmful_sign * (Fraction(value) - gate.bound.value)
        result = _result(gate, row, cells, chosen, _plain(gate, harm), value)
        if statistical and gate.metric.of_verdicts:
            return weighed_share(result, cells, chosen)
        return result
    mine = [Pair(*gate.metric.seen((one.before, one.after))) for one in pairs if wanted(one.after)]
    cells = [one.after for one in mine]
    value = _value(gate, row, cells, chosen)
    before = _value(gate, row, [one.before for one in mine], chosen)
    if statistical and gate.metric.of_verdicts:
        result = _result(gate, row, cells, chosen, "inconclusive", value)
        return weighed_change(replace(result, before=before), mine, chosen)
    harm = gate.harmful_sign * (Fraction(value) - Fraction(before)) - gate.bound.margin(before)
    result = _result(gate, row, cells, chosen, _plain(gate, harm), value)
    return replace(result, before=before)


def _plain(gate: Gate, harm: Fraction) -> Judgement:
    """Fails for any harm above nothing: counts are exact, shares are what floats make of them."""
    return "fail" if harm > (ROUNDING if gate.metric.unit == "share" else 0) else "pass"


def _value(
    gate: Gate, row: Row, cells: Sequence[CellEvidence], chosen: Callable[[Outcome], bool]
) -> float:
    value = gate.metric.value(cells, chosen)
    if value is None and gate.metric.of_answers and not _was_asked(cells):
        raise ConfigurationError(
            f"{gate.metric.name} is what a model answers, and no model was asked; "
            "what the view still holds is survival, and `run --model` asks one"
        )
    if value is None:
        over = "".join(
            f", {key} {value}"
            for key, value in gate.filters.items()
            if key not in ("strategy", "budget", "summarizer")
        )
        raise ConfigurationError(
            f"nothing to look at: no {gate.metric.name} was measured for {row[0]} at {row[1]} with "
            f"{row[2]}{over}; a gate on nothing would always pass"
        )
    return value


def _was_asked(cells: Iterable[CellEvidence]) -> bool:
    return any(one.recall is not None for cell in cells for one in cell.outcomes)


def _chosen(gate: Gate) -> Callable[[Outcome], bool]:
    kind = gate.filters.get("kind")
    return lambda outcome: kind is None or outcome.kind == kind


def _result(
    gate: Gate,
    row: Row,
    cells: Iterable[CellEvidence],
    chosen: Callable[[Outcome], bool],
    judgement: Judgement,
    value: float,
) -> Result:
    seen = [cell for cell in cells if not cell.error and not cell.apart]
    probes = sum(len(asked_of(cell, chosen)) for cell in seen) if gate.metric.of_verdicts else 0
    scenarios = len({cell.key.scenario for cell in seen})
    return Result(gate, row, judgement, value, scenarios=scenarios, probes=probes)
