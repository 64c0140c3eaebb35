"""One cell of a finished run, instead of one that is replayed: with what a model answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from compaction_eval.eval.matrix import Matrix
    from compaction_eval.eval.records import CellRecord


def kept_cell(folder: Path, matrix: Matrix) -> CellRecord:
    """The cell of a matrix with one, first repeat, as a run folder holds it.

    Raises ConfigurationError where it doesn't, or holds one of another version of the scenario.
    """
    from compaction_eval.eval.store import read_run

    run = read_run(folder)
    key = next(iter(matrix.cells()))
    (scenario,) = matrix.scenarios
    cell = next((one for one in run.cells if one.key == key), None)
    if cell is None:
        wanted = f"{scenario.key} / {key.strategy} / {key.budget} / {key.summarizer}"
        held = [f"{one.key.strategy} / {one.key.budget} / {one.key.summarizer}" for one in run.cells
                if (one.key.scenario, one.key.variant) == (key.scenario, key.variant)]  # fmt: skip
        hint = did_you_mean(f"{key.strategy} / {key.budget} / {key.summarizer}", held)
        raise ConfigurationError(f"{path_text(folder)}: holds nothing of {wanted}{hint}")
    digests = {(one["id"], one["variant"]): one["digest"] for one in run.manifest["scenarios"]}
    if digests[key.scenario, key.variant] != scenario.digest:
        raise ConfigurationError(
            f"{path_text(folder)}: '{scenario.key}' has changed since that run"
        )
    return cell
