"""One cell as the page holds it: its requests, verdicts, and the messages that were made up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compaction_eval.eval.records import (
    AnswerRecord,
    CellRecord,
    PartRef,
    ProbeRecord,
    RequestRecord,
)
from compaction_eval.reports.page.conversation import Told, plain_message
from compaction_eval.reports.page.standing_in import stands_for
from compaction_eval.reports.page.text import LONGEST_REMARK, clipped, shown
from compaction_eval.reports.remarks import EVENTS
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.summary import is_summary

Plain = dict[str, Any]


def cell_block(cell: CellRecord, told: Told | None) -> Plain:
    """The block of one cell; without its conversation, what refers to that is left out."""
    kinds = _kinds(cell, told)
    reduced = [name for name, kind in kinds.items() if kind == "reduced"]
    places = {} if told is None else stands_for(cell, reduced, told.scenario.messages)
    made = {}
    for name, message in cell.synthetic.items():
        plain = plain_message(message) | {"kind": kinds[name]}
        if name in places:
            plain["for"] = places[name]
        if told is not None and kinds[name] != "question":
            plain |= _says(told, message)
        made[shown(name)] = plain
    return {
        "budget": cell.budget_tokens,
        "tokens": cell.conversation_tokens,
        "requests": [_request(request) for request in cell.requests],
        "verdicts": [_verdict(probe) for probe in cell.probes],
        "made": made,
        "error": None if cell.error is None else _remark(cell.error),
        "neverFired": cell.never_fired,
        "left": [(position, shown(fact), seen) for position, fact, seen in cell.facts_left],
    }


def _kinds(cell: CellRecord, told: Told | None) -> dict[str, str]:
    """What each made-up message is: a summary, the question, or one that was cut or masked."""
    summaries = {request.summary for request in cell.requests}
    asks = set() if told is None else {probe.ask for probe in told.scenario.probes}
    kinds = {}
    for name, message in cell.synthetic.items():
        kinds[name] = "reduced"
        if is_summary(message) or name in summaries:
            kinds[name] = "summary"
        elif role(message) == "user" and content_text(message) in asks:
            kinds[name] = "question"
    return kinds


def _says(told: Told, message: Message) -> Plain:
    says = told.searches.said_by(message)
    return {"says": says} if says else {}


def _request(request: RequestRecord) -> Plain:
    """What differs from a quiet request is said; a browser reads the rest as nothing."""
    flags = {
        "probe": None if request.probe is None else shown(request.probe),
        "action": "" if request.action == "none" else shown(request.action),
        "dropped": _parts(request.dropped),
        "summary": request.summary,
        "cost": [request.summary_tokens_in, request.summary_tokens_out]
        if request.summary_calls
        else None,
        "over": request.over_budget,
        "infeasible": request.infeasible,
        "remarks": [
            *(f"refused by the API: {_remark(fault)}" for fault in request.faults),
            *([f"fallback: {_remark(request.fallback)}"] if request.fallback else []),
            *(_remark(EVENTS.get(event, event)) for event in request.events),
        ],
    }
    told = {"at": request.at, "tokens": request.tokens, "full": request.full}
    return told | {"view": _parts(request.view)} | {k: v for k, v in flags.items() if v}


def _verdict(probe: ProbeRecord) -> Plain:
    told: Plain = {
        "probe": shown(probe.probe),
        "kind": probe.kind,
        "place": shown(probe.place),
        "at": probe.at,
        "verdict": probe.verdict,
        "request": probe.request,
    }
    rest = {"share": probe.share, "lost": probe.lost_at, "age": probe.age_tokens}
    told |= {name: value for name, value in rest.items() if value is not None}
    if probe.answer is not None:
        told["answer"] = _answer(probe.answer)
    if probe.free:
        told["free"] = True
    if probe.own:
        told["own"] = True
    return told


def _answer(answer: AnswerRecord) -> Plain:
    """What a model said to it, and what that is worth."""
    told: Plain = {"verdict": answer.verdict, "right": answer.right}
    rest = {"text": _remark(answer.text), "reason": _remark(answer.reason), "judge": answer.judge}
    return told | {name: value for name, value in rest.items() if value}


def _parts(parts: Sequence[PartRef]) -> list[PartRef]:
    return [shown(part) if isinstance(part, str) else part for part in parts]


def _remark(text: str) -> str:
    text, cut = clipped(text, LONGEST_REMARK)
    return f"{text}…" if cut else text
