"""Which budgets get a panel where there is room for a few, and which one where there is for one."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.columns import merged
from compaction_eval.reports.findings import Finding, findings, middle
from compaction_eval.reports.printable import one_line

MOST_PANELS = 3


def told_budget(material: Material, measure: str = "") -> str:
    """The budget of charts that show one, and of titles: the middle one with something to choose.

    That is the one of the trade-off's title. `measure`: by default that of `measure_of`. Empty
    without rows.
    """
    found = _findings(material, measure)
    return middle(found).budget if found else ""


def budget_note(material: Material, measure: str = "") -> str:
    """Which budget is shown, and why that one where there are several."""
    found = _findings(material, measure)
    budget = told_budget(material, measure)
    share = " of the full history" if budget.endswith("%") else ""
    said = f"budget {one_line(budget)}{share}"
    there = [one for one in found if one.best]
    if len(found) < 2 or not there:
        return said
    which = {1: "the only one", 2: "the last of 2"}.get(len(there), f"the middle of {len(there):,}")
    return f"{said}, {which} with a usable strategy"


def _findings(material: Material, measure: str) -> list[Finding]:
    """Of each budget; which rows can be told apart makes no difference here."""
    rows = merged(material.rows)
    return findings(rows, material.marks, measure=measure or None) if rows else []


def panelled(budgets: Sequence[str], told: str) -> list[str]:
    """All of the budgets; of more than `MOST_PANELS` the first, the last and `told` between them.

    Where that is the first or the last itself, the middle one is between them.
    """
    if len(budgets) <= MOST_PANELS:
        return list(budgets)
    between = told if told in budgets[1:-1] else budgets[len(budgets) // 2]
    return [budgets[0], between, budgets[-1]]
