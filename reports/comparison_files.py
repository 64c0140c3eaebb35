"""A comparison as files: CSV with one difference a line, JSON with all, Markdown for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from compaction_eval.eval.comparison import Difference
from compaction_eval.eval.pairing import Flip
from compaction_eval.reports.comparison import (
    CHANGES,
    MEASURES,
    Comparison,
    change,
    effect,
    explanations,
    flip_text,
    headline,
    limits,
    unpaired,
    value,
)
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.details import details
from compaction_eval.reports.figures import UNMEASURED, count
from compaction_eval.reports.printable import markdown
from compaction_eval.reports.results import put_text

SCHEMA = "compaction-eval/comparison/1"
COLUMNS = (
    "by",
    "group",
    "strategy",
    "budget",
    "summarizer",
    "measure",
    "unit",
    "base",
    "new",
    "change",
    "low",
    "high",
    "scenarios",
    "probes",
    "design_effect",
    "changed",
)
_MOST = 6
"""Changes in the table that stands first."""


def as_csv(found: Comparison) -> str:
    """One difference a line; an interval that too few scenarios don't give is empty."""
    return csv_text(COLUMNS, (_difference(one).values() for one in told(found)))


def as_json(found: Comparison) -> str:
    """`schema`, `base`, `new`, what only one side has, `flips` and `differences`."""
    document = {
        "schema": SCHEMA,
        "base": found.base,
        "new": found.new,
        "cells": len(found.paired.pairs),
        "new_scenarios": found.paired.new_scenarios,
        "removed_scenarios": found.paired.removed_scenarios,
        "new_rows": found.paired.new_rows,
        "removed_rows": found.paired.removed_rows,
        "flips": [_flip(found, flip) for kind in CHANGES for flip in found.of(kind)],
        "differences": [_difference(one) for one in told(found)],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def told(found: Comparison) -> list[Difference]:
    """The differences that a file holds."""
    return [one for one in found.differences if one.changed or not found.only_changed]


def _difference(one: Difference) -> dict[str, Any]:
    strategy, budget, summarizer = one.row
    interval = one.interval
    values = (
        one.by,
        one.group,
        strategy,
        budget,
        summarizer,
        one.measure,
        one.unit,
        one.before,
        one.after,
        one.change,
        interval.low if interval else None,
        interval.high if interval else None,
        one.scenarios,
        one.probes,
        one.design_effect,
        one.changed,
    )
    return dict(zip(COLUMNS, values, strict=True))


def _flip(found: Comparison, flip: Flip) -> dict[str, Any]:
    place = found.place_of(flip.key.scenario, flip.probe)
    return {
        "change": flip.change,
        "scenario": flip.key.scenario,
        "variant": flip.key.variant,
        "probe": flip.probe,
        "at": flip.place,
        "kind": flip.kind,
        "strategy": flip.key.strategy,
        "budget": flip.key.budget,
        "summarizer": flip.key.summarizer,
        "repeat": flip.key.repeat,
        "before": flip.before,
        "after": flip.after,
        "file": place[0] if place else None,
        "line": place[1] if place else None,
    }


def as_markdown(found: Comparison) -> str:
    """The flips in numbers and the largest changes; all flips and all tables are folded."""
    lines = [f"# {markdown(found.base)} and {markdown(found.new)}", ""]
    for text in (headline(found), *unpaired(found)):
        lines += [markdown(text), ""]
    largest = _largest(found)
    if largest:
        lines += [*_table(found, "strategy", largest), ""]
    for kind, title in CHANGES.items():
        flips = [f"- {markdown(flip_text(found, flip))}" for flip in found.of(kind)]
        lines += details(f"{title}: {len(flips):,}", flips)
    for by in found.by:
        rows = [one for own in found.section(by).values() for one in own]
        shown = [one for one in rows if one.changed or not found.only_changed]
        lines += details(f"By {by}", _table(found, by, shown) if shown else ())
    lines += details("How to read it", [f"- {markdown(note)}" for note in explanations(found)])
    return "\n".join(lines).rstrip("\n") + "\n"


def _largest(found: Comparison) -> list[Difference]:
    """The strategies whose share of what is asked for changed most, the largest change first."""
    shares = ("survival", "reuse", "recall")
    every = [
        one
        for one in found.differences
        if one.by == "strategy" and one.changed and one.measure in shares
    ]
    return sorted(every, key=lambda one: -abs(one.change))[:_MOST]


def _table(found: Comparison, by: str, shown: Iterable[Difference]) -> Iterable[str]:
    first = "measure" if by == "strategy" else by
    titles = ("base", "new", "change", "95% interval", "scenarios", "probes", "design effect")
    yield "| " + " | ".join(["strategy", first, *titles]) + " |"
    yield "|---|---" + "|---:" * len(titles) + "|"
    for one in shown:
        cells = (
            markdown(found.row_name(one.row)),
            MEASURES[one.measure] if by == "strategy" else markdown(one.group),
            value(one, one.before),
            value(one, one.after),
            change(one),
            limits(one),
            count(one.scenarios),
            UNMEASURED if one.probes is None else count(one.probes),
            effect(one),
        )
        yield "| " + " | ".join(cells) + " |"


WRITERS: Mapping[str, Callable[[Comparison], str]] = {
    ".md": as_markdown,
    ".csv": as_csv,
    ".json": as_json,
}


def write_comparison(path: Path, found: Comparison) -> None:
    """Write the file in its suffix's format. Raises OSError."""
    put_text(path, WRITERS[path.suffix.lower()](found))
