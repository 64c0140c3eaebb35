"""From cells to the table: one row for each strategy, budget and summariser.

The conversation is the unit of evidence. A scenario's share is the mean over its variants and
repeats of each one's own share; a row's figure is the mean over scenarios. Pooled shares, over all
verdicts alike, stand beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from statistics import fmean
from typing import Any

from compaction_eval.eval.manifest import key_seers
from compaction_eval.eval.recall.counts import answers_as_probes, recall_counts
from compaction_eval.eval.records import (
    REPLAYED,
    REUSE_KINDS,
    CellRecord,
    ProbeRecord,
    RequestRecord,
    SummaryRow,
    Verdict,
)
from compaction_eval.eval.row_cells import RowKey, behind_shares, row_key
from compaction_eval.eval.statistics import mean_intervals
from compaction_eval.eval.store import Run
from compaction_eval.eval.verdicts import UNASKED, strict_share

Chosen = Callable[[CellRecord], Sequence[ProbeRecord]]


def summary_rows(run: Run) -> list[SummaryRow]:
    """The rows, in the order in which strategy, budget and summariser first appear."""
    strategies = key_seers(run.manifest, "strategies")
    summarizers = key_seers(run.manifest, "summarizers")
    groups: dict[RowKey, list[CellRecord]] = {}
    for cell in run.cells:
        if cell.nothing_recorded:
            continue
        groups.setdefault(row_key(cell.key), []).append(cell)
    rows = [
        _row(*key, group, sees_key=key[0] in strategies, summaries_see_key=key[2] in summarizers)
        for key, group in groups.items()
    ]
    return _with_intervals(rows, list(groups.values()))


def _with_intervals(
    rows: Sequence[SummaryRow], groups: Sequence[Sequence[CellRecord]]
) -> list[SummaryRow]:
    """The rows with the interval of each share that strategies are ranked by."""
    limits: list[dict[str, Any]] = [{} for _ in rows]
    for measure, chosen in RANKED.items():
        there = [at for at, row in enumerate(rows) if getattr(row, measure) is not None]
        shares = [scenario_shares(behind_shares(groups[at]), chosen) for at in there]
        intervals = mean_intervals([list(own.values()) for own in shares])
        for at, interval in zip(there, intervals, strict=True):
            if interval is not None:
                limits[at] |= {f"{measure}_low": interval.low, f"{measure}_high": interval.high}
    return [replace(row, **own) for row, own in zip(rows, limits, strict=True)]


def written(cell: CellRecord) -> list[ProbeRecord]:
    """The verdicts of a cell's written probes."""
    return [probe for probe in cell.probes if probe.kind not in REUSE_KINDS]


def reused(cell: CellRecord) -> list[ProbeRecord]:
    """The verdicts of a cell's reuse probes that count: values that come free don't."""
    return [probe for probe in cell.probes if probe.kind == "reuse" and not probe.free]


def reused_text(cell: CellRecord) -> list[ProbeRecord]:
    """The verdicts on what the agent's own words use, in no share but their own."""
    return [probe for probe in cell.probes if probe.kind == "reuse-text" and not probe.free]


def reused_surely(cell: CellRecord) -> list[ProbeRecord]:
    """The verdicts of the counted reuse probes that aren't there by chance."""
    return [probe for probe in reused(cell) if not probe.chance]


RANKED: Mapping[str, Chosen] = {
    "survival": written,
    "recall": answers_as_probes,
    "reuse": reused,
}
"""The shares that strategies are ranked by, and what each is a share of."""


def _recoverable(cell: CellRecord) -> list[ProbeRecord]:
    return [probe for probe in reused_surely(cell) if probe.recoverable]


def _irreplaceable(cell: CellRecord) -> list[ProbeRecord]:
    return [probe for probe in reused_surely(cell) if not probe.recoverable]


