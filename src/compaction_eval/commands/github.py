"""What GitHub Actions is told where it runs us: annotations, and the step's summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

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
    return _summarise(lambda: gate_page(report) + _artifacts())


def tell_github_refusal(lines: Sequence[str]) -> None:
    """The same, where nothing could be checked."""
    if _is_github():
        click.echo(annotation("error", "\n".join(lines), title="Compaction wasn't checked"))
    _summarise(lambda: refusal_page(lines))


def _is_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _artifacts() -> str:
    """A link to what the workflow keeps; empty where the runner doesn't say what it runs."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (os.environ.get(name, "") for name in names)
    if not (server and repository and run):
        return ""
    url = f"{server}/{quote(repository)}/actions/runs/{quote(run)}#artifacts"
    return f"\n[Charts and records that this workflow keeps]({url})\n"


def _summarise(text: Callable[[], str]) -> list[str]:
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return []
    try:
        with open(path, "ab") as stream:
            stream.write(text().encode("utf-8", errors="backslashreplace") + b"\n")
    except OSError as error:
        return [f"{path}: can't be written: {error.strerror or error}"]
    return []
