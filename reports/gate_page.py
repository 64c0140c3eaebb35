"""A gated run in Markdown, for a pull request: verdict, gates, losses, figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.eval.gate_results import Result
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports import gate_lines
from compaction_eval.reports.columns import merged
from compaction_eval.reports.details import details
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gate_report import GateReport, headline, membership
from compaction_eval.reports.markdown_page import budget_tables
from compaction_eval.reports.marks import marks_of
from compaction_eval.reports.printable import markdown, one_line

_OPEN = 10
"""Losses, and gates, that are shown at once; more are folded."""
_MOST = 500
"""Losses, and gates on rows, that are shown at all: GitHub drops a summary above one mebibyte."""
_COMMAND_FENCE = "```"
_GATE_HEAD = ("", "gate", "strategy", "found", "rests on")
_LOSS_HEAD = ("scenario", "probe", "strategy", "verdict", "where")


def gate_page(report: GateReport) -> str:
    """The whole page, with a newline at its end."""
    lines = [f"## Compaction: {markdown(headline(report))}", ""]
    against = f", against {markdown(report.baseline)}" if report.baseline else ""
    lines += [f"Run {markdown(report.folder)}{against}.", ""]
    if report.problems:
        lines += [*(f"- {markdown(problem)}" for problem in report.problems), ""]
    if report.regression.results:
        lines += _gates(report)
    if report.losses:
        lines += _losses(report)
    told = membership(report, 50)
    if told:
        lines += [*(f"- {markdown(line)}" for line in told), ""]
    lines += _figures(report)
    commands = (("Follow the first:", report.follow), ("If it is meant:", report.bless))
    for what, command in commands:
        if command:
            lines += [what, "", *_as_typed([command]), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def refusal_page(faults: Sequence[str]) -> str:
    """The page where nothing could be checked: a line for each reason, and what would mend it."""
    return "\n".join(["## Compaction: not checked", "", *_as_typed(faults), ""])


def _as_typed(lines: Sequence[str]) -> Iterator[str]:
    """A block of lines that can be copied, and that can't end their own block."""
    yield _COMMAND_FENCE
    for line in lines:
        yield one_line(" ".join(line.split())).replace(_COMMAND_FENCE, "'''")
    yield _COMMAND_FENCE


def _gates(report: GateReport) -> list[str]:
    """A row for each gate on each strategy, those that decide first; many that pass are folded."""
    results = sorted(report.regression.results, key=lambda one: one.judgement == "pass")
    deciding = sum(result.judgement != "pass" for result in results)
    first = len(results) if len(results) <= _OPEN else max(deciding, 1)
    rows = [_gate(result) for result in results[:_MOST]]
    lines = _table(_GATE_HEAD, rows[:first], max(first - _MOST, 0))
    passing = _table(_GATE_HEAD, rows[first:], len(results) - max(first, len(rows)))
    count = plural(len(results) - first, "more gate check")
    return [*lines, *(details(f"{count} passed", passing) if len(results) > first else [])]


def _gate(result: Result) -> tuple[str, ...]:
    found = gate_lines.finding(result)
    more = gate_lines.statistics(result)
    return (
        result.judgement.upper(),
        gate_lines.rule(result),
        gate_lines.row(result),
        f"{found}; {more}" if more else found,
        gate_lines.evidence(result),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left_out: int) -> list[str]:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(map(markdown, cells))} |" for cells in rows]
    return [*lines, "", *([f"… and {left_out:,} more.", ""] if left_out > 0 else [])]


def _figures(report: GateReport) -> list[str]:
    """The table of the run, folded."""
    rows = merged(summary_rows(report.run))
    if not rows:
        return []
    marks = marks_of(one["spec"] for one in report.run.manifest["strategies"])
    return details("The figures of this run", budget_tables(rows, marks))


def _losses(report: GateReport) -> list[str]:
    """What got worse; many are folded."""
    rows = []
    for loss in report.losses[:_MOST]:
        place = f"{loss.file}:{loss.line}, {loss.lost}" if loss.file else loss.lost
        asked = f"{loss.probe}: {loss.what}" if loss.what else loss.probe
        rows.append((loss.scenario, asked, loss.row, loss.change, place))
    table = _table(_LOSS_HEAD, rows, len(report.losses) - len(rows))
    count = f"{plural(len(report.losses), 'verdict')} got worse"
    if len(report.losses) > _OPEN:
        return details(count, table)
    return [f"{count}:", "", *table]
