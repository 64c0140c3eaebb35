"""One row per verdict, under the names that result files and frames have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from compaction_eval.eval.models.base import Outcome
from compaction_eval.eval.records import (
    REUSE_KINDS,
    AnswerRecord,
    CellKey,
    CellRecord,
    SummaryRow,
    Verdict,
)
from compaction_eval.eval.row_cells import RowKey, row_key
from compaction_eval.scenarios.records import Where


class VerdictRow(NamedTuple):
    """A verdict with all that tells which it is; docs/results.md says what each column means."""

    scenario: str
    variant: str
    strategy: str
    budget: str
    summarizer: str
    repeat: int
    probe: str
    kind: str
    at: str
    position: int
    verdict: Verdict
    share: float | None
    age_tokens: int | None
    age_messages: int | None
    age_compactions: int | None
    source: int | None
    source_tokens: int | None
    request: int
    lost_at: int | None
    free: bool
    own: bool
    where: Where | None
    chance: bool
    recoverable: bool
    recall: Verdict | None
    recalled: bool | None
    recall_share: float | None
    outcome: Outcome | None
    answer: str | None
    judge: Verdict | None
    apart: bool
    sees_answer_key: bool


def verdict_rows(cells: Iterable[CellRecord], rows: Iterable[SummaryRow]) -> Iterator[VerdictRow]:
    """The verdicts, cells in the run's order, probes in the order asked."""
    keyed = on_key(rows)
    for cell in cells:
        key = cell.key
        sees_key = row_key(key) in keyed
        for probe in cell.probes:
            yield VerdictRow(
                *cell_columns(key),
                probe.probe,
                probe.kind,
                probe.place,
                probe.at,
                probe.verdict,
                probe.share,
                probe.age_tokens,
                probe.age_messages,
                probe.age_compactions,
                probe.source,
                probe.source_tokens,
                probe.request,
                probe.lost_at,
                probe.free,
                probe.own,
                probe.where if probe.kind in REUSE_KINDS else None,
                probe.chance,
                probe.recoverable,
                *_answer(probe.answer),
                cell.apart,
                sees_key,
            )


def on_key(rows: Iterable[SummaryRow]) -> frozenset[RowKey]:
    """The rows whose figures rest on the answer key."""
    return frozenset((r.strategy, r.budget, r.summarizer) for r in rows if r.sees_answer_key)


def cell_columns(key: CellKey) -> tuple[str, str, str, str, str, int]:
    """The columns that tell which cell a row is of, in the order that every kind of row has."""
    return key.scenario, key.variant, key.strategy, key.budget, key.summarizer, key.repeat


def _answer(
    answer: AnswerRecord | None,
) -> tuple[Verdict | None, bool | None, float | None, Outcome | None, str | None, Verdict | None]:
    """What a model answered, in the columns' order; null where none was asked."""
    if answer is None:
        return None, None, None, None, None, None
    return (
        answer.verdict,
        None if answer.verdict == "error" else answer.right,
        answer.share,
        answer.outcome,
        answer.text,
        answer.judge,
    )
