"""Baselines: a run's evidence as a file that is kept in a repository and read in reviews.

JSON Lines. First what the run was, then the scenarios, then for each strategy, budget and
summariser its aggregates, its cells' totals and its verdicts, one a line, sorted by what they are
of; last a digest of all before, so that a file that was cut off or edited by hand is found out.
The bytes depend on the measured figures alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

from compaction_eval.eval.evidence import (
    CellEvidence,
    Evidence,
    Named,
    Outcome,
    ScenarioEvidence,
    Totals,
)
from compaction_eval.eval.metrics import METRICS
from compaction_eval.eval.records import CellKey, Verdict
from compaction_eval.eval.writing import check_folder, replace_file
from compaction_eval.strategies.errors import ConfigurationError

SCHEMA = "compaction-eval/baseline/1"
_FAMILY = "compaction-eval/baseline/"
_TOTALS = tuple(field.name for field in fields(Totals))
_VERDICTS = frozenset(get_args(Verdict))
_NO_LINE = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
_AGAIN = "write it anew with `compaction-eval baseline RUN -o FILE`"

Row = tuple[str, str, str]
"""Strategy, budget, summariser."""


def write_baseline(path: Path, evidence: Evidence) -> None:
    """Write a baseline file. ConfigurationError for an incomplete run, or where it can't be."""
    if evidence.incomplete:
        lacking = [
            f"{count:,} {what}"
            for count, what in (
                (evidence.errors, "with an error"),
                (evidence.missing, "not measured"),
            )
            if count
        ]
        raise ConfigurationError(
            f"{evidence.name}: is incomplete (cells {' and '.join(lacking)}), and no baseline; "
            "run the same command again to finish it"
        )
    try:
        check_folder(path.absolute().parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, baseline_text(evidence).encode())
    except OSError as error:
        raise ConfigurationError(f"{path}: can't be written: {error.strerror}") from error


def baseline_text(evidence: Evidence) -> str:
    """The file's text."""
    lines = [_json(line) for line in _lines(evidence)]
    digest = _digest(lines)
    return "".join(f"{line}\n" for line in [*lines, _json({"lines": len(lines), "sha256": digest})])


