"""After a run: the exact command that follows one lost fact to the compaction that lost it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compaction_eval.commands.invocation import command_line
from compaction_eval.commands.transcripts import transcript_arguments
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.records import CellKey, CellRecord, SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.reports.findings import findings
from compaction_eval.reports.marks import Marks
from compaction_eval.scenarios.library import library_folder
from compaction_eval.strategies.specs import Spec
from compaction_eval.strategies.summarizers.model import SAME

_LOST = ("missing", "stale", "mixed")


def show_a_loss(matrix: Matrix, run: Run, rows: Sequence[SummaryRow], marks: Marks) -> str | None:
    """A line with the command; None where no strategy that could be chosen lost anything.

    The fact is one that the best strategies lost, since there is most to learn from it.
    """
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
    return f"Follow a lost fact: {show_command(matrix, cell.key, probe.probe)}"


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


def show_from_manifest(manifest: Mapping[str, Any], key: CellKey, probe: str | None) -> str:
    """The command that tells a probe of a finished run, or all of a cell, by its manifest alone."""
    places = manifest.get("places", {})
    place = places.get(key.scenario, {})
    file = place.get("file")
    arguments = [_shipped_or_file(key.scenario, file) if file else key.scenario]
    if "format" in place:
        files = [one["file"] for one in places.values() if "format" in one]
        arguments = transcript_arguments(key.scenario, file, files, place["format"])
    if key.variant:
        arguments += ["--variant", key.variant]
    for kind, label in (("strategies", key.strategy), ("summarizers", key.summarizer)):
        specs = [
            _summarizer(str(one["spec"]), manifest.get("model"))
            for one in manifest[kind]
            if one["label"] == label
        ]
        arguments += ["--strategy" if kind == "strategies" else "--summarizer", *specs[:1]]
        if kind == "strategies":
            arguments += ["--budget", key.budget]
    for name, usual in (("encoding", "o200k_base"), ("profile", "openai")):
        if manifest.get(name, usual) != usual:
            arguments += [f"--{name}", str(manifest[name])]
    return command_line("show", [*arguments, *(("--probe", probe) if probe else ())])


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
    return scenario_id if is_shipped(file) else file


def is_shipped(file: str) -> bool:
    """Whether a scenario's file is one of the library."""
    return Path(file).resolve().is_relative_to(library_folder().resolve())
