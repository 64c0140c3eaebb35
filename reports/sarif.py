"""A gated run as SARIF 2.1.0: a result for each verdict that got worse and each failed gate.

What has no line in a scenario stands at the first one of the baseline, or of the run's manifest.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import compaction_eval
from compaction_eval.reports import gate_lines
from compaction_eval.reports.gate_report import GateReport, headline
from compaction_eval.reports.losses import Loss
from compaction_eval.reports.printable import one_line, printable

_RULES = {
    "lost": "A fact is no longer in the view when it is asked for.",
    "stale": "An old value took a fact's place.",
    "wrong": "The view says a value that nobody said.",
    "gate": "A figure is beyond its bound.",
    "run": "The run as a whole didn't pass.",
}


def as_sarif(report: GateReport) -> str:
    """The whole file."""
    level = "error" if report.losses_fail else "note"
    results = [_loss(loss, level) for loss in report.losses]
    baseline = report.baseline or f"{report.folder}/manifest.json"
    for found in report.regression.results:
        if found.judgement != "pass":
            told = (gate_lines.rule(found), gate_lines.row(found), gate_lines.finding(found))
            results.append(
                _result(
                    "gate", "error" if found.judgement == "fail" else "warning", ": ".join(told)
                )
            )
    if not results and report.regression.outcome != "pass":
        results.append(_result("run", "error", headline(report)))
    for result in results:
        # Code scanning refuses a file in which a result has no place.
        result.setdefault("locations", [_place(baseline, 1)])
    driver = {
        "name": "compaction-eval",
        "version": compaction_eval.__version__,
        "rules": [
            {"id": name, "shortDescription": {"text": text}} for name, text in _RULES.items()
        ],
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}],
    }
    return json.dumps(document, ensure_ascii=True, indent=1) + "\n"


def _result(rule: str, level: str, text: str) -> dict[str, Any]:
    index = list(_RULES).index(rule)
    message = {"text": one_line(text)}
    return {"ruleId": rule, "ruleIndex": index, "level": level, "message": message}


def _loss(loss: Loss, level: str) -> dict[str, Any]:
    what = f": {loss.what}" if loss.what else ""
    text = f"{loss.scenario}, {loss.probe}, {loss.row}: {loss.change}, {loss.lost}{what}"
    result = _result(loss.flip.change, level, text)
    if loss.file is not None:
        result["locations"] = [_place(loss.file, loss.line)]
    identity = "|".join((loss.scenario, loss.probe, loss.row))
    result["partialFingerprints"] = {"verdict/v1": one_line(identity)}
    return result


def _place(file: str, line: int) -> dict[str, Any]:
    region = {"startLine": max(line, 1)}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}


def _uri(file: str) -> str:
    path = Path(file)
    try:
        # A path with half a surrogate pair can't be quoted as UTF-8; its bytes can.
        quoted = quote(os.fsencode(path.as_posix()))
    except UnicodeEncodeError:  # no file is called so, but a record may say it
        quoted = quote(printable(path.as_posix()))
    return f"file://{quoted}" if path.is_absolute() else quoted
