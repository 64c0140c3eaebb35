"""Where the tokens went: history kept, summaries carried, the summariser's own, what was saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compaction_eval.eval.records import CellRecord, SummaryRow
from compaction_eval.eval.row_cells import RowKey, by_row
from compaction_eval.reports.charts.canvas import (
    WIDTH,
    tall,
)
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.heat import ROW
from compaction_eval.reports.charts.naming import full_name, row_name
from compaction_eval.reports.charts.panelling import budget_note, told_budget
from compaction_eval.reports.charts.token_bars import Flow, paint_flows
from compaction_eval.reports.columns import headline, merged
from compaction_eval.reports.figures import plural, share
from compaction_eval.reports.printable import one_line
from compaction_eval.reports.usability import usability
from compaction_eval.strategies.summary import is_summary
from compaction_eval.strategies.tokens import TokenCounter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from compaction_eval.reports.charts.theme import Theme


def token_flow_charts(material: Material) -> list[Chart]:
    """Stacked bars at one budget; none where nothing was sent."""
    rows = merged(material.rows)
    budget = told_budget(material)
    there = [row for row in rows if row.budget == budget and row.full_tokens]
    if not there:
        return []
    counter = TokenCounter(str(material.manifest.get("encoding", "o200k_base")))
    cells = by_row(cell for cell in material.cells if cell.error is None)
    order = sorted(there, key=lambda row: (material.marks.is_control(row), -(headline(row) or 0.0)))
    flows = [_flow(row, rows, cells, counter) for row in order]

    def paint(figure: Figure, theme: Theme) -> None:
        paint_flows(figure, theme, flows)

    chart = Chart(
        name="token-flow",
        title=_title(flows, order, material),
        note=f"{_requests(there)} · {budget_note(material)} · run {material.run_id}",
        columns=("strategy", "budget", "kept", "summaries", "summarizer", "saved_net", "full"),
        data=tuple(
            (
                full_name(row, rows),
                budget,
                one.kept,
                one.carried,
                one.summarizing,
                one.saved,
                one.full,
            )
            for one, row in zip(flows, order, strict=True)
        ),
        paint=paint,
        size=(WIDTH, tall(len(flows), ROW)),
    )
    return [chart]


def _requests(rows: Sequence[SummaryRow]) -> str:
    """What was paid for: all that was sent, of conversations that stand apart too."""
    cells = max(row.cells - row.errors for row in rows)
    apart = max(row.cells_apart for row in rows)
    requests = max(row.requests or 0 for row in rows)
    told = f"{plural(requests, 'request')} of {plural(cells, 'conversation')}"
    return f"{told}, infeasible ones too ({apart:,})" if apart else told


def _flow(
    row: SummaryRow,
    rows: Sequence[SummaryRow],
    cells: Mapping[RowKey, list[CellRecord]],
    counter: TokenCounter,
) -> Flow:
    own = cells.get((row.strategy, row.budget, row.summarizer), ())
    carried = sum(_carried(cell, counter) for cell in own)
    summarizing = (row.summary_tokens_in or 0) + (row.summary_tokens_out or 0)
    sent, full = row.sent_tokens or 0, row.full_tokens or 0
    return Flow(
        row_name(row, rows), sent - carried, carried, summarizing, full - sent - summarizing, full
    )


def _carried(cell: CellRecord, counter: TokenCounter) -> int:
    """Tokens of summaries in all the views that a cell sent."""
    sizes = {
        name: counter.message(message)
        for name, message in cell.synthetic.items()
        if is_summary(message)
    }
    return sum(
        sizes.get(part, 0)
        for request in cell.requests
        for part in request.view
        if isinstance(part, str)
    )


def _title(flows: Sequence[Flow], rows: Sequence[SummaryRow], material: Material) -> str:
    """What summaries took and what was saved net, from the least to the most: sums, no ranking.

    Of the usable strategies that summarise; of all that do where none is usable.
    """
    at, use = f"At {one_line(rows[0].budget)}", usability(rows, material.marks)
    pairs = [
        (one, row)
        for one, row in zip(flows, rows, strict=True)
        if one.summarizing and not material.marks.is_control(row)
    ]
    if not pairs:
        return f"{at}, what was sent of the full history, and what was saved"
    usable = [one for one, row in pairs if use.is_usable(row)]
    own = usable or [one for one, _ in pairs]
    spent = _span([one.parts()[2] for one in own])
    if len(own) == 1:
        who = f"making summaries costs {own[0].name}"
    else:
        who = f"making summaries costs {'usable ' * bool(usable)}strategies"
    beyond = sum(one.saved < 0 for one in own)
    if beyond:
        few = "one spends" if beyond == 1 else f"{beyond:,} of them spend"
        few = "all of them spend" if beyond == len(own) > 1 else few
        few = "it spends" if len(own) == 1 else few
        return f"{at}, {who} {spent} of the full history; {few} more than summaries save"
    saved = _span([one.parts()[3] for one in own])
    return f"{at}, {who} {spent} of the full history; {saved} is saved net"


def _span(shares: Sequence[float]) -> str:
    """`12.1%`, or `12.1% to 33.4%`."""
    ends = dict.fromkeys((share(min(shares)), share(max(shares))))
    return " to ".join(ends)
