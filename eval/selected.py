"""Which cells of a run were asked for, so that an interrupted run isn't taken for a selection.

A manifest says it only where some were selected: as `selected`, a list of `[first, last]`, numbers
of cells in the matrix's order, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from compaction_eval.eval.records import CellKey, CellRecord

SELECTED = "selected"
Ranges = list[list[int]]


def planned_keys(manifest: Mapping[str, Any]) -> list[CellKey]:
    """All cells of a run that wasn't joined, in the matrix's order."""
    return [
        CellKey(scenario["id"], scenario["variant"], strategy, budget, summarizer, repeat)
        for scenario, strategy, budget, summarizer, repeat in product(
            manifest["scenarios"],
            [one["label"] for one in manifest["strategies"]],
            manifest["budgets"],
            [one["label"] for one in manifest["summarizers"]],
            range(manifest["repeats"]),
        )
    ]


def selecting(manifest: Mapping[str, Any], wanted: Iterable[CellKey]) -> dict[str, Any]:
    """The manifest, saying which cells were asked for unless that is all of them."""
    asked = set(wanted)
    keys = planned_keys(manifest)
    found: Ranges = []
    for at, key in enumerate(keys):
        if key not in asked:
            continue
        if found and found[-1][1] == at - 1:
            found[-1][1] = at
        else:
            found.append([at, at])
    rest = {key: value for key, value in manifest.items() if key != SELECTED}
    return rest if found == [[0, len(keys) - 1]] else {**rest, SELECTED: found}


def selected_keys(manifest: Mapping[str, Any]) -> list[CellKey]:
    """The cells that were asked for; where the manifest doesn't say, all of them."""
    keys = planned_keys(manifest)
    ranges: Sequence[Sequence[int]] | None = manifest.get(SELECTED)
    if ranges is None:
        return keys
    return [key for first, last in ranges for key in keys[first : last + 1]]


def unfinished(manifest: Mapping[str, Any], cells: Iterable[CellRecord]) -> int:
    """How many cells were asked for and aren't there; of joined runs, in all of them."""
    if "joined" in manifest:
        return sum(part.get("unfinished", 0) for part in manifest["joined"])
    return len(set(selected_keys(manifest)) - {cell.key for cell in cells})
