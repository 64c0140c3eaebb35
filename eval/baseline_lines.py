"""The lines of a baseline file: evidence as plain values, and back, one line at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields, replace
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

SCHEMA = "compaction-eval/baseline/1"
NO_LINE = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading a strange line raises."""
_TOTALS = tuple(field.name for field in fields(Totals))
_FLAGS = ("free", "chance", "recoverable")
"""Of an outcome, in the order of its fields."""
_VERDICTS = frozenset(get_args(Verdict))

Row = tuple[str, str, str]
"""Strategy, budget, summariser."""


def lines_of(evidence: Evidence) -> Iterator[object]:
    """What each line says, in the order of the file; the digest apart."""
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
    answered = evidence.answered
    rows: dict[Row, list[CellEvidence]] = {}
    for cell in evidence.cells:
        rows.setdefault((cell.key.strategy, cell.key.budget, cell.key.summarizer), []).append(cell)
    for row in sorted(rows):
        yield {"row": list(row)}
        for metric in METRICS.values():
            if metric.of_answers and not answered:
                continue
            yield {"metric": metric.name, "value": metric.value(rows[row], lambda _: True)}
        cells = sorted(rows[row], key=lambda c: (c.key.scenario, c.key.variant, c.key.repeat))
        for cell in cells:
            totals = asdict(cell.totals)
            sums = {name: totals[name] for name in _TOTALS if totals[name]}
            place = [cell.key.scenario, cell.key.variant, cell.key.repeat]
            budget = {} if cell.budget_tokens is None else {"budget_tokens": cell.budget_tokens}
            apart = {"apart": True} if cell.apart else {}
            yield {"cell": place, **budget, **sums, **apart}
            for told in cell.outcomes:
                flags: list[object] = [name for name in _FLAGS if getattr(told, name)]
                if told.recall is not None:
                    flags.append({"recall": told.recall})
                yield [*place, told.probe, told.place, told.kind, told.verdict, *flags]


class LineReader:
    """Lines back to evidence, one at a time."""

    def __init__(self, name: str):
        self._name = name
        self._head: dict[str, Any] = {}
        self._named: dict[str, list[Named]] = {"strategy": [], "summarizer": []}
        self._scenarios: list[ScenarioEvidence] = []
        self._row: Row = ("", "", "")
        self._cells: list[tuple[CellEvidence, list[Outcome]]] = []

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
            budget = line.get("budget_tokens")
            cell = CellEvidence(
                key,
                totals,
                (),
                apart=bool(line.get("apart")),
                budget_tokens=None if budget is None else int(budget),
            )
            self._cells.append((cell, []))
        elif "scenario" in line:
            tags = tuple(line["tags"])
            scenario = ScenarioEvidence(line["scenario"], line["variant"], line["digest"], tags)
            self._scenarios.append(scenario)
        elif "metric" not in line:  # an aggregate is for people: it is made anew from the verdicts
            kind = "strategy" if "strategy" in line else "summarizer"
            named = Named(line[kind], line["spec"], bool(line["sees_answer_key"]))
            self._named[kind].append(named)

    def _verdict(self, line: list[Any]) -> None:
        scenario, variant, repeat, probe, place, kind, verdict, *flags = line
        cell, outcomes = self._cells[-1]
        key = cell.key
        if (key.scenario, key.variant, key.repeat) != (scenario, variant, repeat):
            raise ValueError("a verdict outside of its cell")
        if verdict not in _VERDICTS:
            raise ValueError(f"unknown verdict {verdict!r}")
        recall = next((one["recall"] for one in flags if isinstance(one, dict)), None)
        if recall is not None and recall not in _VERDICTS:
            raise ValueError(f"unknown verdict {recall!r}")
        marked = {name: name in flags for name in _FLAGS}
        outcomes.append(Outcome(probe, place, kind, verdict, recall=recall, **marked))

    def evidence(self) -> Evidence:
        """All that was read."""
        return Evidence(
            circumstances=self._head["run"],
            strategies=tuple(self._named["strategy"]),
            summarizers=tuple(self._named["summarizer"]),
            scenarios=tuple(self._scenarios),
            cells=tuple(replace(cell, outcomes=tuple(outcomes)) for cell, outcomes in self._cells),
            live=bool(self._head["live"]),
            name=self._name,
        )
