"""What GitHub Actions is told where it runs us: annotations, and the step's summary."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from compaction_eval.reports.annotations import annotation, github_annotations
from compaction_eval.reports.gate_page import gate_page, refusal_page
from compaction_eval.reports.gate_report import GateReport


def tell_github(report: GateReport) -> list[str]:
    """Annotate, and add to the summary; a line if that can't be written."""
    if _is_github():
        workspace = os.environ.get("GITHUB_WORKSPACE")
        for line in github_annotations(report, Path(workspace) if workspace else None, Path.cwd()):
            click.echo(line)
    return _summarise(gate_page(report))


def tell_github_refusal(lines: Sequence[str]) -> None:
    """The same, where nothing could be checked."""
    if _is_github():
        click.echo(annotation("error", "\n".join(lines), title="Compaction wasn't checked"))
    _summarise(refusal_page(lines))


def _is_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _summarise(text: str) -> list[str]:
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return []
    try:
        with open(path, "ab") as stream:
            stream.write(text.encode("utf-8", errors="backslashreplace") + b"\n")
    except OSError as error:
        return [f"{path}: can't be written: {error.strerror or error}"]
    return []
