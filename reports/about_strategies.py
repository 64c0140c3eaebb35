"""What each strategy of a run does, in a line: for whoever meets its name in a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from compaction_eval.eval.following_budget import budget_blind
from compaction_eval.eval.records import CellRecord
from compaction_eval.strategies.describing import about_spec

UNMOVED = "Its size doesn't follow the budget: it sent the same at each."


def about_strategies(manifest: Mapping[str, Any], cells: Iterable[CellRecord]) -> dict[str, str]:
    """By label: what it does and its settings, or the spec of one's own; then whether it ignores
    the budget, as far as this run shows.
    """
    cells = tuple(cells)
    specs = {one["label"]: one["spec"] for one in manifest.get("strategies", ())}
    blind = budget_blind(cells)
    found = {}
    for label in dict.fromkeys(cell.key.strategy for cell in cells):
        told = about_spec(specs.get(label, label))
        if label in blind:
            told += f"{'' if told.endswith('.') else '.'} {UNMOVED}"
        found[label] = told
    return found
