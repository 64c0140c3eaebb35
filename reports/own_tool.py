"""What a session's own tool did to what its agent used later, in words, beside the strategies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compaction_eval.eval.own_tool import Carried, OwnTool
from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.wording import listed_words

EXAMPLES = 5
"""Values that are shown of those that were lost."""
_VALUE = 48
"""Characters of a value that is shown."""


def own_tool_lines(own: OwnTool, cells: Sequence[CellRecord], marks: Marks) -> Iterator[str]:
    """How much the tool's own summaries lost, where, and what the strategies of a run would hold.

    `cells` are all of the run; those of this scenario are looked at. Messages count from 0, as
    in the story of a cell.
    """
    scenario, carried = own.scenario, own.carried
    number = len(scenario.recorded)
    times = "once" if number == 1 else f"{number:,} times"
    yield f"{one_line(scenario.key)}: its own tool compacted {times} ({_places(own)})."
    if not carried:
        yield "Of the values that had been said before, the agent used none after it."
        return
    kept, regained, lost = (own.of(fate) for fate in ("kept", "regained", "lost"))
    gone = len(carried) - len(kept)
    summary = "summary" if number == 1 else "summaries"
    yield (
        f"Its {summary} lost {gone:,} of {plural(len(carried), 'value')} that had been said before"
        f" and that the agent used after it: {len(regained):,} it found again first, {len(lost):,}"
        " it used although its view held them no more."
    )
    for one in _examples(lost or regained):
        yield f"  {_told(own, one)}"
    shown = min(len(lost or regained), EXAMPLES)
    if len(lost or regained) > shown:
        yield f"  and {len(lost or regained) - shown:,} more"
    yield from _beside(own, cells, marks)


def _places(own: OwnTool) -> str:
    """After which message each compaction came, and at what size."""
    count = len(own.scenario.messages)
    places = [
        f"after {one.at:,} of {plural(count, 'message')}"
        + (f" at {one.tokens_before:,} tokens" if one.tokens_before is not None else "")
        for one in own.scenario.recorded
    ]
    return listed_words(places, most=4)


def _examples(found: Sequence[Carried]) -> list[Carried]:
    """A few of them, from as many requests as there are; of a request, the longest first."""
    by_request: dict[int, list[Carried]] = {}
    for one in found:
        by_request.setdefault(one.probe.request, []).append(one)
    ranked = [
        (rank, one)
        for group in by_request.values()
        for rank, one in enumerate(sorted(group, key=lambda one: -len(one.probe.value)))
    ]
    chosen = sorted(ranked, key=lambda pair: pair[0])[:EXAMPLES]
    return sorted((one for _, one in chosen), key=lambda one: one.probe.request)


def _told(own: OwnTool, one: Carried) -> str:
    value = _shortened(one_line(one.probe.value))
    tool = f" ({one_line(one.probe.tool, 20)})" if one.probe.tool else ""
    used = f"{value}: used in message {one.probe.request:,}{tool}"
    if one.again is not None:
        return f"{used}, lost and said again in message {one.again:,}"
    age = f", {one.age_tokens:,} tokens before" if one.age_tokens is not None else ""
    return f"{used}, last said in message {one.said:,}{age}"


def _shortened(value: str) -> str:
    """A value without its middle, where it is long: paths differ at their ends."""
    if len(value) <= _VALUE:
        return value
    return f"{value[: _VALUE // 3]}…{value[-_VALUE * 2 // 3 :]}"


def _beside(own: OwnTool, cells: Sequence[CellRecord], marks: Marks) -> Iterator[str]:
    """What the best sound strategy of each budget holds at the same uses."""
    probes = {one.probe.id for one in own.carried}
    here = [
        cell
        for cell in cells
        if (cell.key.scenario, cell.key.variant) == (own.scenario.id, own.scenario.variant)
        and not cell.apart
        and cell.error is None
    ]
    # Where the recorded conversation itself breaks a rule, that isn't a strategy's doing.
    given = max((_refused(c) for c in here if _use(c, marks) == "none"), default=0)
    best: dict[str, tuple[int, str]] = {}
    for cell in here:
        if not marks.is_choice(cell.key.strategy) or _refused(cell) > given or _is_over(cell):
            continue
        held = sum(one.probe in probes and one.verdict == "correct" for one in cell.probes)
        if cell.key.budget not in best or held > best[cell.key.budget][0]:
            best[cell.key.budget] = (held, one_line(cell.key.strategy))
    if best:
        held = len(own.carried) - len(own.of("lost"))
        others = [f"{name} {count:,} at {budget}" for budget, (count, name) in best.items()]
        yield (
            f"At those {plural(len(own.carried), 'use')} its view held {held:,}; in its place would"
            f" have held: {', '.join(others)}."
        )


def _use(cell: CellRecord, marks: Marks) -> str:
    return marks.registered_name(cell.key.strategy)


def _refused(cell: CellRecord) -> int:
    return sum(bool(request.faults) for request in cell.requests)


def _is_over(cell: CellRecord) -> bool:
    return any(request.over_budget for request in cell.requests)
