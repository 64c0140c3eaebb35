"""`gate` on 100,000 verdicts: all that it does, beside reading its baseline as JSON alone."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.measuring import Figure, median_seconds, peak_mebibytes
from compaction_eval.eval.baseline import read_baseline, write_baseline
from compaction_eval.eval.evidence import (
    CellEvidence,
    Evidence,
    Named,
    Outcome,
    ScenarioEvidence,
    Totals,
)
from compaction_eval.eval.gates import parse_gates
from compaction_eval.eval.records import CellKey
from compaction_eval.eval.regression import check_regression
from compaction_eval.eval.statistics import mean_interval, p_above

_SCENARIOS, _STRATEGIES, _PROBES = 100, 20, 50
_GATES = {
    "fail-under": ["survival=0.1", "survival[kind=recall]=0.1"],
    "fail-on-drop": ["survival=50pp"],
    "fail-on-rise": ["sent_tokens=5%"],
}


def figures() -> Iterator[Figure]:
    """Reading and judging against reading JSON; seconds in all; seconds of 10,000 resamples."""
    median_seconds(
        lambda: mean_interval([0.0] * 20), 1
    )  # numpy is loaded once, by whoever is first
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "baseline.jsonl")
        write_baseline(file, _evidence(0))
        later = _evidence(1)

        def read_alone() -> object:
            return [json.loads(line) for line in file.read_text("utf-8").splitlines()]

        def gate(statistical: bool) -> object:
            gates = parse_gates(_GATES)
            return check_regression(later, read_baseline(file), gates, statistical=statistical)

        alone = median_seconds(read_alone)
        plain = median_seconds(lambda: gate(False))
        live = median_seconds(lambda: gate(True))
        wrote = median_seconds(lambda: write_baseline(file, later))
    yield Figure("gate on 100,000 verdicts, times reading its baseline", plain / alone, "x", 8)
    yield Figure("the same with statistics on 20 rows", live / alone, "x", 15)
    yield Figure("gate on 100,000 verdicts with statistics", live, "s", 3)
    yield Figure("writing a baseline of 100,000 verdicts", wrote, "s", 3)
    values = [Random(2).gauss(0, 0.1) for _ in range(_SCENARIOS)]
    resampling = median_seconds(lambda: (mean_interval(values), p_above(values, 0.02)))
    yield Figure("an interval and a p-value, 10,000 resamples each", resampling, "s", 0.5)
    yield Figure("memory at its peak", peak_mebibytes(), "MiB", 600)


def _evidence(seed: int) -> Evidence:
    """100,000 verdicts of which one in a hundred depends on the seed."""
    fixed, varying = Random(7), Random(seed)
    names = [f"s{n:03}" for n in range(_SCENARIOS)]
    strategies = [f"strategy-{n}" for n in range(_STRATEGIES)]
    cells = []
    for scenario in names:
        for strategy in strategies:
            outcomes = []
            for probe in range(_PROBES):
                source = varying if fixed.random() < 0.01 else fixed
                kind = "recall" if probe % 2 else "update"
                verdict = "correct" if source.random() < 0.6 else "missing"
                outcomes.append(Outcome(f"p{probe}", "end", kind, verdict))  # type: ignore[arg-type]  # one of two literals
            key = CellKey(scenario, "", strategy, "30%", "extractive")
            totals = Totals(requests=20, sent_tokens=10_000, full_tokens=30_000)
            cells.append(CellEvidence(key, totals, tuple(outcomes)))
    return Evidence(
        circumstances={"encoding": "o200k_base"},
        strategies=tuple(Named(one, one) for one in strategies),
        summarizers=(Named("extractive", "extractive"),),
        scenarios=tuple(ScenarioEvidence(one, "", one) for one in names),
        cells=tuple(cells),
        name="benchmark",
    )
