"""What keeps most, in dollars: whether it costs more than sending everything with a cache."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from compaction_eval.eval.cost.figures import Costs
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.best_words import listed, named
from compaction_eval.reports.columns import merged
from compaction_eval.reports.cost_lines import CostGroup, CostLine, cost_groups
from compaction_eval.reports.figures import times
from compaction_eval.reports.findings import Finding, findings
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import one_line

_NAMED = 3


def cost_finding(
    rows: Sequence[SummaryRow], marks: Marks, shares: RowShares, costs: Costs | None
) -> list[str]:
    """Of what keeps most at each budget, what costs more than the full history, then what doesn't.

    Each with how many times the full history's cost, dearest first. Nothing without prices.
    """
    if costs is None:
        return []
    rows = merged(rows)
    groups = {group.budget: group for group in cost_groups(rows, costs)}
    found = findings(rows, marks, shares)
    lines = [(one, _best(one, groups[one.budget])) for one in found if one.budget in groups]
    name = costs.cache.name
    cached = "without a prompt cache" if name == "none" else f"with a prompt cache ({name})"
    head = f"At the prices of {one_line(costs.prices.name)} {cached}, of what keeps most"
    told = []
    for verb, dearer in (("costs more than", True), ("costs no more than", False)):
        parts = [
            f"at {one_line(one.budget)} {_names(chosen, rows)}"
            for one, own in lines
            if (chosen := [line for line in own if (_against(line) > 1) == dearer])
        ]
        if parts:
            told.append(f"{head} this {verb} sending everything: {'; '.join(parts)}.")
    return told


def _best(finding: Finding, group: CostGroup) -> list[CostLine]:
    own = [line for line in group.lines if line.row in finding.best and line.against_full]
    return sorted(own, key=lambda line: -_against(line))


def _against(line: CostLine) -> Decimal:
    return line.against_full or Decimal(0)


def _names(lines: Sequence[CostLine], rows: Sequence[SummaryRow]) -> str:
    names = [f"{named(line.row, rows)} ({times(line.against_full)})" for line in lines[:_NAMED]]
    return listed(names, len(lines))
