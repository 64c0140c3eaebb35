"""One cell, from a prepared script to its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compaction_eval.eval.observation import Observer
from compaction_eval.eval.properties.recording import Recorder
from compaction_eval.eval.properties.registry import judged
from compaction_eval.eval.questions import Question, TextOf
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord
from compaction_eval.eval.replay import Request, replay
from compaction_eval.eval.script import Script
from compaction_eval.eval.summaries.shown import Showing
from compaction_eval.eval.tracing import LOST, Trace
from compaction_eval.scenarios.patterns import SlowPatternError
from compaction_eval.strategies.base import Strategy, Summarizer, replays_recording
from compaction_eval.strategies.errors import reason_of
from compaction_eval.strategies.tokens import TokenCounter

StrategyFactory = Callable[[], Strategy]
SummarizerFactory = Callable[[], Summarizer] | None


def measure(
    key: CellKey,
    script: Script,
    strategy: StrategyFactory,
    summarizer: SummarizerFactory,
    counter: TokenCounter,
    budget: int,
    profile: str,
) -> CellRecord:
    """Replay one cell and score it; a scenario of the edge suite is judged too.

    A strategy that raises, or whose view holds a text that takes a probe's pattern too long, makes
    a record with an `error` and nothing else measured.
    """
    observer = Observer(script, counter, budget, profile)
    recorder = None
    if script.scenario.stress is not None:
        recorder = Recorder(script, counter, budget, profile)
    try:
        made_strategy = strategy()
        if replays_recording(made_strategy) and not script.recorded:
            return nothing_recorded(key, script, budget)
        made = summarizer() if summarizer else None
        showing = Showing(script.planted) if script.planted else None
        requests = list(replay(script, made_strategy, made, observer, recorder, showing))
    except Exception as error:  # noqa: BLE001  # anything a strategy raises is its cell's result
        return failed(key, script, budget, reason_of(error))
    try:
        verdicts = tuple(_verdicts(script, requests, observer.synthetic.text))
    except SlowPatternError as error:
        return failed(key, script, budget, str(error))
    records = tuple(request.record for request in requests)
    facts = showing.facts(requests) if showing is not None else None
    return CellRecord(
        key=key,
        budget_tokens=budget,
        conversation_tokens=script.conversation_tokens,
        tools_tokens=script.tools_tokens,
        requests=records,
        probes=verdicts,
        synthetic=dict(observer.synthetic.messages),
        apart=2 * sum(record.infeasible for record in records) > len(records),
        facts_left=facts.left if facts is not None else (),
        never_fired=all(record.action == "none" for record in records)
        and any(record.full > budget and not record.infeasible for record in records),
        properties=judged(recorder.trial()) if recorder is not None else {},
        facts_dropped=facts.dropped if facts is not None else None,
        facts_shown=facts.shown if facts is not None else None,
        facts_kept=facts.kept if facts is not None else None,
    )


def nothing_recorded(key: CellKey, script: Script, budget: int) -> CellRecord:
    """The record of a cell whose strategy replays a recording that tells of no compaction."""
    sizes = (script.conversation_tokens, script.tools_tokens)
    return CellRecord(key, budget, *sizes, apart=True)


def failed(key: CellKey, script: Script, budget: int, reason: str) -> CellRecord:
    """The record of a cell that couldn't be measured."""
    return CellRecord(key, budget, script.conversation_tokens, script.tools_tokens, error=reason)


def _verdicts(script: Script, requests: Sequence[Request], text_of: TextOf) -> list[ProbeRecord]:
    """A verdict for every question, in the order in which they're asked."""
    trace = Trace(requests, text_of)
    request_of = {
        id(request.question): index
        for index, request in enumerate(requests)
        if request.question is not None
    }
    return [
        _verdict(
            script,
            trace,
            question,
            trace.request_at[question.at] if question.ask is None else request_of[id(question)],
        )
        for question in script.questions
    ]


def _verdict(script: Script, trace: Trace, question: Question, index: int) -> ProbeRecord:
    verdict, share = question.verdict(trace.requests[index].view, trace.text_of)
    source, at = question.source, question.at
    before = tokens = messages = compactions = lost_at = None
    if source is not None:
        sums = script.conversation.sums
        before, tokens, messages = sums[source], sums[at] - sums[source + 1], at - source - 1
        compactions = trace.compactions(source, index)
        if verdict in LOST:
            lost_at = trace.lost_at(question, source, index)
    return ProbeRecord(
        probe=question.probe,
        kind=question.kind,
        place=question.place,
        at=at,
        verdict=verdict,
        share=share,
        age_tokens=tokens,
        age_messages=messages,
        age_compactions=compactions,
        request=index,
        source=source,
        source_tokens=before,
        lost_at=lost_at,
        free=question.free,
        own=question.own,
        where=question.where,
        chance=question.chance,
        recoverable=question.recoverable,
    )