def _row(
    strategy: str,
    budget: str,
    summarizer: str,
    cells: Sequence[CellRecord],
    *,
    sees_key: bool,
    summaries_see_key: bool,
) -> SummaryRow:
    measured = [cell for cell in cells if cell.error is None]
    headline = behind_shares(cells)
    requests = [request for cell in measured for request in cell.requests]
    tools = sum(cell.tools_tokens * len(cell.requests) for cell in measured)
    sent = sum(request.tokens for request in requests) + tools
    full = sum(request.full for request in requests) + tools
    summary_calls = sum(request.summary_calls for request in requests)
    tokens_in = sum(request.summary_tokens_in for request in requests)
    tokens_out = sum(request.summary_tokens_out for request in requests)
    lengths = {(cell.key.scenario, cell.key.variant): cell.conversation_tokens for cell in measured}
    events = Counter(event for request in requests for event in request.events)
    refused = Counter(profile for request in requests for profile in request.refused_by)
    asked = [
        probe
        for cell in headline
        for probe in (*written(cell), *reused(cell))
        if probe.verdict not in UNASKED
    ]

    def found(count: int) -> int | None:
        """A count; null where there was nothing to count in."""
        return count if measured else None

    def paid(count: int) -> int | None:
        """The same, of what rests on a summariser's input: a recording doesn't tell that."""
        return None if events[REPLAYED] else found(count)

    return SummaryRow(
        strategy=strategy,
        budget=budget,
        summarizer=summarizer,
        sees_answer_key=sees_key or (summaries_see_key and summary_calls > 0),
        scenarios=len({cell.key.scenario for cell in headline if _has_verdict(cell)}),
        cells=len(cells),
        cells_apart=sum(cell.apart for cell in measured),
        errors=len(cells) - len(measured),
        probes=len(asked),
        survival=mean_share(headline, written),
        stale=mean_share(headline, written, "stale"),
        mixed=mean_share(headline, written, "mixed"),
        recall=mean_share(headline, answers_as_probes),
        reuse=mean_share(headline, reused),
        survival_pooled=_pooled_share(headline, written),
        stale_pooled=_pooled_share(headline, written, "stale"),
        mixed_pooled=_pooled_share(headline, written, "mixed"),
        recall_pooled=_pooled_share(headline, answers_as_probes),
        reuse_pooled=_pooled_share(headline, reused),
        reuse_probes=sum(probe.kind == "reuse" for probe in asked),
        reuse_sure=mean_share(headline, reused_surely),
        reuse_recoverable=mean_share(headline, _recoverable),
        reuse_irreplaceable=mean_share(headline, _irreplaceable),
        reuse_text=mean_share(headline, reused_text),
        reuse_sure_pooled=_pooled_share(headline, reused_surely),
        reuse_recoverable_pooled=_pooled_share(headline, _recoverable),
        reuse_irreplaceable_pooled=_pooled_share(headline, _irreplaceable),
        reuse_text_pooled=_pooled_share(headline, reused_text),
        reuse_text_probes=sum(_asked(headline, reused_text)),
        reuse_lost_recoverable=found(_lost(headline, _recoverable)),
        reuse_lost_for_good=found(_lost(headline, _irreplaceable)),
        retained_tokens=_retained(headline),
        sent_tokens=found(sent),
        full_tokens=found(full),
        conversation_tokens=found(sum(lengths.values())),
        saved_gross=found(full - sent),
        saved_net=paid(full - sent - tokens_in - tokens_out),
        requests=found(len(requests)),
        invalid_requests=found(sum(bool(request.faults) for request in requests)),
        over_budget_requests=found(sum(request.over_budget for request in requests)),
        infeasible_requests=found(sum(request.infeasible for request in requests)),
        compactions=found(sum(request.action != "none" for request in requests)),
        summary_calls=found(summary_calls),
        summary_tokens_in=paid(tokens_in),
        summary_tokens_out=found(tokens_out),
        fallbacks=found(sum(request.fallback is not None for request in requests)),
        never_fired=found(sum(cell.never_fired for cell in measured)),
        thrash=found(events["thrash"]),
        summary_grew=found(events["summary-grew"]),
        mutated_input=found(events["mutated_input"]),
        poisoned=found(events["poisoned"]),
        refused_by=dict(sorted(refused.items())) if measured else None,
        facts_dropped=_facts(cell.facts_dropped for cell in measured),
        facts_shown=_facts(cell.facts_shown for cell in measured),
        facts_kept=_facts(cell.facts_kept for cell in measured),
        **recall_counts(headline, measured),
    )


def _facts(counts: Iterable[int | None]) -> int | None:
    """The sum over the cells that asked for a summary; None where none did."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _has_verdict(cell: CellRecord) -> bool:
    verdicts = [probe.verdict for probe in (*written(cell), *reused(cell))]
    return strict_share(verdicts) is not None


def mean_share(
    cells: Sequence[CellRecord], chosen: Chosen, counted: Verdict = "correct"
) -> float | None:
    """Mean over scenarios of the scenario's share; None where nothing was asked."""
    shares = scenario_shares(cells, chosen, counted)
    return fmean(shares.values()) if shares else None


def scenario_shares(
    cells: Sequence[CellRecord], chosen: Chosen, counted: Verdict = "correct"
) -> dict[str, float]:
    """Each scenario's own share, its variants and repeats averaged, by id; the unasked left out."""
    by_scenario = sorted(cells, key=lambda cell: cell.key.scenario)
    shares: dict[str, float] = {}
    for scenario, group in groupby(by_scenario, key=lambda cell: cell.key.scenario):
        own = [strict_share([probe.verdict for probe in chosen(cell)], counted) for cell in group]
        asked = [share for share in own if share is not None]
        if asked:
            shares[scenario] = fmean(asked)
    return shares


def _pooled_share(
    cells: Sequence[CellRecord], chosen: Chosen, counted: Verdict = "correct"
) -> float | None:
    """Share of all verdicts, each counting alike."""
    return strict_share([probe.verdict for cell in cells for probe in chosen(cell)], counted)


def _asked(cells: Sequence[CellRecord], chosen: Chosen) -> list[bool]:
    return [probe.verdict not in UNASKED for cell in cells for probe in chosen(cell)]


def _lost(cells: Sequence[CellRecord], chosen: Chosen) -> int:
    """Verdicts that say of an answer that it isn't there."""
    kept = ("correct", *UNASKED)
    return sum(probe.verdict not in kept for cell in cells for probe in chosen(cell))


def _retained(cells: Sequence[CellRecord]) -> float | None:
    """Mean tokens of the views at which something was probed, questions included."""
    sizes = [request.tokens for cell in cells for request in _probed(cell)]
    return fmean(sizes) if sizes else None


def _probed(cell: CellRecord) -> list[RequestRecord]:
    """The requests of a cell that some verdict is about, each once; the agent's words apart."""
    indices = sorted({probe.request for probe in cell.probes if probe.kind != "reuse-text"})
    return [cell.requests[index] for index in indices]
