"""`compare` on 100,000 verdicts in three shapes; all cells change, so that nothing is spared."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.measuring import Figure, median_seconds
from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.comparison import Grouping, compare
from compaction_eval.eval.evidence import CellEvidence, Evidence, Outcome, ScenarioEvidence, Totals
from compaction_eval.eval.matching import matches
from compaction_eval.eval.pairing import flips, pair
from compaction_eval.eval.records import CellKey, Verdict
from compaction_eval.reports.comparison_groups import by_kind, by_tag

SHAPES = ((42, 20, 119), (200, 20, 25), (1_000, 20, 5))
"""Scenarios, probes of each, and strategies."""
KINDS = ("recall", "update", "constraint", "decision", "artifact", "tool-result", "reuse")


def figures() -> Iterator[Figure]:
    """Seconds of pairing, flips and every difference with its interval, by kind, age and tag."""
    for scenarios, probes, strategies in SHAPES:
        base = evidence(scenarios, probes, strategies, seed=1)
        new = evidence(scenarios, probes, strategies, seed=2)
        what = f"compare {scenarios:,} scenarios x {probes} probes x {strategies} strategies"
        seconds = median_seconds(lambda b=base, n=new: _compared(b, n))
        yield Figure(f"{what}, all changed", seconds, "s", 3)
    budgets = evidence(200, 20, 5, seed=3, budgets=("15%", "30%", "50%", "70%", "90%"))
    matched = median_seconds(lambda: matches(budgets, "strategy-0", "strategy-1"))
    yield Figure("two of five strategies at five budgets, matched", matched, "s", 1)


def _compared(base: Evidence, new: Evidence) -> None:
    assert obstacles(base, new) == []
    pairs = pair(base, new).pairs
    assert sum(1 for _ in flips(pairs)) > 0
    compare(pairs, (by_kind(), _ages(), by_tag(new)))


def _ages() -> Grouping:
    """Eight bands, as a run of long conversations has."""
    return Grouping("age", lambda one: (str(int(one.probe[1:]) % 8),), lambda name: (0, name))


def evidence(
    scenarios: int,
    probes: int,
    strategies: int,
    *,
    seed: int,
    budgets: tuple[str, ...] = ("30%",),
) -> Evidence:
    """Invented evidence: a third of the answers is lost, at random."""
    dice = random.Random(seed)
    verdicts: tuple[Verdict, ...] = ("correct", "correct", "missing", "stale")
    keys = [
        CellKey(f"scenario-{s}", "", f"strategy-{t}", budget, "extractive")
        for s in range(scenarios)
        for t in range(strategies)
        for budget in budgets
    ]
    cells = tuple(
        CellEvidence(
            key,
            Totals(
                requests=probes,
                sent_tokens=dice.randrange(40_000),
                full_tokens=100_000,
                retained_tokens=probes * (dice.randrange(500) + 10 * int(key.budget[:-1])),
                probed_requests=probes,
            ),
            tuple(
                Outcome(f"p{at}", "end", KINDS[at % len(KINDS)], dice.choice(verdicts))
                for at in range(probes)
            ),
        )
        for key in keys
    )
    return Evidence(
        circumstances={"schema": "invented"},
        strategies=(),
        summarizers=(),
        scenarios=tuple(
            ScenarioEvidence(
                f"scenario-{s}", "", "0", (f"tag-{s % 7}", f"tag-{7 + s % 11}", f"tag-{18 + s % 5}")
            )
            for s in range(scenarios)
        ),
        cells=cells,
    )
