"""Which budgets get a panel where there is room for a few."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.records import SummaryRow

MOST_PANELS = 3


def shown_budgets(rows: Sequence[SummaryRow], most: int = MOST_PANELS) -> list[str]:
    """The budgets of the rows in their order; of more than `most`, evenly chosen ones."""
    return evenly(list(dict.fromkeys(row.budget for row in rows)), most)


def evenly(budgets: list[str], most: int = MOST_PANELS) -> list[str]:
    """All of the budgets; of more than `most`, evenly chosen ones."""
    if len(budgets) <= most:
        return budgets
    if most == 1:
        return [budgets[len(budgets) // 2]]
    return [budgets[at * (len(budgets) - 1) // (most - 1)] for at in range(most)]