def read_baseline(path: Path) -> Evidence:
    """The evidence in a file. ConfigurationError, with the line, for what is no whole baseline."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "isn't UTF-8"
        raise ConfigurationError(f"{path}: can't be read: {reason}") from error
    lines = text.splitlines()
    _check_whole(path, lines)
    reader = _Reader(path.name)
    for number, line in enumerate(lines[:-1], 1):
        try:
            reader.read(json.loads(line))
        except _NO_LINE as error:
            reason = f"{path}:{number}:1: is no line of a baseline ({error}); {_AGAIN}"
            raise ConfigurationError(reason) from error
    return reader.evidence()


def _check_whole(path: Path, lines: Sequence[str]) -> None:
    first, last = (_mapping(lines[at]) if lines else {} for at in (0, -1))
    schema = str(first.get("schema", ""))
    if not schema.startswith(_FAMILY):
        raise ConfigurationError(
            f"{path}:1:1: is no baseline: its first line has no schema {SCHEMA}"
        )
    if schema != SCHEMA:
        raise ConfigurationError(
            f"{path}:1:1: has the schema {schema}, this version reads {SCHEMA}; {_AGAIN}, or use "
            "the version that wrote it"
        )
    if "sha256" not in last:
        raise ConfigurationError(
            f"{path}:{len(lines)}:1: is cut off: its last line is missing; {_AGAIN}"
        )
    if last["sha256"] != _digest(lines[:-1]):
        raise ConfigurationError(
            f"{path}:{_changed_line(path, lines)}:1: was changed after it was written: from here on"
            f" it doesn't fit its digest; {_AGAIN}"
        )


def _changed_line(path: Path, lines: Sequence[str]) -> int:
    """The first line that can't be what was written: no line at all, or at odds with the others.

    A changed verdict is found by the figures of its row. The last line where nothing is at odds.
    """
    reader = _Reader(path.name)
    for number, line in enumerate(lines[:-1], 1):
        try:
            reader.read(json.loads(line))
        except _NO_LINE:
            return number
    try:
        written = baseline_text(reader.evidence()).splitlines()
    except _NO_LINE:
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


def _lines(evidence: Evidence) -> Iterator[object]:
    yield {"schema": SCHEMA, "run": dict(evidence.circumstances), "live": evidence.live}
    for kind in ("strategy", "summarizer"):
        named = evidence.strategies if kind == "strategy" else evidence.summarizers
        for one in sorted(named, key=lambda one: one.label):
            yield {kind: one.label, "spec": one.spec, "sees_answer_key": one.sees_answer_key}
    for scenario in sorted(evidence.scenarios, key=lambda one: (one.id, one.variant)):
        yield {
            "scenario": scenario.id,
            "variant": scenario.variant,
            "digest": scenario.digest,
            "tags": list(scenario.tags),
        }
    rows: dict[Row, list[CellEvidence]] = {}
    for cell in evidence.cells:
        rows.setdefault((cell.key.strategy, cell.key.budget, cell.key.summarizer), []).append(cell)
    for row in sorted(rows):
        yield {"row": list(row)}
        for metric in METRICS.values():
            yield {"metric": metric.name, "value": metric.value(rows[row], lambda _: True)}
        cells = sorted(rows[row], key=lambda c: (c.key.scenario, c.key.variant, c.key.repeat))
        for cell in cells:
            totals = asdict(cell.totals)
            sums = {name: totals[name] for name in _TOTALS if totals[name]}
            place = [cell.key.scenario, cell.key.variant, cell.key.repeat]
            yield {"cell": place, **sums, **({"apart": True} if cell.apart else {})}
            for told in cell.outcomes:
                free = ["free"] if told.free else []
                yield [*place, told.probe, told.place, told.kind, told.verdict, *free]


class _Reader:
    """Lines back to evidence, one at a time."""

    def __init__(self, name: str):
        self._name = name
        self._head: dict[str, Any] = {}
        self._named: dict[str, list[Named]] = {"strategy": [], "summarizer": []}
        self._scenarios: list[ScenarioEvidence] = []
        self._row: Row = ("", "", "")
        self._cells: list[tuple[CellKey, Totals, bool, list[Outcome]]] = []

    def read(self, line: Any) -> None:
        """Take in one line; AttributeError, KeyError, TypeError or ValueError for a strange one."""
        if isinstance(line, list):
            self._verdict(line)
        elif "schema" in line:
            self._head = line
        elif "row" in line:
            strategy, budget, summarizer = line["row"]
            self._row = (strategy, budget, summarizer)
        elif "cell" in line:
            scenario, variant, repeat = line["cell"]
            totals = Totals(**{name: int(line[name]) for name in _TOTALS if name in line})
            key = CellKey(scenario, variant, *self._row, int(repeat))
            self._cells.append((key, totals, bool(line.get("apart")), []))
        elif "scenario" in line:
            tags = tuple(line["tags"])
            scenario = ScenarioEvidence(line["scenario"], line["variant"], line["digest"], tags)
            self._scenarios.append(scenario)
        elif "metric" not in line:  # an aggregate is for people: it is made anew from the verdicts
            kind = "strategy" if "strategy" in line else "summarizer"
            named = Named(line[kind], line["spec"], bool(line["sees_answer_key"]))
            self._named[kind].append(named)

    def _verdict(self, line: list[Any]) -> None:
        scenario, variant, repeat, probe, place, kind, verdict, *free = line
        key, _, _, outcomes = self._cells[-1]
        if (key.scenario, key.variant, key.repeat) != (scenario, variant, repeat):
            raise ValueError("a verdict outside of its cell")
        if verdict not in _VERDICTS:
            raise ValueError(f"unknown verdict {verdict!r}")
        outcomes.append(Outcome(probe, place, kind, verdict, free == ["free"]))

    def evidence(self) -> Evidence:
        """All that was read."""
        return Evidence(
            circumstances=self._head["run"],
            strategies=tuple(self._named["strategy"]),
            summarizers=tuple(self._named["summarizer"]),
            scenarios=tuple(self._scenarios),
            cells=tuple(
                CellEvidence(key, totals, tuple(outcomes), apart)
                for key, totals, apart, outcomes in self._cells
            ),
            live=bool(self._head["live"]),
            name=self._name,
        )
