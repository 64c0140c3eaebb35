"""A run's costs as tables: for the terminal, for Markdown, and as CSV with every figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.text import Text

from compaction_eval.eval.cost.figures import Costs
from compaction_eval.eval.cost.presets import described
from compaction_eval.reports.cost_lines import CostGroup, CostLine
from compaction_eval.reports.cost_words import LEGEND, basis, cost_words
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.difficulty_table import column_name
from compaction_eval.reports.figures import UNMEASURED, count, plural, ratio, share, times, usd
from compaction_eval.reports.grid import Grid, Line, print_grid
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import markdown, one_line

if TYPE_CHECKING:
    from rich.console import Console

_NAME = 34
_COLUMNS: tuple[tuple[str, Callable[[CostLine], str]], ...] = (
    ("USD each", lambda line: usd(line.each)),
    ("against full history", lambda line: times(line.against_full)),
    ("without cache", lambda line: usd(line.each_without_cache)),
    ("of it summaries", lambda line: usd(line.summaries_each)),
    ("tokens each", lambda line: f"{line.tokens_each:,.0f}"),
    ("from cache", lambda line: share(ratio(line.cost.read, line.cost.sent))),
    ("prefix breaks", lambda line: count(line.cost.prefix_breaks)),
    ("break-even", lambda line: _break_even(line)),
)
CSV_COLUMNS = (
    "strategy",
    "budget",
    "summarizer",
    "sees_answer_key",
    "model",
    "price_date",
    "cache",
    "conversations",
    "requests",
    "sent_tokens",
    "read_tokens",
    "written_tokens",
    "uncached_tokens",
    "output_tokens",
    "summary_tokens_in",
    "summary_tokens_out",
    "cost",
    "cost_without_cache",
    "summary_cost",
    "full_cost",
    "full_cost_without_cache",
    "prefix_breaks",
    "invalidated_tokens",
    "compacted",
    "paid_off",
    "break_even",
)


@dataclass(frozen=True, slots=True)
class CostReport:
    """What is shown of a run's costs."""

    costs: Costs
    groups: Sequence[CostGroup]
    marks: Marks
    best: Sequence[str] = ()
    """What keeps most against the full history, a line each; see `cost_finding`."""


def print_costs(report: CostReport, out: Console) -> None:
    """Print a table for each budget, what they show, and what they rest on."""
    rows = [line.row for group in report.groups for line in group.lines]
    for group in report.groups:
        out.print(Text(f"Budget {one_line(group.budget)} in USD", "bold"), Text(_caption(group)))
        lines = tuple(
            Line(
                column_name(line.row, rows, report.marks),
                tuple(Text(value(line)) for _, value in _COLUMNS),
                "dim" if report.marks.is_control(line.row) else "",
            )
            for line in group.lines
        )
        print_grid(Grid("strategy", tuple(name for name, _ in _COLUMNS), lines), out, _NAME)
        out.print()
    for text in (*LEGEND, *basis(report.costs)):
        out.print(Text(text, "dim"))
    words = cost_words(report.groups, report.marks)
    if words:
        out.print()
        out.print(words)
        for text in report.best:
            out.print(text)


def cost_markdown(report: CostReport) -> Iterator[str]:
    """A section for each budget's table, and what they rest on, line by line."""
    rows = [line.row for group in report.groups for line in group.lines]
    for group in report.groups:
        yield from (f"### Budget {markdown(group.budget)} in USD", "")
        yield from (markdown(_caption(group)), "")
        yield "| strategy | " + " | ".join(name for name, _ in _COLUMNS) + " |"
        yield "|---" + "|---:" * len(_COLUMNS) + "|"
        for line in group.lines:
            name = markdown(column_name(line.row, rows, report.marks))
            yield f"| {name} | " + " | ".join(value(line) for _, value in _COLUMNS) + " |"
        yield ""
    yield from (f"- {markdown(text)}" for text in (*LEGEND, *basis(report.costs)))


def cost_csv(report: CostReport) -> str:
    """One line a row, sums over its conversations; what isn't known is empty."""
    return csv_text(CSV_COLUMNS, _figures(report))


def _figures(report: CostReport) -> Iterable[tuple[object, ...]]:
    costs = report.costs
    for line in (line for group in report.groups for line in group.lines):
        row, own = line.row, line.cost
        yield (
            row.strategy,
            row.budget,
            row.summarizer,
            row.sees_answer_key,
            costs.prices.name,
            costs.prices.day,
            described(costs.cache),
            own.conversations,
            own.requests,
            own.sent,
            own.read,
            own.written,
            own.uncached,
            own.output,
            own.summary_in,
            own.summary_out,
            *map(_plain, (own.cost, own.cost_without_cache, own.summarizing)),
            *map(_plain, (own.full_cost, own.full_cost_without_cache)),
            own.prefix_breaks,
            own.invalidated,
            own.compacted,
            own.paid_off,
            own.break_even,
        )


def _plain(amount: Decimal | None) -> str | None:
    """Every digit, and no exponent."""
    return None if amount is None else f"{amount.normalize():f}"


def _break_even(line: CostLine) -> str:
    cost = line.cost
    if not cost.compacted or cost.paid_off is None:
        return UNMEASURED
    reached = "never" if cost.break_even is None else f"{cost.break_even:g}"
    return f"{reached} ({cost.paid_off} of {cost.compacted})"


def _caption(group: CostGroup) -> str:
    most = max((line.cost for line in group.lines), key=lambda cost: cost.conversations)
    return (
        f"(full history {usd(group.full)} with the cache, {usd(group.full_without_cache)} without;"
        f" {plural(most.conversations, 'conversation')}, {plural(most.requests, 'request')})"
    )
