"""What a run's costs show, in words: where tokens mislead, and what the full history costs."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.cost.figures import Costs
from compaction_eval.eval.cost.presets import described
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import label
from compaction_eval.reports.cost_lines import CostGroup, CostLine, choices
from compaction_eval.reports.figures import usd
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import one_line


def cost_words(groups: Sequence[CostGroup], marks: Marks) -> str:
    """One paragraph over all budgets; empty where nothing is to be compared."""
    rows = [line.row for group in groups for line in group.lines]
    parts = [part for group in groups for part in _of_budget(group, rows, marks)]
    return " ".join(parts)


def flip(group: CostGroup, marks: Marks) -> tuple[CostLine, CostLine] | None:
    """Two strategies of which the first takes fewer tokens and costs more, by the most.

    Tokens are those sent and what the summariser read and wrote, so the difference is one of what
    tokens cost. None where both rankings agree.
    """
    lines = choices(group, marks)
    pairs = [
        (few, many)
        for few in lines
        for many in lines
        if few.cost.tokens < many.cost.tokens and (few.each or 0) > (many.each or 0)
    ]
    return max(pairs, key=lambda pair: (pair[0].each or 0) / (pair[1].each or 1), default=None)


def dearer_than_full(group: CostGroup, marks: Marks) -> list[CostLine]:
    """The strategies that cost more than not compacting at all."""
    return [line for line in choices(group, marks) if (line.against_full or 0) > 1]


def basis(costs: Costs) -> list[str]:
    """What the figures rest on, a line each."""
    prices, clock, rates = costs.prices, costs.clock, costs.prices.base
    later = f", {clock.summary:g} s more with each summary" if clock.summary else ""
    shown = ", ".join(
        f"{name} {(rate * 1_000_000).normalize():f}"
        for name, rate in (
            ("input", rates.input),
            ("read from the cache", rates.cache_read),
            ("written to it", rates.cache_write),
            ("output", rates.output),
        )
    )
    return [
        f"Prices: {one_line(prices.name)} on {prices.day}, {prices.source}; USD for a million"
        f" tokens: {shown}{'; more for long requests' if len(prices.tiers) > 1 else ''}.",
        f"Cache: {described(costs.cache)}; {clock.pause:g} s from request to request{later}."
        " Of the conversation itself; questions of probes aren't billed.",
    ]


LEGEND = (
    "USD each: a conversation with the cache, summaries included; against full history: times what"
    " not compacting costs with the same cache; from cache: share of the tokens sent.",
    "break-even: median requests after the first compaction until the conversation costs no more"
    " than uncompacted, to its end; in brackets in how many of those compacted it does.",
)


def _of_budget(group: CostGroup, rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    lines = choices(group, marks)
    if not lines:
        return []
    at = one_line(group.budget)
    parts = []
    found = flip(group, marks)
    if found is not None:
        few, many = found
        fewer = 1 - few.cost.tokens / many.cost.tokens
        parts.append(
            f"Budget {at}: {_name(few, rows)} takes {fewer:.0%} fewer tokens than"
            f" {_name(many, rows)} and costs {_times(few, many)} as much."
        )
    elif len(lines) > 1:
        parts.append(f"Budget {at}: ranked by tokens and by dollars, the order is the same.")
    dear = dearer_than_full(group, marks)
    whole = f"the full history with this cache ({usd(group.full)} USD)"
    if len(lines) == 1:
        costs = "costs more" if dear else "costs no more"
        parts.append(f"Budget {at}: {_name(lines[0], rows)} {costs} than {whole}.")
    elif len(dear) == len(lines):
        parts.append(f"Every strategy costs more than {whole}.")
    elif dear:
        cost = "costs" if len(dear) == 1 else "cost"
        parts.append(f"{len(dear)} of {len(lines)} strategies {cost} more than {whole}.")
    else:
        parts.append(f"No strategy costs more than {whole}.")
    return parts


def _times(one: CostLine, other: CostLine) -> str:
    return f"{(one.each or 0) / (other.each or 1):.1f} times"


def _name(line: CostLine, rows: Sequence[SummaryRow]) -> str:
    return one_line(label(line.row, rows))
