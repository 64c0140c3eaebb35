"""Asking a model all probes of a run: cells come in measured, and go out with their answers.

Asking begins where measuring has ended, so cells are measured wherever they are without a model,
with the same verdicts on survival. All questions share one pool of threads; a cell goes on as soon
as its last answer is there, and what comes of it doesn't depend on the order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.models.base import ChatModel, ModelError
from compaction_eval.eval.models.settings import CONCURRENCY
from compaction_eval.eval.recall.asking import Ask, answered
from compaction_eval.eval.recall.expected import Expected, expected_of
from compaction_eval.eval.recall.judge import judged
from compaction_eval.eval.recall.pool import Pool
from compaction_eval.eval.recall.sending import chat_tools, view_messages
from compaction_eval.eval.records import AnswerRecord, CellRecord
from compaction_eval.eval.summaries.asking import SummaryModel
from compaction_eval.scenarios.records import ProbeKind, Scenario, variant_name
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.summarizers.model import SAME

_ASKED = frozenset(get_args(ProbeKind))
AHEAD = 4
"""Questions that are ready to be asked, for each thread: more would only fill the memory."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked, and how many questions at once; all may be used by several threads."""

    answerer: ChatModel | None = None
    """Who is asked the probes; None where nobody is."""
    judge: ChatModel | None = None
    concurrency: int = CONCURRENCY
    stop: Callable[[], object] = lambda: None
    """Called when the run ends before its end, so that nothing goes on waiting to ask again."""
    lacking: Callable[[], Mapping[str, Any]] = dict
    """What the models turned out not to be able to do, by name; for the manifest."""
    summarizers: Callable[[str], SummaryModel] | None = None
    """Who is asked for summaries, by the name that a spec has; None where that is the answerer."""

    def summary_model(self, name: str) -> SummaryModel:
        """The model that a summariser of that name asks. Raises ConfigurationError."""
        if self.summarizers is not None:
            return self.summarizers(name)
        if self.answerer is None or name not in (SAME, self.answerer.name):
            raise ConfigurationError(f"summarizer '{name}': there is no such model here")
        return SummaryModel(self.answerer)


@dataclass(slots=True)
class _Open:
    """A measured cell whose questions are being asked."""

    cell: CellRecord
    answers: dict[int, AnswerRecord]
    """By the probe's place in the cell."""
    missing: int


_Answer = tuple[_Open, int, AnswerRecord]


def recalled(
    cells: Iterable[CellRecord], matrix: Matrix, asked: Asked
) -> Generator[CellRecord, None, None]:
    """Each cell with its answers, as the last of them comes in.

    Raises the ModelError that ends the run, here or in the measuring of `cells`, after the cells
    that could still be finished.
    """
    scenarios = {(one.id, one.variant): one for one in matrix.scenarios}
    pool: Pool[_Answer] = Pool(asked.concurrency)
    left = 0
    ended: list[ModelError] = []
    try:
        for cell in _until_error(cells, ended):
            scenario = scenarios[cell.key.scenario, cell.key.variant]
            tasks = list(_questions(cell, scenario))
            if not tasks:
                yield cell
                continue
            opened = _Open(cell, {}, len(tasks))
            left += 1
            for number, ask in tasks:
                pool.submit(partial(_answer, asked, opened, number, ask))
            # Blocked only while enough is waiting, so that no thread runs out of questions.
            while pool.error is None and (
                pool.waiting > AHEAD * asked.concurrency or not pool.finished.empty()
            ):
                for done in _finished(pool):
                    left -= 1
                    yield done
            if pool.error is not None:
                break
        while left and pool.error is None:
            for done in _finished(pool):
                left -= 1
                yield done
        if pool.error is not None:
            asked.stop()
            pool.wait()
            while not pool.finished.empty():
                yield from _finished(pool)
            raise pool.error
        if ended:
            raise ended[0]
    finally:
        pool.stop()


def _until_error(cells: Iterable[CellRecord], ended: list[ModelError]) -> Iterator[CellRecord]:
    """The cells up to the error that ends the run, which is noted: answers are still coming in."""
    try:
        yield from cells
    except ModelError as error:
        ended.append(error)


def _finished(pool: Pool[_Answer]) -> Iterator[CellRecord]:
    """Take in the next answer, once it is there; the cell if it was its last one."""
    found = pool.finished.get()
    if found is None:
        return
    opened, number, answer = found
    opened.answers[number] = answer
    opened.missing -= 1
    if not opened.missing:
        probes = tuple(
            replace(probe, answer=opened.answers.get(number))
            for number, probe in enumerate(opened.cell.probes)
        )
        yield replace(opened.cell, probes=probes)


def _questions(cell: CellRecord, scenario: Scenario) -> Iterator[tuple[int, Ask]]:
    """Of each written probe of a cell its place in it, and what is asked."""
    written = {probe.id: probe for probe in scenario.probes}
    tools = chat_tools(scenario)
    key = cell.key
    for number, record in enumerate(cell.probes):
        if record.kind not in _ASKED:  # found, not written
            continue
        expected: Expected = expected_of(scenario, written[record.probe], record.at)
        name = variant_name(key.scenario, key.variant)
        yield (
            number,
            Ask(
                messages=view_messages(cell, cell.requests[record.request], scenario),
                expected=expected,
                language=scenario.lang,
                tools=tools,
                repeat=key.repeat,
                whereabouts=f"{name} / {key.strategy} / {key.budget} / {key.summarizer} /"
                f" {record.probe} at {record.place}",
            ),
        )


def _answer(asked: Asked, opened: _Open, number: int, ask: Ask) -> _Answer:
    """Ask one question of one cell, and have the answer judged; called in a thread."""
    assert asked.answerer is not None
    record, words = answered(asked.answerer, ask)
    if asked.judge is not None and words:
        found = judged(
            asked.judge, words, ask.expected, repeat=ask.repeat, whereabouts=ask.whereabouts
        )
        record = replace(
            record,
            judge=found.verdict,
            judge_reason=found.reason,
            judge_tokens_in=found.tokens_in,
            judge_tokens_out=found.tokens_out,
        )
    return opened, number, record
