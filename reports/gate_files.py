"""Files of a gated run: `-o FILE`, in the format that the suffix names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from compaction_eval.eval.gate_results import Result
from compaction_eval.eval.regression import Regression
from compaction_eval.reports import gate_lines
from compaction_eval.reports.gate_page import gate_page
from compaction_eval.reports.gate_report import GateReport, headline
from compaction_eval.reports.json_text import json_text
from compaction_eval.reports.junit import as_junit
from compaction_eval.reports.results import put_text
from compaction_eval.reports.sarif import as_sarif

SCHEMA = "compaction-eval/gate/1"


def as_json(report: GateReport) -> str:
    """`outcome`, `gates`, `flips`, and what is new or gone."""
    found = report.regression
    document = {
        "schema": SCHEMA,
        "outcome": found.outcome,
        "says": headline(report),
        "run": report.folder,
        "baseline": report.baseline,
        "allowed_flips": found.allowed_flips,
        "problems": list(report.problems),
        "gates": [_gate(result) for result in found.results],
        "flips": _flips(report),
        **_membership(found),
    }
    return json_text(document, indent=1) + "\n"


def _gate(result: Result) -> dict[str, Any]:
    strategy, budget, summarizer = result.row
    clustering = result.clustering
    return {
        "gate": gate_lines.rule(result),
        "strategy": strategy,
        "budget": budget,
        "summarizer": summarizer,
        "judgement": result.judgement,
        "value": result.value,
        "before": result.before,
        "bound": float(result.gate.bound.value),
        "relative": result.gate.bound.relative,
        "scenarios": result.scenarios,
        "probes": result.probes,
        "interval": asdict(result.interval) if result.interval else None,
        "p_harmless": result.p_harmless,
        "p_harmful": result.p_harmful,
        "design_effect": clustering.design_effect if clustering else None,
        "effective_probes": clustering.effective_probes if clustering else None,
        "why": result.why or None,
    }


def _flips(report: GateReport) -> list[dict[str, Any]]:
    """The worse ones with their places, then the other ones."""
    told: list[dict[str, Any]] = []
    for loss in report.losses:
        line = loss.line if loss.file else None
        place = {"file": loss.file, "line": line, "lost": loss.lost, "what": loss.what}
        told.append({**_flip(loss.flip), **place})
    return told + [_flip(flip) for flip in report.regression.flips if not flip.worse]


def _flip(flip: Any) -> dict[str, Any]:
    plain = asdict(flip)
    return {**plain.pop("key"), **plain}


def _membership(found: Regression) -> dict[str, list[str]]:
    names = ("new_scenarios", "removed_scenarios", "new_rows", "removed_rows")
    return {name: list(getattr(found.paired, name, ())) for name in names}


WRITERS: Mapping[str, Callable[[GateReport], str]] = {
    ".xml": as_junit,
    ".md": gate_page,
    ".json": as_json,
    ".sarif": as_sarif,
}


def write_gate(path: Path, report: GateReport) -> None:
    """Write the file in its suffix's format. Raises OSError."""
    put_text(path, WRITERS[path.suffix.lower()](report))
