"""Requests told: their size against the budget, what they sent, dropped and summarised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.eval.records import REPLAYED, CellRecord, PartRef, RequestRecord
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import cut, excerpt, one_line
from compaction_eval.reports.verdict_story import Line, before
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import Message, reading_text
from compaction_eval.strategies.summary import is_summary, summary_text

EVENTS = {
    "thrash": "thrashing: summarised again right after the request before, with no gain",
    "summary-grew": "the summary made the view larger than it had been",
    "mutated_input": "the strategy changed the messages that it was given",
    "poisoned": "a made-up message repeats what only an injected instruction claims",
}
_BAR = 10
_INDENT = " " * 6


def request_lines(
    scenario: Scenario, cell: CellRecord, shown: Sequence[tuple[int, RequestRecord]], width: int
) -> Iterator[Line]:
    """A line for each request; quiet ones in a row share one."""
    quiet: list[tuple[int, RequestRecord]] = []
    for index, request in shown:
        if _is_quiet(request):
            quiet.append((index, request))
            continue
        yield from _quiet_line(scenario, cell, quiet)
        quiet = []
        yield from _request_lines(scenario, cell, index, request, width)
    yield from _quiet_line(scenario, cell, quiet)


def _is_quiet(request: RequestRecord) -> bool:
    return request.action == "none" and not (
        request.faults
        or request.over_budget
        or request.infeasible
        or request.events
        or request.fallback
        or request.dropped
    )


def _quiet_line(
    scenario: Scenario, cell: CellRecord, quiet: Sequence[tuple[int, RequestRecord]]
) -> Iterator[Line]:
    if not quiet:
        return
    (first, _), (last, closing) = quiet[0], quiet[-1]
    where = f"#{first}" if first == last else f"#{first}–{last}"
    bar = _bar(closing.tokens, cell.budget_tokens)
    yield f"{where:>5} {bar} {_where(scenario, closing)}: nothing to do", "dim"


def _where(scenario: Scenario, request: RequestRecord) -> str:
    probe = f", asks {one_line(request.probe)}" if request.probe else ""
    return f"{before(scenario, request.at)}{probe}"


def _bar(tokens: int, budget: int) -> str:
    """`[=====     ]  1,200/2,400`, full where the budget is used up or exceeded."""
    filled = min(_BAR, round(_BAR * tokens / budget)) if budget > 0 else _BAR
    return f"[{'=' * filled}{' ' * (_BAR - filled)}] {tokens:>7,}/{budget:,}"


def _request_lines(
    scenario: Scenario, cell: CellRecord, index: int, request: RequestRecord, width: int
) -> Iterator[Line]:
    done = one_line(request.action) if request.action != "none" else "nothing done"
    if request.dropped:
        done += f", drops {plural(_messages(request.dropped), 'message')} {refs(request.dropped)}"
    style = "red" if request.faults else "yellow" if request.over_budget else ""
    bar = _bar(request.tokens, cell.budget_tokens)
    yield f"{f'#{index}':>5} {bar} {_where(scenario, request)}: {done}", style
    sends = refs(request.view, _question(scenario, cell, request))
    yield f"{_INDENT}sends {cut(sends, width - len(_INDENT) - 6)}", "dim"
    if request.summary is not None:
        yield from _summary_line(cell, request, width)
    remarks = [
        *(f"refused by the API: {fault}" for fault in request.faults),
        *(["over budget"] if request.over_budget else []),
        *(
            ["infeasible: system messages and newest block alone exceed the budget"]
            if request.infeasible
            else []
        ),
        *([f"fallback: {request.fallback}"] if request.fallback else []),
        *(EVENTS.get(event, event) for event in request.events if event != REPLAYED),
    ]
    for remark in remarks:
        yield f"{_INDENT}! {one_line(remark, width - len(_INDENT) - 2)}", style or "yellow"


def _summary_line(cell: CellRecord, request: RequestRecord, width: int) -> Iterator[Line]:
    message: Message = cell.synthetic.get(request.summary or "", {})
    words = summary_text(message) if is_summary(message) else reading_text(message)
    cost = f"{request.summary_tokens_in:,} tokens in, {request.summary_tokens_out:,} out"
    if REPLAYED in request.events:
        cost = f"as it was recorded, {plural(request.summary_tokens_out, 'token')}"
    head = f"{_INDENT}summary {one_line(request.summary or '')} ({cost}): "
    yield head + excerpt(words, (), max(width - len(head), 20)), "cyan"


def _messages(parts: Sequence[PartRef]) -> int:
    return sum(1 if isinstance(part, str) else part[1] - part[0] for part in parts)


def _question(scenario: Scenario, cell: CellRecord, request: RequestRecord) -> str | None:
    """Id of the synthetic message that is this request's question."""
    ask = next((probe.ask for probe in scenario.probes if probe.id == request.probe), None)
    for part in request.view:
        if isinstance(part, str) and ask is not None:
            message = cell.synthetic.get(part, {})
            if message.get("role") == "user" and message.get("content") == ask:
                return part
    return None


def refs(parts: Sequence[PartRef], question: str | None = None) -> str:
    """Message positions as people read them: `0, s1, 14–22`, the last one included."""
    return ", ".join(_ref(part, question) for part in parts) or "nothing"


def _ref(part: PartRef, question: str | None) -> str:
    if isinstance(part, str):
        return "the question" if part == question else one_line(part)
    start, stop = part
    return str(start) if stop - start == 1 else f"{start}–{stop - 1}"
