"""Judging gates on evidence: each row of the table passes, fails, or leaves it open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean
from typing import Literal

from compaction_eval.eval.changes import changes
from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome
from compaction_eval.eval.gates import ON_CHANGE, ROW_FILTERS, Gate
from compaction_eval.eval.metrics import asked_of, scenario_shares
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.statistics import (
    Clustering,
    Interval,
    TooFewScenariosError,
    clustering,
    holm,
    mean_interval,
    p_above,
)
from compaction_eval.scenarios.records import variant_name
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

Judgement = Literal["pass", "fail", "inconclusive"]
ALPHA = 0.05
ROUNDING = 1e-12
"""What two ways of adding the same numbers may differ by; no figure is rounded beyond that."""
Row = tuple[str, str, str]
"""Strategy, budget, summariser."""


@dataclass(frozen=True, slots=True)
class Result:
    """One gate on one row."""

    gate: Gate
    row: Row
    judgement: Judgement
    value: float
    """The figure, in its metric's unit."""
    before: float | None = None
    """The baseline's figure over the same cells, for rules on changes."""
    scenarios: int = 0
    probes: int = 0
    """Verdicts behind the figure; 0 for figures of requests."""
    interval: Interval | None = None
    """Of the harmful change, where statistics decide; 90% of it two-sided, so 95% to each side. Of
    an absolute bound's figure in a live run."""
    p_harmless: float | None = None
    """Against "the harm is at least what is allowed", adjusted for the number of gates (Holm)."""
    p_harmful: float | None = None
    """Against "the harm is at most what is allowed", adjusted likewise."""
    clustering: Clustering | None = None
    why: str = ""
    """Of an open one: what is lacking."""


def judge(
    gates: Sequence[Gate],
    evidence: Evidence,
    pairs: Sequence[Pair] = (),
    *,
    statistical: bool = False,
) -> list[Result]:
    """Every gate on every row that it is about, in the order of gates and rows.

    `pairs` are the cells in common with a baseline; rules on changes look at these alone.
    `statistical` judges changes of shares with intervals over scenarios, as two live runs need.
    Raises ConfigurationError where a gate finds nothing to look at.
    """
    results: list[Result] = []
    faults: list[str] = []
    for gate in gates:
        try:
            rows = _comparable(gate, _rows(gate, evidence), pairs)
            results += [_judged(gate, row, evidence, pairs, statistical) for row in rows]
        except ConfigurationError as error:
            faults.append(f"{gate}: {error}")
    if faults:
        raise ConfigurationError("\n".join(faults))
    return _decided(results) if statistical else results


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
            (key.strategy, key.budget, key.summarizer) == row
            and scenario in (None, key.scenario, variant_name(key.scenario, key.variant))
            and (tag is None or tag in tags.get((key.scenario, key.variant), ()))
        )

    if gate.rule not in ON_CHANGE:
        cells = gate.metric.seen([cell for cell in evidence.cells if wanted(cell)])
        value = _value(gate, row, cells, chosen)
        harm = _sign(gate) * (Fraction(value) - gate.bound.value)
        result = _result(gate, row, cells, chosen, _plain(gate, harm), value)
        return _with_interval(result, cells, chosen) if statistical else result
    mine = [Pair(*gate.metric.seen((one.before, one.after))) for one in pairs if wanted(one.after)]
    cells = [one.after for one in mine]
    value = _value(gate, row, cells, chosen)
    before = _value(gate, row, [one.before for one in mine], chosen)
    if statistical and gate.metric.of_verdicts:
        result = _result(gate, row, cells, chosen, "inconclusive", value)
        return _estimated(replace(result, before=before), mine, chosen)
    harm = _sign(gate) * (Fraction(value) - Fraction(before)) - _margin(gate, before)
    result = _result(gate, row, cells, chosen, _plain(gate, harm), value)
    return replace(result, before=before)


def _plain(gate: Gate, harm: Fraction) -> Judgement:
    """Fails for any harm above nothing: counts are exact, shares are what floats make of them."""
    return "fail" if harm > (ROUNDING if gate.metric.unit == "share" else 0) else "pass"


def _with_interval(
    result: Result, cells: Sequence[CellEvidence], chosen: Callable[[Outcome], bool]
) -> Result:
    """With the interval of a share, which is told and doesn't decide: the bound is as given."""
    metric = result.gate.metric
    if metric.counted is None:
        return result
    shares = scenario_shares(cells, lambda one: metric.family(one) and chosen(one), metric.counted)
    try:
        return replace(result, interval=mean_interval([*shares.values()], 1 - 2 * ALPHA))
    except TooFewScenariosError:
        return result


def _sign(gate: Gate) -> int:
    """What is harmful under the gate's rule: 1 when more is."""
    return 1 if gate.rule in ("fail-over", "fail-on-rise") else -1


def _margin(gate: Gate, before: float) -> Fraction:
    """The change that a gate allows, in the metric's unit."""
    return gate.bound.value * (abs(Fraction(before)) if gate.bound.relative else 1)


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


def _estimated(result: Result, pairs: Sequence[Pair], chosen: Callable[[Outcome], bool]) -> Result:
    """The harm per scenario and its interval; all gates together decide whether it is enough."""
    found = changes(result.gate.metric, pairs, chosen)
    by_scenario = {
        scenario: [change for variant in variants.values() for change in variant]
        for scenario, variants in found.items()
    }
    result = replace(result, clustering=clustering(by_scenario))
    harms = [
        _sign(result.gate) * fmean(map(fmean, variants.values())) for variants in found.values()
    ]
    try:
        interval = mean_interval(harms, 1 - 2 * ALPHA)
    except TooFewScenariosError as error:
        return replace(result, why=str(error))
    margin = float(_margin(result.gate, result.before or 0.0))
    return replace(
        result,
        interval=interval,
        p_harmless=p_above([-harm for harm in harms], -margin),
        p_harmful=p_above(harms, margin),
    )


def _decided(results: Sequence[Result]) -> list[Result]:
    """Open results decided at `ALPHA`, with the p-values adjusted for how many gates there are."""
    open_ones = [one for one in results if one.p_harmless is not None]
    harmless = holm([one.p_harmless or 0.0 for one in open_ones])
    harmful = holm([one.p_harmful or 0.0 for one in open_ones])
    decided = {}
    for one, passes, fails in zip(open_ones, harmless, harmful, strict=True):
        judgement: Judgement = (
            "pass" if passes <= ALPHA else "fail" if fails <= ALPHA else one.judgement
        )
        why = (
            ""
            if judgement != "inconclusive"
            else (
                "the interval reaches over the margin; more scenarios or replicates would decide it"
            )
        )
        decided[id(one)] = replace(
            one, judgement=judgement, p_harmless=passes, p_harmful=fails, why=why
        )
    return [decided.get(id(one), one) for one in results]
