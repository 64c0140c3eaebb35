"""Result files of the edge suite: `-o FILE`, in the format that the suffix names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.edge import FAMILIES, EdgeReport
from compaction_eval.reports.edge_page import edge_page
from compaction_eval.reports.json_text import json_text
from compaction_eval.reports.results import put_text

SCHEMA = "compaction-eval/stress/1"
COLUMNS = ("scenario", "variant", "strategy", "property", "family", "held", "reason", "about")


def _rows(report: EdgeReport) -> list[dict[str, object]]:
    return [
        {
            "scenario": one.scenario.id,
            "variant": one.scenario.variant,
            "strategy": one.strategy,
            "property": one.name,
            "family": one.family,
            "held": one.held,
            "reason": one.reason,
            "about": one.about,
        }
        for one in report.verdicts
    ]


def as_csv(report: EdgeReport) -> str:
    """One verdict a row."""
    return csv_text(COLUMNS, ([row[name] for name in COLUMNS] for row in _rows(report)))


def as_json(report: EdgeReport) -> str:
    """`schema`, `manifest`, `strategies` with a tally per family, `errors` and `properties`."""
    strategies = []
    for strategy in report.strategies:
        tallies = {family: report.tallies.get((strategy, family), (0, 0)) for family in FAMILIES}
        families = {name: {"held": held, "applied": n} for name, (held, n) in tallies.items()}
        strategies.append({"strategy": strategy, "families": families})
    document = {
        "schema": SCHEMA,
        "manifest": dict(report.manifest),
        "strategies": strategies,
        "errors": [
            {
                "scenario": cell.key.scenario,
                "variant": cell.key.variant,
                "strategy": cell.key.strategy,
                "error": cell.error,
            }
            for cell in report.cells
            if cell.error is not None
        ],
        "properties": _rows(report),
    }
    return json_text(document, indent=1) + "\n"


def as_markdown(report: EdgeReport) -> str:
    """Strategies by families, scenarios by strategies, and every reason."""
    return edge_page(report)


EDGE_WRITERS: Mapping[str, Callable[[EdgeReport], str]] = {
    ".md": as_markdown,
    ".csv": as_csv,
    ".json": as_json,
}


def write_edge(path: Path, report: EdgeReport) -> None:
    """Write the file in its suffix's format. Raises OSError; then what was there still is."""
    put_text(path, EDGE_WRITERS[path.suffix.lower()](report))
