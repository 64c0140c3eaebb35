"""Which finished run a command is about, and whether it is whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from compaction_eval.commands.invocation import command_line
from compaction_eval.eval.evidence import Evidence, expected_keys
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.store import CELLS, MANIFEST, Run, read_run
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

RUNS = Path("runs")
_ONE = ("This run holds", "it")


def finished_run(given: str | None) -> tuple[Path, Run]:
    """The run in a folder; without one, the only run in `runs/`.

    Raises ConfigurationError where there is none, or it isn't clear which, or it holds no cell.
    """
    folder, run = found_run(given)
    if not run.cells and run.damaged:
        raise ConfigurationError(
            f"{path_text(folder / CELLS)}: damaged: not one of its lines can be read; measure the"
            " run again"
        )
    if not run.cells:
        raise ConfigurationError(f"{path_text(folder)}: no cell of this run is finished yet")
    return folder, run


def found_run(given: str | None) -> tuple[Path, Run]:
    """The same, whether any cell is finished or not."""
    folder = Path(given) if given is not None else _only_one()
    if not folder.exists():
        measure = command_line("run", ["--out", str(folder)])
        raise ConfigurationError(
            f"{path_text(folder)}: there is no such folder; make it: {measure}"
        )
    inside = [] if (folder / MANIFEST).exists() else _runs_in(folder)
    if inside:
        raise ConfigurationError(
            f"{path_text(folder)}: holds runs, and is none; name one of {_some(inside)}"
        )
    return folder, read_run(folder)


def _only_one() -> Path:
    found = _runs_in(RUNS)
    if len(found) == 1:
        return found[0]
    if not found:
        measure = command_line("run", [])
        raise ConfigurationError(f"there is no run in {RUNS}/: name a run's folder, or: {measure}")
    raise ConfigurationError(f"{plural(len(found), 'run')} in {RUNS}/: name one of {_some(found)}")


def _runs_in(folder: Path) -> list[Path]:
    return sorted(file.parent for file in folder.glob(f"*/{MANIFEST}"))


def _some(folders: Sequence[Path]) -> str:
    return ", ".join(map(path_text, folders[:10])) + (" …" if len(folders) > 10 else "")


def gaps(run: Run) -> tuple[list[str], bool]:
    """Lines on cells without figures, and whether strategies rest on different conversations.

    Cells that were never measured are an interruption, or weren't selected; what there is can be
    compared all the same where every strategy has the same.
    """
    lines = []
    keys = expected_keys(run.manifest)
    planned = len(keys)
    if run.damaged:
        lines.append(_damaged(run))
    if len(run.cells) + run.damaged < planned:
        who, which = ("These runs hold", "one") if "joined" in run.manifest else _ONE
        lines.append(
            f"{who} {len(run.cells):,} of {plural(planned, 'cell')}: {which} was interrupted,"
            " or some were selected; figures rest on these."
        )
    uneven = _uneven(run.cells, keys)
    if uneven:
        lines.append("Strategies rest on different conversations, since not all have all cells.")
    if run.errors:
        lines.append(f"{len(run.errors):,} of {plural(len(run.cells), 'cell')} without figures.")
    return lines, uneven or bool(run.errors or run.damaged)


def _damaged(run: Run) -> str:
    return (
        f"{plural(run.damaged, 'line')} of {CELLS} can't be read, though written whole: the file"
        " was damaged; the same run again measures their cells anew."
    )


def _uneven(cells: Sequence[CellRecord], planned: Iterable[CellKey]) -> bool:
    """Whether something is measured on a conversation and something else isn't, though planned."""
    axes = [set(values) for values in zip(*(_axes(cell.key) for cell in cells), strict=True)]
    return bool(axes) and len(cells) < sum(
        all(value in axis for value, axis in zip(_axes(key), axes, strict=True)) for key in planned
    )


def _axes(key: CellKey) -> tuple[object, ...]:
    return (key.scenario, key.variant, key.repeat), key.strategy, key.budget, key.summarizer


def lacking(run: Run, evidence: Evidence) -> list[str]:
    """Of an incomplete run what it lacks, a line each."""
    lines = failure_lines(run.cells)
    if run.damaged:
        lines.append(_damaged(run))
    if evidence.errors:
        lines.append(f"{plural(evidence.errors, 'cell')} ended in an error")
    if evidence.missing:
        lines.append(
            f"{plural(evidence.missing, 'cell')} of {len(expected_keys(run.manifest)):,} not"
            " measured: the run was interrupted, or -k selected some"
        )
    if evidence.unanswered:
        lines.append(f"{plural(evidence.unanswered, 'question')} to the model without an answer")
    return lines
