"""Several comparable runs as one, so that one table, chart and page can show them together.

What is the same in several runs is in the joined one once; what has one name and isn't the same is
told apart by the runs' names. Conversations that not every strategy was measured on are left out,
so that figures rest on the same ones. A manifest that was joined has, beside what a run's has:

joined      of each run its name, id, model, and the matrix as it is called in the joined run; of
            strategies and summarizers that were told apart also what they were called (`was`);
            `unfinished`, how many cells were asked for and aren't there
left_out    scenarios that were left out, by the names of the runs that have them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from compaction_eval.eval.comparable import measured_otherwise, nothing_shared, scenario_names
from compaction_eval.eval.evidence import CellEvidence, Evidence, evidence_of
from compaction_eval.eval.joined_manifest import (
    ASKED,
    conversation_of,
    joined_manifest,
    kept_conversations,
    left_out_of,
    matrix_order,
)
from compaction_eval.eval.manifest import run_id
from compaction_eval.eval.name_clashes import (
    Named,
    Same,
    labels,
    same_strategy,
    same_summarizer,
    united,
)
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.selected import unfinished
from compaction_eval.eval.store import Run
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec

_HOW = ("asking", "grader", "judging")


def joined(runs: Mapping[str, Run]) -> Run:
    """The runs as one, in their order; the names are what they are told apart by.

    ConfigurationError with a line for each reason why they can't be put together.
    """
    if not runs:
        raise ConfigurationError("there is no run to put together: none was given")
    if len(runs) == 1:
        return next(iter(runs.values()))
    _check(runs)
    cells = {name: list(run.cells) for name, run in runs.items()}
    parts = {name: _part(name, run) for name, run in runs.items()}
    _rename("summarizers", same_summarizer, runs, parts, cells)
    _rename("strategies", same_strategy, runs, parts, cells)
    kept = kept_conversations(parts.values())
    if not kept:
        raise ConfigurationError(_apart(_evidence(runs)))
    left_out = left_out_of(parts, kept)
    for part in parts.values():
        part["scenarios"] = [one for one in part["scenarios"] if conversation_of(one) in kept]
    manifest = joined_manifest([run.manifest for run in runs.values()], [*parts.values()])
    manifest["left_out"] = left_out
    found = united(cell for name in runs for cell in cells[name])
    return Run(
        manifest,
        tuple(
            sorted(
                (cell for key, cell in found.items() if (key.scenario, key.variant) in kept),
                key=matrix_order(manifest),
            )
        ),
        damaged=sum(run.damaged for run in runs.values()),
    )


def _evidence(runs: Mapping[str, Run]) -> list[Evidence]:
    return [evidence_of(run, name) for name, run in runs.items()]


def _check(runs: Mapping[str, Run]) -> None:
    """Raise ConfigurationError where one wasn't measured like one before it."""
    evidence = _evidence(runs)
    for at, after in enumerate(evidence):
        for before in evidence[:at]:
            # Who was asked may differ: what each answered stays in rows of its own.
            free = [
                *ASKED,
                *(
                    key
                    for key in _HOW
                    if not {key} <= before.circumstances.keys() & after.circumstances.keys()
                ),
            ]
            reasons = measured_otherwise(before, after, _like(before), free)
            if reasons:
                lines = [f"can't be put together: {reason}" for reason in reasons]
                raise ConfigurationError("\n".join(lines))


def _like(before: Evidence) -> Callable[[CellEvidence], CellEvidence | None]:
    """Finds a cell of the same conversation at the same budget, whatever its strategy.

    Questions, requests and the full history's tokens are no matter of strategies. Cells without
    any request replay recorded compactions where there are none.
    """
    found: dict[tuple[object, ...], CellEvidence] = {}
    for cell in before.cells:
        if not cell.error and cell.totals.requests:
            found.setdefault(_measured_on(cell), cell)
    return lambda cell: found.get(_measured_on(cell)) if cell.totals.requests else None


def _measured_on(cell: CellEvidence) -> tuple[object, ...]:
    return cell.key.scenario, cell.key.variant, cell.key.budget, cell.key.repeat


def _part(name: str, run: Run) -> dict[str, Any]:
    manifest = run.manifest
    keys = ("budgets", "strategies", "summarizers", "scenarios")
    who = {key: manifest[key] for key in ASKED if manifest.get(key) is not None}
    # A selection is one of the run's own cells, so only how many of it lack can be taken over.
    lacking = unfinished(manifest, run.cells)
    open_cells = {"unfinished": lacking} if lacking else {}
    matrix = {key: manifest[key] for key in keys}
    return {"name": name, "id": run_id(manifest), **who, **matrix, **open_cells}


def _rename(
    kind: str,
    same: Same,
    runs: Mapping[str, Run],
    parts: Mapping[str, dict[str, Any]],
    cells: Mapping[str, list[CellRecord]],
) -> None:
    """Give what isn't the same in all runs names of its own, in parts and cells."""
    field = {"strategies": "strategy", "summarizers": "summarizer"}[kind]
    known: dict[str, list[Named]] = {}
    for name, run in runs.items():
        own: dict[str, list[CellRecord]] = {}
        for cell in cells[name]:
            own.setdefault(getattr(cell.key, field), []).append(cell)
        version = str(run.manifest.get("version"))
        asked = (run.manifest.get("model"), run.manifest.get("judge"))
        for entry in parts[name][kind]:
            measured = {cell.key: cell for cell in own.get(entry["label"], ())}
            named = Named(name, version, asked, entry, measured)
            known.setdefault(entry["label"], []).append(named)
    renamed = {label: labels(named, same, known) for label, named in known.items()}
    for name in runs:
        new = {label: by_run[name] for label, by_run in renamed.items() if name in by_run}
        parts[name][kind] = [_renamed(entry, new[entry["label"]]) for entry in parts[name][kind]]
        cells[name][:] = [
            cell
            if (label := getattr(cell.key, field)) == new.get(label, label)
            else replace(cell, key=_with(cell.key, field, new[label]))
            for cell in cells[name]
        ]


def _with(key: CellKey, field: str, label: str) -> CellKey:
    if field == "strategy":
        return replace(key, strategy=label)
    return replace(key, summarizer=label)


def _renamed(entry: Mapping[str, Any], label: str) -> Mapping[str, Any]:
    """The entry under another label, which its spec gives it too, so that it is read as before."""
    if label == entry["label"]:
        return entry
    spec = replace(parse_spec(entry["spec"]), name=label)
    return {**entry, "label": label, "spec": str(spec), "was": entry["label"]}


def _apart(evidence: Sequence[Evidence]) -> str:
    """That strategies share no conversation, and which runs that is about."""
    for before, after in combinations(evidence, 2):
        names = [scenario_names(side) for side in (before, after)]
        if set(names[0]).isdisjoint(names[1]):
            reason = nothing_shared(before, after, "scenario", *names)
            return f"can't be put together: {reason}"
    return "can't be put together: no scenario was measured with every strategy and budget"
