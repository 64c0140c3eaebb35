"""After a run: the exact command that follows one lost fact to the compaction that lost it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compaction_eval.commands.invocation import command_line, path_argument
from compaction_eval.commands.transcripts import transcript_arguments
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.records import CellKey, CellRecord, SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.reports.findings import findings
from compaction_eval.reports.marks import Marks
from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import Kind
from compaction_eval.strategies.relocating import relocated
from compaction_eval.strategies.specs import Spec, parse_spec
from compaction_eval.strategies.summarizers.model import SAME

_LOST = ("missing", "stale", "mixed")
_FOLLOW = "Follow a lost fact: "


def show_a_loss(matrix: Matrix, run: Run, rows: Sequence[SummaryRow], marks: Marks) -> str | None:
    """A line with the command; None where no strategy that could be chosen lost anything."""
    loss = _a_loss(run, rows, marks)
    return None if loss is None else f"{_FOLLOW}{show_command(matrix, *loss)}"


def show_a_kept_loss(
    folder: Path, run: Run, rows: Sequence[SummaryRow], marks: Marks
) -> str | None:
    """The same of a finished run in a folder, among the cells of some rows."""
    wanted = {(row.strategy, row.budget) for row in rows}
    cells = [cell for cell in run.cells if (cell.key.strategy, cell.key.budget) in wanted]
    loss = _a_loss(replace(run, cells=tuple(cells)), rows, marks)
    if loss is None:
        return None
    return f"{_FOLLOW}{show_from_manifest(run.manifest, *loss, ['--run', path_argument(folder)])}"


def _a_loss(run: Run, rows: Sequence[SummaryRow], marks: Marks) -> tuple[CellKey, str] | None:
    """A cell and a probe that it lost, one that the best strategies lost: it teaches most."""
    ranks = _ranks(rows, marks)
    losses = [
        (_rank(ranks, cell), probe.lost_at is None, index, cell, probe)
        for index, cell in enumerate(run.cells)
        if not cell.apart and marks.registered_name(cell.key.strategy) not in ("none", "empty")
        for probe in cell.probes
        if probe.verdict in _LOST and not probe.free
    ]
    if not losses:
        return None
    *_, cell, probe = min(losses, key=lambda loss: loss[:3])
    return cell.key, probe.probe


def _rank(ranks: Mapping[tuple[str, str, str], int], cell: CellRecord) -> int:
    key = cell.key
    own = ranks.get((key.strategy, key.budget, key.summarizer), len(ranks))
    # Where the summariser makes no difference, the rows are merged and have none.
    return ranks.get((key.strategy, key.budget, ""), own)


def _ranks(rows: Sequence[SummaryRow], marks: Marks) -> Mapping[tuple[str, str, str], int]:
    """The frontier's rows, those that keep most first."""
    best = [row for found in findings(rows, marks) for row in reversed(found.frontier)]
    return {
        (row.strategy, row.budget, row.summarizer): rank
        for rank, row in reversed([*enumerate(best)])
    }


def show_command(matrix: Matrix, key: CellKey, probe: str) -> str:
    """The command that tells a probe of a cell."""
    return command_line("show", [*show_arguments(matrix, key), "--probe", probe])


def show_arguments(matrix: Matrix, key: CellKey) -> list[str]:
    """What `show` is to be called with to tell a cell."""
    arguments = _selector(matrix, key.scenario)
    if key.variant:
        arguments += ["--variant", key.variant]
    arguments += ["--strategy", _spec(matrix.strategies, key.strategy), "--budget", key.budget]
    summarizer = _summarizer(_spec(matrix.summarizers, key.summarizer), matrix.model)
    arguments += ["--summarizer", summarizer]
    if matrix.encoding != "o200k_base":
        arguments += ["--encoding", matrix.encoding]
    if matrix.profile != "openai":
        arguments += ["--profile", matrix.profile]
    return arguments


def show_from_manifest(
    manifest: Mapping[str, Any], key: CellKey, probe: str | None, more: Sequence[str] = ()
) -> str:
    """The command that tells a probe of a finished run, or all of a cell, by its manifest alone.

    It works from the current folder, wherever the run was made.
    """
    places = manifest.get("places", {})
    place = places.get(key.scenario, {})
    file = place.get("file")
    arguments = [_shipped_or_file(key.scenario, file) if file else key.scenario]
    if "format" in place:
        files = [one["file"] for one in places.values() if "format" in one]
        arguments = transcript_arguments(key.scenario, file, files, place["format"])
    if key.variant:
        arguments += ["--variant", key.variant]
    named: tuple[tuple[Kind, str], ...] = (
        ("strategies", key.strategy),
        ("summarizers", key.summarizer),
    )
    for kind, label in named:
        specs = [
            _summarizer(_from_here(kind, one["spec"], manifest), manifest.get("model"))
            for one in manifest[kind]
            if one["label"] == label
        ]
        arguments += ["--strategy" if kind == "strategies" else "--summarizer", *specs[:1]]
        if kind == "strategies":
            arguments += ["--budget", key.budget]
    for name, usual in (("encoding", "o200k_base"), ("profile", "openai")):
        if manifest.get(name, usual) != usual:
            arguments += [f"--{name}", str(manifest[name])]
    return command_line("show", [*arguments, *(("--probe", probe) if probe else ()), *more])


def _from_here(kind: Kind, text: str, manifest: Mapping[str, Any]) -> str:
    """A spec of a run from the current folder, under the label that the run has it by."""
    start = Path(manifest.get("made_in", os.curdir))
    spec = parse_spec(text)
    try:
        moved = relocated(kind, spec, start, Path.cwd())
    except ConfigurationError:
        return text
    return text if moved == spec else str(replace(moved, name=spec.label))


def _summarizer(text: str, model: object) -> str:
    """A summarizer for `show`, which knows of no --model."""
    return str(model) if text == SAME and model else text


def _spec(specs: Sequence[Spec], label: str) -> str:
    return next((str(spec) for spec in specs if spec.label == label), label)


def _selector(matrix: Matrix, scenario_id: str) -> list[str]:
    """How a scenario is selected: a shipped one by its id, another by the file's path."""
    scenario = next(one for one in matrix.scenarios if one.id == scenario_id)
    if scenario.format:
        files = [one.file for one in matrix.scenarios if one.format]
        return transcript_arguments(scenario_id, scenario.file, files, scenario.format)
    return [_shipped_or_file(scenario_id, str(Path(scenario.file)))]


def _shipped_or_file(scenario_id: str, file: str) -> str:
    return scenario_id if is_shipped(scenario_id, file) else file


def is_shipped(scenario_id: str, file: str) -> bool:
    """Whether a scenario's file is one of the library, or was, where it isn't there any longer."""
    library = library_folder()
    if Path(file).is_file():
        return Path(file).resolve().is_relative_to(library.resolve())
    return scenario_id in {one.stem for one in scenario_files(library)}
