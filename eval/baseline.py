"""Baselines: a run's evidence as a file that is kept in a repository and read in reviews.

JSON Lines. First what the run was, then the scenarios, then for each strategy, budget and
summariser its aggregates, its cells' totals and its verdicts, one a line, sorted by what they are
of; last a digest of all before, so that a file that was cut off or edited by hand is found out.
The bytes depend on the measured figures alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compaction_eval.eval.baseline_lines import NO_LINE, SCHEMA, LineReader, lines_of
from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.writing import check_folder, replace_file
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

_FAMILY = "compaction-eval/baseline/"
_AGAIN = "write it anew with `compaction-eval baseline RUN -o FILE`"


def write_baseline(path: Path, evidence: Evidence) -> None:
    """Write a baseline file, over an older one but over nothing else.

    ConfigurationError for an incomplete run, or where it can't be written.
    """
    if evidence.incomplete:
        lacking = [
            f"{count:,} {what}"
            for count, what in (
                (evidence.errors, "cells with an error"),
                (evidence.missing, "cells not measured"),
                (evidence.unanswered, "questions without an answer"),
            )
            if count
        ]
        raise ConfigurationError(
            f"{evidence.name}: is incomplete ({' and '.join(lacking)}), and no baseline; "
            "run the same command again to finish it"
        )
    try:
        check_folder(path.absolute().parent)
        _keep_other(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, baseline_text(evidence).encode())
    except OSError as error:
        raise ConfigurationError(
            f"{path_text(path)}: can't be written: {error.strerror}"
        ) from error


def _keep_other(path: Path) -> None:
    """Raise ConfigurationError for a file that holds something else, as a mistyped name's may.

    A baseline is known however it was cut off, merged or edited.
    """
    held = path.read_bytes() if path.is_file() else b""
    if held.strip() and f'"schema": "{_FAMILY}'.encode() not in held:
        raise ConfigurationError(
            f"{path_text(path)}: holds something else than a baseline; choose another name,"
            " or delete it"
        )


def baseline_text(evidence: Evidence) -> str:
    """The file's text."""
    lines = [_json(line) for line in lines_of(evidence)]
    digest = _digest(lines)
    return "".join(f"{line}\n" for line in [*lines, _json({"lines": len(lines), "sha256": digest})])


def read_baseline(path: Path) -> Evidence:
    """The evidence in a file. ConfigurationError, with the line, for what is no whole baseline."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "isn't UTF-8"
        raise ConfigurationError(f"{path_text(path)}: can't be read: {reason}") from error
    lines = text.splitlines()
    _check_whole(path, lines)
    reader = LineReader(path.name)
    for number, line in enumerate(lines[:-1], 1):
        try:
            reader.read(json.loads(line))
        except NO_LINE as error:
            reason = f"{path_text(path)}:{number}:1: is no line of a baseline ({error}); {_AGAIN}"
            raise ConfigurationError(reason) from error
    return reader.evidence()


def _check_whole(path: Path, lines: Sequence[str]) -> None:
    first, last = (_mapping(lines[at]) if lines else {} for at in (0, -1))
    schema = str(first.get("schema", ""))
    if not schema.startswith(_FAMILY):
        raise ConfigurationError(
            f"{path_text(path)}:1:1: is no baseline: its first line has no schema {SCHEMA}"
        )
    if schema != SCHEMA:
        raise ConfigurationError(
            f"{path_text(path)}:1:1: has the schema {schema}, this version reads {SCHEMA};"
            f" {_AGAIN}, or use the version that wrote it"
        )
    if "sha256" not in last:
        raise ConfigurationError(
            f"{path_text(path)}:{len(lines)}:1: is cut off: its last line is missing; {_AGAIN}"
        )
    if last["sha256"] != _digest(lines[:-1]):
        raise ConfigurationError(
            f"{path_text(path)}:{_changed_line(path, lines)}:1: was changed after it was written:"
            f" from here on it doesn't fit its digest; {_AGAIN}"
        )


def _changed_line(path: Path, lines: Sequence[str]) -> int:
    """The first line that can't be what was written: no line at all, or at odds with the others.

    A changed verdict is found by the figures of its row. The last line where nothing is at odds.
    """
    reader = LineReader(path.name)
    for number, line in enumerate(lines[:-1], 1):
        try:
            reader.read(json.loads(line))
        except NO_LINE:
            return number
    try:
        written = baseline_text(reader.evidence()).splitlines()
    except NO_LINE:
        return len(lines)
    differing = (n for n, (a, b) in enumerate(zip(lines, written, strict=False), 1) if a != b)
    return next(differing, len(lines))


def _mapping(line: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))
