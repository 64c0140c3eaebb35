"""One row per request: what the model would have been sent there, and what was done to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.eval.row_cells import row_key
from compaction_eval.reports.verdict_rows import cell_columns, on_key


class RequestRow(NamedTuple):
    """A request with all that tells which it is; docs/dataframe.md says what each column means."""

    scenario: str
    variant: str
    strategy: str
    budget: str
    summarizer: str
    repeat: int
    request: int
    position: int
    probe: str | None
    budget_tokens: int
    sent_tokens: int
    full_tokens: int
    tools_tokens: int
    reused_tokens: int
    action: str
    fallback: str | None
    blocks_dropped: int
    orphans_dropped: int
    summary_calls: int
    summary_tokens_in: int
    summary_tokens_out: int
    over_budget: bool
    infeasible: bool
    invalid: bool
    refused_by: str
    events: str
    apart: bool
    sees_answer_key: bool


def request_rows(cells: Iterable[CellRecord], rows: Iterable[SummaryRow]) -> Iterator[RequestRow]:
    """The requests, cells in the run's order, the requests of each as they were made."""
    keyed = on_key(rows)
    for cell in cells:
        key = cell.key
        sees_key = row_key(key) in keyed
        for at, request in enumerate(cell.requests):
            yield RequestRow(
                *cell_columns(key),
                at,
                request.at,
                request.probe,
                cell.budget_tokens,
                request.tokens + cell.tools_tokens,
                request.full + cell.tools_tokens,
                cell.tools_tokens,
                request.reused_tokens,
                request.action,
                request.fallback,
                request.blocks_dropped,
                request.orphans_dropped,
                request.summary_calls,
                request.summary_tokens_in,
                request.summary_tokens_out,
                request.over_budget,
                request.infeasible,
                bool(request.faults),
                " ".join(request.refused_by),
                " ".join(request.events),
                cell.apart,
                sees_key,
            )
