"""Which kinds of probes strategies keep least, as a title: no more than what is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean

from compaction_eval.eval.records import CellRecord, ProbeRecord, SummaryRow
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.eval.summary import reused, reused_text, scenario_shares
from compaction_eval.eval.telling_apart import told_apart
from compaction_eval.reports.charts.measures import Measure
from compaction_eval.reports.difficulty import Group, Split
from compaction_eval.reports.dimensions import ABSTENTION, REUSE, REUSE_TEXT
from compaction_eval.reports.figures import share
from compaction_eval.reports.printable import one_line


def kinds_title(split: Split, measure: Measure, shares: RowShares) -> str:
    """The kinds that are kept least, on average over the strategies that are no control.

    Two kinds are compared within the conversations that ask for both.
    """
    at = f"At {one_line(split.budget)}"
    columns = split.contenders or split.compared
    means = sorted(
        (mean, group.name)
        for group in _of_one_measure(split)
        if (mean := group.mean(columns)) is not None
    )
    if not means:
        return f"{at}, what is {measure.kept} by kind of probe"
    if len(means) == 1:
        ((mean, name),) = means
        return f"{at}, {share(mean)} of {name} probes are {measure.kept} on average"
    rows = [split.columns[at] for at in columns]
    found = [_by_scenario(rows, name, measure, shares) for _, name in means]
    signs = told_apart(found[0], found[1:])
    least = [means[0], *(one for one, sign in zip(means[1:], signs, strict=True) if sign != 1)]
    if len(least) == len(means):
        reach = f"{share(means[0][0])} to {share(means[-1][0])} of a kind's probes"
        return f"{at}, {reach} are {measure.kept} on average, and no kind is told apart as hardest"
    if len(least) == 1:
        ((mean, name),) = least
        return f"{at}, {name} probes are {measure.kept} least: {share(mean)} on average"
    (mean, name), (second, other) = least[:2]
    told = f"{name} probes ({share(mean)}) and those of {len(least) - 1:,} more kinds"
    if len(least) == 2:
        told = f"{name} ({share(mean)}) and {other} probes ({share(second)})"
    return f"{at}, {told} are {measure.kept} least on average and can't be told apart"


def _of_one_measure(split: Split) -> list[Group]:
    """The kinds that compare: reuse is another measure, and abstention is asked only where it goes
    wrong."""
    apart = {REUSE_TEXT} if split.measure == REUSE else {REUSE, REUSE_TEXT, ABSTENTION}
    return [group for group in split.groups if group.name not in apart]


def _by_scenario(
    rows: Sequence[SummaryRow], kind: str, measure: Measure, shares: RowShares
) -> Mapping[str, float]:
    """The mean share of a kind over the rows, of each scenario in which all were asked for it."""
    chosen = partial(_of_kind, kind, measure)
    found = [scenario_shares(shares.cells_of(row), chosen) for row in rows]
    return {
        scenario: fmean(one[scenario] for one in found)
        for scenario in found[0]
        if all(scenario in one for one in found)
    }


def _of_kind(kind: str, measure: Measure, cell: CellRecord) -> list[ProbeRecord]:
    probes = measure.chosen(cell)
    if not measure.of_answers and kind in (REUSE, REUSE_TEXT):
        probes = reused(cell) if kind == REUSE else reused_text(cell)
    return [probe for probe in probes if probe.kind == kind]
