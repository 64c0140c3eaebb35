"""The edge suite in Markdown: strategies by families, scenarios by strategies, and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.reports.details import details
from compaction_eval.reports.edge import FAMILIES, EdgeReport
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import UNMEASURED, plural
from compaction_eval.reports.printable import markdown

ALL = "all"
"""What a scenario is about that names no property."""
REASONS = 200
"""Broken properties that are told in words, those that scenarios are about first."""


def edge_page(report: EdgeReport) -> str:
    """The whole page, with a newline at its end."""
    lines = ["# What compaction code gets right", ""]
    lines += [
        "Pairs of a scenario and a property: those in which it held at every request, of those in"
        " which it applied.",
        "",
        *_families(report),
        "",
        "## Scenarios",
        "",
        "Whether the properties that a scenario is about held: `yes`, `no`, or"
        f" `{UNMEASURED}` where they didn't apply.",
        "",
        *_scenarios(report),
        "",
    ]
    errors = failure_lines(report.cells)
    if errors:
        lines += ["## Errors", "", *(f"- {markdown(error)}" for error in errors), ""]
    broken = report.broken(report.strategies)
    if broken:
        count = plural(len(broken), "broken property", "broken properties")
        told = [
            f"- {markdown(one.strategy)}, {markdown(one.scenario.key)}, {one.name}:"
            f" {markdown(one.reason)}"
            for one in sorted(broken, key=lambda one: one.name not in one.scenario.about)[:REASONS]
        ]
        if len(broken) > REASONS:
            told.append(f"- and {len(broken) - REASONS:,} more, which the CSV file lists")
        lines += details(count, told)
    return "\n".join(lines).rstrip("\n") + "\n"


def _families(report: EdgeReport) -> Iterator[str]:
    yield _row(["strategy", *FAMILIES])
    yield "|---" + "|---:" * len(FAMILIES) + "|"
    for strategy in report.strategies:
        tallies = (report.tallies.get((strategy, family)) for family in FAMILIES)
        figures = (UNMEASURED if tally is None else f"{tally[0]}/{tally[1]}" for tally in tallies)
        yield _row([markdown(strategy), *figures])


def _scenarios(report: EdgeReport) -> Iterator[str]:
    yield _row(["scenario", "title", "about", *map(markdown, report.strategies)])
    yield "|---|---|---" + "|---" * len(report.strategies) + "|"
    for scenario in report.scenarios:
        outcomes = (report.outcome(scenario, strategy) for strategy in report.strategies)
        about = ", ".join(scenario.about) or ALL
        yield _row([markdown(scenario.key), markdown(scenario.title), about, *outcomes])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
