"""What the page knows at once, before any block is unpacked: what there is, and where to begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.recovery import Recovered, Variant
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.best_words import not_scored
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.findings import findings
from compaction_eval.reports.page.table import Loss, Table, asked, counted, losses
from compaction_eval.reports.page.text import LONGEST_REMARK, clipped, shown
from compaction_eval.scenarios.records import variant_name

Plain = dict[str, Any]
Names = list[str]


def run_facts(material: Material) -> Plain:
    """What the run was, for its heading."""
    return {"id": material.run_id} | {
        name: shown(str(material.manifest.get(name, "unknown")))
        for name in ("version", "encoding", "profile")
    }


def contents(
    material: Material, found: Recovered, table: Table, blocks: Mapping[str, str], *, limit: int
) -> Plain:
    """The index. `blocks` are those on the page, by name: `s3` of a scenario, `c14` of a cell."""
    cells = material.cells
    variants: list[Variant] = list(
        dict.fromkeys((cell.key.scenario, cell.key.variant) for cell in cells)
    )
    tags = {one["id"]: one.get("tags", ()) for one in material.manifest.get("scenarios", ())}
    strategies = list(dict.fromkeys(cell.key.strategy for cell in cells))
    budgets = list(dict.fromkeys(cell.key.budget for cell in cells))
    summarizers = list(dict.fromkeys(cell.key.summarizer for cell in cells))
    return {
        "run": run_facts(material),
        "limit": limit,
        "scenarios": [
            {
                "key": shown(variant_name(*which)),
                "title": shown(found.scenarios[which].title) if which in found.scenarios else "",
                "tags": [shown(tag) for tag in tags.get(which[0], ())],
                "block": f"s{at}" if f"s{at}" in blocks else None,
                "why": "" if which in found.scenarios else _why(found, which),
            }
            for at, which in enumerate(variants)
        ],
        "strategies": [shown(one) for one in strategies],
        "budgets": [shown(one) for one in budgets],
        "summarizers": [shown(one) for one in summarizers],
        "cells": [
            [
                variants.index((cell.key.scenario, cell.key.variant)),
                strategies.index(cell.key.strategy),
                budgets.index(cell.key.budget),
                summarizers.index(cell.key.summarizer),
                cell.key.repeat,
                f"c{at}" if f"c{at}" in blocks else None,
                0 if cell.error is None else clipped(cell.error, LONGEST_REMARK)[0],
                int(cell.apart),
            ]
            for at, cell in enumerate(cells)
        ],
        "rows": [
            [line.strategy, line.budget, line.summarizer, line.why_not, line.about]
            for line in table.lines
        ],
        "unscored": _unscored(material, table),
        "start": _start(material, table),
    }


def _unscored(material: Material, table: Table) -> dict[str, str]:
    """The budgets at which nothing has a figure, and why."""
    found = findings(table.rows, material.marks, RowShares(material.cells))
    return {shown(one.budget): not_scored(one) for one in found if not one.scored}


def _why(found: Recovered, which: Variant) -> str:
    return found.lacking.get(which, "the run doesn't list it")


def _start(material: Material, table: Table) -> Plain:
    """Where the explorer opens: where a compaction of the best strategy lost a fact, if one did.

    At the middle budget, since there most is to be seen.
    """
    found = [one for one in findings(table.rows, material.marks) if one.frontier]
    best = found[len(found) // 2].frontier[-1] if found else None
    fitting = [
        cell
        for cell in material.cells
        if best is None or (cell.key.strategy == best.strategy and cell.key.budget == best.budget)
    ]
    for cell in fitting:
        for probe in counted(cell):
            if probe.lost_at is not None and not cell.apart:
                return _at(cell, probe.lost_at, shown(probe.probe))
    return _at(fitting[0], 0, "") if fitting else {}


def _at(cell: CellRecord, request: int, probe: str) -> Plain:
    key = cell.key
    return {
        "s": shown(variant_name(key.scenario, key.variant)),
        "a": shown(key.strategy),
        "b": shown(key.budget),
        "m": shown(key.summarizer),
        "n": key.repeat,
        "r": request,
        "probe": probe,
    }


def all_asked(cells: Sequence[CellRecord]) -> list[dict[str, int]]:
    """How many verdicts of each cell count, by kind of probe."""
    return [asked(cell) for cell in cells]


def all_losses(cells: Sequence[CellRecord]) -> list[list[Loss]]:
    """What each cell lost."""
    return [losses(cell) for cell in cells]
