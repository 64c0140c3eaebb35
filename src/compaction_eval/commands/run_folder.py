"""Which finished run a command is about, and whether it is whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compaction_eval.commands.again import run_again
from compaction_eval.commands.invocation import command_line
from compaction_eval.eval.evidence import Evidence, expected_keys
from compaction_eval.eval.run_files import CELLS, MANIFEST
from compaction_eval.eval.selected import unfinished
from compaction_eval.eval.store import Run, read_run
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gaps import gap_lines, uneven_lines
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
        raise ConfigurationError(
            f"{path_text(folder)}: no cell of this run is finished yet; go on:"
            f" {run_again(folder, run.manifest)}"
        )
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
    """Lines on cells without figures and on rows that can't be compared, and whether that is amiss.

    A part that was selected is not, where every strategy has the same of it.
    """
    lines = [_damaged(run)] if run.damaged else []
    lines += gap_lines(run.manifest, run.cells, run.damaged)
    if run.errors:
        lines.append(f"{len(run.errors):,} of {plural(len(run.cells), 'cell')} without figures.")
    amiss = run.errors or run.damaged or _interrupted(run) or uneven_lines(run.manifest, run.cells)
    return lines, bool(amiss)


def _interrupted(run: Run) -> bool:
    # Of several runs one may have what another lacks.
    lacks = len(run.cells) < len(expected_keys(run.manifest))
    return lacks and unfinished(run.manifest, run.cells) > 0


def mending(folders: Sequence[Path], run: Run) -> list[str]:
    """What to type so that nothing is amiss, a line for each run that a report is about."""
    if not (run.errors or run.damaged or gap_lines(run.manifest, run.cells, run.damaged)):
        return []
    lines = []
    for folder in folders:
        own = read_run(folder)
        lacks = len(own.cells) < len(expected_keys(own.manifest))
        if own.errors or own.damaged or lacks:
            head = "Once that is mended" if own.errors else "Measure the rest"
            lines.append(f"{head}: {run_again(folder, own.manifest)}")
    return lines


def _damaged(run: Run) -> str:
    return (
        f"{plural(run.damaged, 'line')} of {CELLS} can't be read, though written whole: the file"
        " was damaged; the same run again measures their cells anew."
    )


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
