"""Running a matrix: what is finished is kept, the rest is measured, all of it in the same order."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

from compaction_eval.eval.encoding import decode_cell, encode_cell
from compaction_eval.eval.manifest import manifest_of
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.recall.recalling import Asked, recalled
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.selected import selecting
from compaction_eval.eval.store import Run, RunFolder
from compaction_eval.eval.summaries.selecting import Asking, asking_cells
from compaction_eval.eval.worker import Workshop
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.given import Given
from compaction_eval.strategies.loading import load_strategy, load_summarizer
from compaction_eval.strategies.messages import call_arguments, call_name, content_text, tool_calls
from compaction_eval.strategies.tokens import TokenCounter

Executor = Literal["auto", "inline", "processes"]
TIME_LIMIT = 20.0
"""Seconds that one call of foreign code may take, unless said otherwise."""
WORTH_PROCESSES = 4_000
"""Requests from which on starting worker processes pays."""


def run_matrix(
    matrix: Matrix,
    *,
    keys: Sequence[CellKey] | None = None,
    folder: Path | None = None,
    jobs: int | None = None,
    executor: Executor = "auto",
    time_limit: float | None = TIME_LIMIT,
    asked: Asked | None = None,
    on_cell: Callable[[CellRecord], None] = lambda cell: None,
) -> Run:
    """Measure a matrix, or those of its cells that `keys` names, and return the whole run.

    With a `folder` each finished cell is written there at once, and cells found there aren't
    measured again. `jobs` is the number of worker processes (default: the number of processors).
    `asked` are the models that are asked each written probe and for summaries, from threads of this
    process; cells whose questions got no answer are measured again next time. Cells whose summaries
    a model writes are measured in this process, whatever the executor. `on_cell` is called for
    every cell, finished before or now.

    Raises ConfigurationError; ModelError where a model can't be asked any further, and then what
    is finished is kept.
    """
    if asked is not None and asked.answerer is not None:
        judge = None if asked.judge is None else asked.judge.name
        matrix = replace(matrix, model=asked.answerer.name, judge=judge)
    if executor == "processes" and (here := _held_here(matrix)):
        raise ConfigurationError(f"'{here}' is an object of this process; measure it inline")
    wanted = list(matrix.cells()) if keys is None else list(keys)
    manifest = manifest_of(matrix)
    store = RunFolder(folder, matrix.directory) if folder is not None else None
    done = store.open(manifest, wanted) if store is not None else {}
    found = [key for key in wanted if key in done]
    for key in found:
        on_cell(done[key])
    missing = [key for key in wanted if key not in done]
    asking = _asking(matrix, missing, asked)
    # Closed also when `on_cell` raises or the user interrupts: workers must not be left behind.
    with (
        closing(
            _all_measured(matrix, missing, asking, asked, jobs, executor, time_limit)
        ) as measured,
        closing(_answered(measured, matrix, asked)) as answered,
    ):
        for key, line in answered:
            if store is not None:
                store.append(line)
            # Read back also without a folder: what a caller sees is what a later reader will see.
            done[key] = decode_cell(line)
            on_cell(done[key])
    if store is not None and asked is not None and (lacking := asked.lacking()):
        # In the folder alone: a replay, which finds nothing out, has the same results.
        store.note({"lacking": lacking})
    if store is not None:
        store.write(done[key] for key in matrix.cells() if key in done)
    return Run(selecting(manifest, wanted), tuple(done[key] for key in wanted), reused=len(found))


def _asking(matrix: Matrix, keys: Sequence[CellKey], asked: Asked | None) -> Asking:
    """The cells that ask a model for summaries. ConfigurationError where it can't be asked."""
    found = asking_cells(matrix, keys)
    for name in found.models:
        if asked is None:
            raise ConfigurationError(
                f"summarizer '{name}' is a model, and no models are asked here"
            )
        asked.summary_model(name)
    return found


def _all_measured(
    matrix: Matrix,
    keys: Sequence[CellKey],
    asking: Asking,
    asked: Asked | None,
    jobs: int | None,
    executor: Executor,
    time_limit: float | None,
) -> Generator[tuple[CellKey, str]]:
    """Each cell's line as it ends; those first whose summaries no model writes."""
    rest = set(asking.keys)
    plain = [key for key in keys if key not in rest] if rest else keys
    yield from _measured(matrix, plain, jobs, executor, time_limit)
    if asked is not None and asking.keys:
        from compaction_eval.eval.summaries.measuring import measured_by_asking

        yield from measured_by_asking(matrix, asking.keys, asking.foreign, asked, time_limit)


def _measured(
    matrix: Matrix,
    keys: Sequence[CellKey],
    jobs: int | None,
    executor: Executor,
    time_limit: float | None,
) -> Generator[tuple[CellKey, str]]:
    """Each cell's line as it ends."""
    if not keys:
        return
    workers = min(jobs or os.cpu_count() or 1, len(keys))
    if executor == "inline" or (executor == "auto" and _better_inline(matrix, keys, workers)):
        workshop = Workshop(matrix, TokenCounter(matrix.encoding), time_limit, hard=False)
        for key in keys:
            yield key, encode_cell(workshop.measure(key))
        return
    from compaction_eval.eval.processes import measure_on

    yield from measure_on(workers, matrix, keys, _counted(matrix), time_limit)


def _answered(
    measured: Iterable[tuple[CellKey, str]], matrix: Matrix, asked: Asked | None
) -> Generator[tuple[CellKey, str]]:
    """Each cell's line, with the answers of a model where one is asked."""
    if asked is None or asked.answerer is None:
        yield from measured
        return
    cells = (decode_cell(line) for _, line in measured)
    with closing(recalled(cells, matrix, asked)) as found:
        for cell in found:
            yield cell.key, encode_cell(cell)


def _better_inline(matrix: Matrix, keys: Sequence[CellKey], workers: int) -> bool:
    """Whether no process of its own is needed: our code only, and too little of it to share out."""
    if _held_here(matrix):
        return True
    if _has_foreign_code(matrix):
        return False
    lengths = {(one.id, one.variant): len(one.messages) for one in matrix.scenarios}
    requests = sum(lengths[key.scenario, key.variant] for key in keys) // 2
    return workers == 1 or requests < WORTH_PROCESSES


def _held_here(matrix: Matrix) -> str | None:
    """The label of what can't be sent to another process; None where all can."""
    specs = (*matrix.strategies, *matrix.summarizers)
    return next((spec.label for spec in specs if isinstance(spec, Given)), None)


def _has_foreign_code(matrix: Matrix) -> bool:
    loaded = [load_strategy(spec, matrix.directory) for spec in matrix.strategies]
    inner = [load_summarizer(spec, matrix.directory) for spec in matrix.summarizers]
    return any(one is not None and one.foreign for one in (*loaded, *inner))


def _counted(matrix: Matrix) -> dict[str, int]:
    """Token counts of every text that the scenarios hold, each text counted once."""
    counter = TokenCounter(matrix.encoding)
    for scenario in matrix.scenarios:
        counter.tools(scenario.tools)
        for probe in scenario.probes:
            counter.text(probe.ask)
        for message in scenario.messages:
            counter.text(content_text(message))
            for call in tool_calls(message):
                counter.text(call_name(call))
                counter.text(call_arguments(call))
    return counter.known
