"""Which finished run a command is about, and whether it is whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from compaction_eval.commands.invocation import command_line
from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.store import CELLS, MANIFEST, Run, read_run
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

RUNS = Path("runs")


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
    planned = _planned(run)
    if run.damaged:
        lines.append(_damaged(run))
    if len(run.cells) + run.damaged < planned:
        lines.append(
            f"This run holds {len(run.cells):,} of {plural(planned, 'cell')}: it was interrupted,"
            " or some were selected; figures rest on these."
        )
    uneven = len(run.cells) < _product(run.cells)
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


def _planned(run: Run) -> int:
    number = int(run.manifest.get("repeats", 1))
    for key in ("scenarios", "strategies", "budgets", "summarizers"):
        number *= len(run.manifest.get(key, ()))
    return number


def _product(cells: tuple[CellRecord, ...]) -> int:
    """How many cells there were if each conversation had every strategy and budget."""
    number = 1
    for values in _axes(cells):
        number *= len(values)
    return number


def _axes(cells: tuple[CellRecord, ...]) -> Iterator[set[object]]:
    yield {(cell.key.scenario, cell.key.variant, cell.key.repeat) for cell in cells}
    yield {cell.key.strategy for cell in cells}
    yield {cell.key.budget for cell in cells}
    yield {cell.key.summarizer for cell in cells}


def lacking(run: Run, evidence: Evidence) -> list[str]:
    """Of an incomplete run what it lacks, a line each."""
    lines = failure_lines(run.cells)
    if run.damaged:
        lines.append(_damaged(run))
    if evidence.errors:
        lines.append(f"{plural(evidence.errors, 'cell')} ended in an error")
    if evidence.missing:
        lines.append(
            f"{plural(evidence.missing, 'cell')} of {_planned(run):,} not measured: the run was"
            " interrupted, or -k selected some"
        )
    if evidence.unanswered:
        lines.append(f"{plural(evidence.unanswered, 'question')} to the model without an answer")
    return lines
