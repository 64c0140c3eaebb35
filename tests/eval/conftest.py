"""Evidence made by hand: scenarios with a verdict for each probe, under one or more strategies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.eval.evidence import (
    CellEvidence,
    Evidence,
    Named,
    Outcome,
    ScenarioEvidence,
    Totals,
)
from compaction_eval.eval.records import CellKey, Verdict

ByHand = Callable[..., Evidence]
SHORT: Mapping[str, Verdict] = {
    "+": "correct",
    "-": "missing",
    "s": "stale",
    "m": "mixed",
    "w": "wrong",
    "a": "abstained",
    "n": "not-asked",
    "e": "error",
}


def _by_hand(
    scenarios: Mapping[str, str | Sequence[str]],
    *,
    strategies: Sequence[str] = ("mine",),
    kinds: Sequence[str] = ("recall",),
    tags: Mapping[str, tuple[str, ...]] | None = None,
    totals: Totals | None = None,
    name: str = "run",
    **more: Any,
) -> Evidence:
    """`{"a": "+-s"}`: a scenario of three probes; several texts are its repeats.

    `kinds` go round over the probes.
    """
    cells = []
    for scenario, given in scenarios.items():
        for repeat, verdicts in enumerate([given] if isinstance(given, str) else given):
            outcomes = tuple(
                Outcome(f"p{at}", "end", kinds[at % len(kinds)], SHORT[sign])
                for at, sign in enumerate(verdicts)
            )
            for strategy in strategies:
                key = CellKey(scenario, "", strategy, "30%", "none", repeat)
                cells.append(CellEvidence(key, totals or Totals(requests=1), outcomes))
    found = Evidence(
        circumstances={"encoding": "o200k_base", "matcher": 1},
        strategies=tuple(Named(one, "./mine.py:f" if one == "mine" else one) for one in strategies),
        summarizers=(Named("none", "none"),),
        scenarios=tuple(
            ScenarioEvidence(one, "", f"digest of {one}", (tags or {}).get(one, ()))
            for one in scenarios
        ),
        cells=tuple(cells),
        name=name,
    )
    return replace(found, **more) if more else found


@pytest.fixture
def by_hand() -> ByHand:
    """Makes evidence from a text of verdict signs for each scenario."""
    return _by_hand
