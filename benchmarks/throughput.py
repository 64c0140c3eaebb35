"""Request-replays a second on one core, scoring and validity included, after tokenisation."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.measuring import Figure
from benchmarks.replaying import prepared, replayed
from compaction_eval.scenarios.library import select

STRATEGIES = ("count-slice", "token-window", "block-truncation")
BUDGETS = ("15%", "30%", "50%")
ROUNDS = 3


def figures() -> Iterator[Figure]:
    """Requests of the shipped library replayed a second: the median of three rounds."""
    scripts = [prepared(scenario) for scenario in select(())]
    for strategy in STRATEGIES:
        rates = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            requests = sum(
                len(replayed(script, counter, strategy, budget).requests)
                for script, counter in scripts
                for budget in BUDGETS
            )
            rates.append(requests / (time.perf_counter() - start))
        rate = sorted(rates)[ROUNDS // 2]
        yield Figure(f"{strategy} over the library", rate, "requests/s", 5000, at_least=True)
