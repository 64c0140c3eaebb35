"""A gated run in the terminal: what was lost, each gate beside its bound, what is new or gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compaction_eval.reports import gate_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gate_report import GateReport, membership
from compaction_eval.reports.losses import Loss
from compaction_eval.reports.printable import one_line

MOST = 20
"""Losses that are shown one by one, and gates on rows up to which those that passed are."""


def gate_text(report: GateReport) -> Iterator[str]:
    """The lines, without the verdict, which also says what an incomplete run lacks."""
    yield from _losses(report)
    results = report.regression.results
    passed = [result for result in results if result.judgement == "pass"]
    counted = passed if len(results) > MOST else []
    if counted:
        yield f"PASS {plural(len(counted), 'gate check')}; a result file lists them"
    for result in results:
        if counted and result.judgement == "pass":
            continue
        figure = f"{gate_lines.rule(result)}: {gate_lines.finding(result)}"
        place = f"{gate_lines.row(result)}; {gate_lines.evidence(result)}"
        yield one_line(f"{result.judgement.upper()}  {figure}  ({place})")
        more = gate_lines.statistics(result)
        if more:
            yield f"      {one_line(more)}"
    for line in membership(report):
        yield one_line(line)


def loss_line(loss: Loss) -> str:
    """`file:line  scenario  probe@place  strategy at budget  correct -> missing, lost at …`."""
    place = f"{loss.file}:{loss.line}" if loss.file else "(no file)"
    parts = (place, loss.scenario, loss.probe, loss.row, f"{loss.change}, {loss.lost}")
    return "  ".join(map(one_line, parts))


def _losses(report: GateReport) -> Iterator[str]:
    if not report.losses:
        return
    regained = sum(flip.change == "regained" for flip in report.regression.flips)
    beside = f", {plural(regained, 'other')} got better" if regained else ""
    since = one_line(report.baseline or "the baseline")
    yield f"{plural(len(report.losses), 'verdict')} got worse since {since}{beside}:"
    for loss in report.losses[:MOST]:
        yield loss_line(loss)
    rest = report.losses[MOST:]
    if rest:
        yield f"… and {len(rest):,} more:"
        for row, count in Counter(loss.row for loss in rest).items():
            yield f"  {count:,} of {one_line(row)}"
