"""A gated run as GitHub's workflow commands, which put a message at a line of a pull request.

GitHub shows ten of a step; what is beyond is counted in the last one. Losses come first, since they
have lines in the diff; the last one's headline counts the gates.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from compaction_eval.reports import gate_lines
from compaction_eval.reports.gate_report import GateReport, headline
from compaction_eval.reports.losses import Loss
from compaction_eval.reports.printable import printable

MOST = 10


def github_annotations(report: GateReport, workspace: Path | None, here: Path) -> list[str]:
    """The commands, one a line. Files are told as seen from the workspace, or not at all."""
    if report.regression.outcome == "pass":
        return []
    found = []
    if report.losses_fail:
        found += [_annotated(group, workspace, here) for group in _by_probe(report.losses)]
    for result in report.regression.results:
        if result.judgement != "pass":
            level = "error" if result.judgement == "fail" else "warning"
            text = f"{gate_lines.row(result)}: {gate_lines.finding(result)}"
            more = gate_lines.statistics(result)
            text = f"{text}; {more}" if more else text
            found.append(annotation(level, text, title=gate_lines.rule(result)))
    if not found:
        level = "warning" if report.regression.outcome == "inconclusive" else "error"
        return [annotation(level, headline(report), title="Compaction")]
    if len(found) <= MOST:
        return found
    rest = f"{headline(report)}; {len(found) - MOST + 1:,} more places are in the step's log"
    return [*found[: MOST - 1], annotation("error", rest, title="Compaction")]


def annotation(level: str, message: str, *, title: str, file: str = "", line: int = 0) -> str:
    """One command, `::error file=a.yaml,line=3,title=…::message`, escaped as the runner has it."""
    properties = {"file": file, "line": str(line) if file and line else "", "title": title}
    told = ",".join(f"{name}={_property(text)}" for name, text in properties.items() if text)
    return f"::{level} {told}::{_data(message)}"


def _data(text: str) -> str:
    escaped = printable(text.replace("\r", "\n")).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _by_probe(losses: Sequence[Loss]) -> list[list[Loss]]:
    """The losses at one line of one file together: it is one place in the diff."""
    groups: dict[tuple[object, ...], list[Loss]] = {}
    for loss in losses:
        groups.setdefault((loss.file, loss.line, loss.scenario, loss.probe), []).append(loss)
    return list(groups.values())


def _annotated(group: Sequence[Loss], workspace: Path | None, here: Path) -> str:
    first = group[0]
    told = [f"{loss.row}: {loss.change}, {loss.lost}" for loss in group[:_TOGETHER]]
    told[:0] = [first.what] if first.what else []
    if len(group) > _TOGETHER:
        told.append(f"and {len(group) - _TOGETHER:,} more")
    file = _seen_from(workspace, here, first.file)
    title = f"{first.scenario} {first.probe}"
    return annotation("error", "\n".join(told), title=title, file=file, line=first.line)


def _seen_from(workspace: Path | None, here: Path, file: str | None) -> str:
    """The path in the repository; empty for a file outside of it, such as a shipped scenario."""
    if file is None:
        return ""
    root = (workspace or here).resolve()
    path = Path(os.path.abspath(here / file))
    for base in (root, root.absolute()):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    resolved = path.resolve()
    return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else ""


_TOGETHER = 5
"""Rows that one annotation names."""
