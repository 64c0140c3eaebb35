"""One probe told: what was asked, what the view held, and which compaction lost it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compaction_eval.eval.records import (
    REUSE_KINDS,
    CellRecord,
    PartRef,
    ProbeRecord,
    RequestRecord,
)
from compaction_eval.reports.figures import plural, share
from compaction_eval.reports.printable import excerpt, one_line
from compaction_eval.reports.sayings import Witness, witness
from compaction_eval.scenarios.records import Probe, Scenario
from compaction_eval.scenarios.timeline import standing
from compaction_eval.strategies.messages import reading_text, role

Line = tuple[str, str]
"""A line's text and its style."""

_STYLES = {"correct": "green", "not-asked": "dim", "mixed": "yellow", "abstained": "yellow"}
_INDENT = " " * 4
_WHOLE = 600
"""Cells of what a scenario asks and expects, which is wrapped rather than cut at the width."""


def verdict_style(verdict: str) -> str:
    """The colour of a verdict, which always stands beside its word."""
    return _STYLES.get(verdict, "red")


def probe_lines(
    scenario: Scenario, cell: CellRecord, record: ProbeRecord, width: int
) -> Iterator[Line]:
    """The verdict and, where the fact was lost, the request that lost it and the words it said."""
    style = verdict_style(record.verdict)
    parts = f" ({share(record.share)} of its parts)" if record.share not in (None, 1.0) else ""
    yield f"{record.verdict:>9}{parts}  {one_line(record.probe)}, {_asked(scenario, record)}", style
    yield from _answered(record, width - len(_INDENT))
    if record.verdict in {"correct", "not-asked"}:
        return
    for text in _details(scenario, cell, record, width - len(_INDENT)):
        yield _INDENT + text, ""


def _answered(record: ProbeRecord, width: int) -> Iterator[Line]:
    """What a model answered, and what that was taken for; nothing where none was asked."""
    answer = record.answer
    if answer is None:
        return
    said = f": {one_line(answer.reason or answer.text)}" if answer.reason or answer.text else ""
    style = "green" if answer.right else verdict_style(answer.verdict)
    told = one_line(f"the model's answer, {answer.verdict}{said}", max(width, _WHOLE))
    yield _INDENT + told, style
    if answer.judge is not None:
        why = f": {answer.judge_reason}" if answer.judge_reason else ""
        yield _INDENT + one_line(f"the judge: {answer.judge}{why}", width), ""


def before(scenario: Scenario, at: int) -> str:
    """A place between messages: `before message 25` is where message 25 is the answer."""
    return f"before message {at}" if at < len(scenario.messages) else "at the end"


def _asked(scenario: Scenario, record: ProbeRecord) -> str:
    mark = "" if record.place == "end" else f" at {one_line(record.place)},"
    place = f"asked{mark} {before(scenario, record.at)}"
    if record.kind in REUSE_KINDS:
        place = f"used in message {record.at}"
    notes = ""
    if record.free:
        notes = ", free (not counted)"
    elif record.own:
        notes = ", in the agent's own words only"
    return f"{place}, request #{record.request}{notes}"


def _details(
    scenario: Scenario, cell: CellRecord, record: ProbeRecord, width: int
) -> Iterator[str]:
    reuse = next((p for p in scenario.reuse if p.id == record.probe), None)
    written = next((p for p in scenario.probes if p.id == record.probe), None)
    forms: tuple[str, ...] = ()
    if record.kind in REUSE_KINDS and reuse is not None:
        forms = (reuse.value,)
        used = f"passed {reuse.value} to {reuse.tool}" if reuse.tool else f"wrote {reuse.value}"
        again = "; a call that it had made would have told it again" if reuse.recoverable else ""
        yield one_line(f"the agent {used}{again}", width)
    elif written is not None:
        forms = expected(scenario, written, record.at)
        yield one_line(f"question: {written.ask}", max(width, _WHOLE))
        if forms:
            yield one_line(f"expected: {', '.join(forms)}", max(width, _WHOLE))
    if record.source is not None and 0 <= record.source < len(scenario.messages):
        message = scenario.messages[record.source]
        head = f"said in message {record.source} ({one_line(role(message))}): "
        yield head + excerpt(reading_text(message), forms, max(width - len(head), 20))
    yield from reasons(scenario, cell, record, width)


def reasons(scenario: Scenario, cell: CellRecord, record: ProbeRecord, width: int) -> Iterator[str]:
    """Where a probe's answer was lost, and what has the last word in its place."""
    written = next((p for p in scenario.probes if p.id == record.probe), None)
    seen = None if written is None else witness(scenario, cell, written, record)
    if seen is None:
        yield from _loss(cell, record)
    else:
        yield from _reasons(seen, record, width)


def expected(scenario: Scenario, probe: Probe, at: int) -> tuple[str, ...]:
    """Accepted forms of a written probe asked after `at` messages; empty for a retracted fact."""
    if probe.accept or probe.fact is None:
        return probe.accept
    stands = standing(scenario.statements, probe.fact, at)
    return () if stands is None else stands.current


def _reasons(seen: Witness, record: ProbeRecord, width: int) -> Iterator[str]:
    """Where the answer was lost, and what has the last word in its place."""
    cell = seen.cell
    if record.verdict == "mixed":
        at = record.request if record.lost_at is None else record.lost_at
        yield f"lost the last word at request #{at}: {_deed(cell.requests[at], record)}"
    elif not seen.question.absent:
        yield from _loss(cell, replace(record, lost_at=seen.gone_at(record)))
    word = seen.last_word(record, width)
    if word is not None:
        yield word


def _loss(cell: CellRecord, record: ProbeRecord) -> Iterator[str]:
    """Which compaction took the evidence out of the view."""
    if record.lost_at is not None and 0 <= record.lost_at < len(cell.requests):
        deed = _deed(cell.requests[record.lost_at], record)
        yield f"left the view at request #{record.lost_at}: {deed}"
    elif 0 <= record.request < len(cell.requests):
        request = cell.requests[record.request]
        gone = record.source is not None and not _holds(request.view, record.source)
        what = (
            "left the view" if gone else "its message is in the view, the answer isn't whole in it"
        )
        yield f"{what} at the question itself: {_deed(request, record)}"


def _deed(request: RequestRecord, record: ProbeRecord) -> str:
    what = one_line(request.action) if request.action != "none" else "no compaction"
    dropped = [part for part in request.dropped if not isinstance(part, str)]
    if dropped:
        count = sum(stop - start for start, stop in dropped)
        what += f": dropped {plural(count, 'message')}"
        if record.source is not None and _holds(tuple(dropped), record.source):
            what += f", message {record.source} among them"
    if request.summary is not None:
        without = "" if record.verdict == "mixed" else " without it"
        what += f"; summary {one_line(request.summary)} was made{without}"
    if request.fallback:
        what += f"; fallback: {one_line(request.fallback, 80)}"
    return what


def _holds(parts: tuple[PartRef, ...], position: int) -> bool:
    return any(not isinstance(p, str) and p[0] <= position < p[1] for p in parts)
