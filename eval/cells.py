"""One cell, from a prepared script to its record."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from compaction_eval.eval.observation import Observer
from compaction_eval.eval.questions import Question, TextOf
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord
from compaction_eval.eval.replay import Request, replay
from compaction_eval.eval.script import Script
from compaction_eval.strategies.base import Strategy, Summarizer
from compaction_eval.strategies.errors import StrategyError
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
    """Replay one cell and score it.

    A strategy that raises makes a record with an `error` and nothing else measured.
    """
    observer = Observer(script, counter, budget, profile)
    try:
        requests = list(replay(script, strategy(), summarizer() if summarizer else None, observer))
    except Exception as error:  # noqa: BLE001  # anything a strategy raises is its cell's result
        return failed(key, script, budget, reason_of(error))
    records = tuple(request.record for request in requests)
    return CellRecord(
        key=key,
        budget_tokens=budget,
        conversation_tokens=script.conversation_tokens,
        tools_tokens=script.tools_tokens,
        requests=records,
        probes=tuple(_verdicts(script, requests, observer.synthetic.text)),
        synthetic=dict(observer.synthetic.messages),
        apart=2 * sum(record.infeasible for record in records) > len(records),
        never_fired=all(record.action == "none" for record in records)
        and any(record.full > budget and not record.infeasible for record in records),
    )


def failed(key: CellKey, script: Script, budget: int, reason: str) -> CellRecord:
    """The record of a cell that couldn't be measured."""
    return CellRecord(key, budget, script.conversation_tokens, script.tools_tokens, error=reason)


def reason_of(error: BaseException) -> str:
    """An exception in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, StrategyError):
        return text
    kind = type(error).__name__
    return f"raised {kind}: {text}" if text else f"raised {kind}"


def _verdicts(script: Script, requests: Sequence[Request], text_of: TextOf) -> list[ProbeRecord]:
    """A verdict for every question, in the order in which they're asked."""
    main = [index for index, request in enumerate(requests) if request.question is None]
    request_at = {requests[index].record.at: index for index in main}
    request_of = {
        id(request.question): index
        for index, request in enumerate(requests)
        if request.question is not None
    }
    return [
        _verdict(
            script,
            requests,
            main,
            question,
            request_at[question.at] if question.ask is None else request_of[id(question)],
            text_of,
        )
        for question in script.questions
    ]


def _verdict(
    script: Script,
    requests: Sequence[Request],
    main: Sequence[int],
    question: Question,
    index: int,
    text_of: TextOf,
) -> ProbeRecord:
    verdict, share = question.verdict(requests[index].view, text_of)
    source, at = question.source, question.at
    seen = main[_first_after(requests, main, source) :] if source is not None else []
    before = [place for place in seen if place < index]
    lost = verdict in ("mixed", "stale", "missing") and source is not None
    sums = script.conversation.sums
    return ProbeRecord(
        probe=question.probe,
        kind=question.kind,
        place=question.place,
        at=at,
        verdict=verdict,
        share=share,
        age_tokens=None if source is None else sums[at] - sums[source + 1],
        age_messages=None if source is None else at - source - 1,
        age_compactions=None if source is None else _compactions(requests, (*before, index)),
        request=index,
        source=source,
        lost_at=_lost_at(requests, before, question, index, text_of) if lost else None,
        free=question.free,
        own=question.own,
    )


def _first_after(requests: Sequence[Request], main: Sequence[int], source: int) -> int:
    """Index into `main` of the first request that came after a message was said."""
    return bisect_right(main, source, key=lambda index: requests[index].record.at)


def _compactions(requests: Sequence[Request], indices: Sequence[int]) -> int:
    """How many of some requests changed the view."""
    return sum(requests[index].record.action != "none" for index in indices)


def _lost_at(
    requests: Sequence[Request],
    before: Sequence[int],
    question: Question,
    index: int,
    text_of: TextOf,
) -> int:
    """Index of the request at which the value left the view for good.

    A folding view never gets back what it lost, so the place is found by bisection; under
    `history: keep` each request starts anew and the answer is one such request.
    """

    def lost(place: int) -> bool:
        return question.verdict(requests[place].view, text_of)[0] != "correct"

    first = bisect_right(before, False, key=lost)
    return before[first] if first < len(before) else index
