"""What a failing test says: the figure, what it rests on, and the probes or requests behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from compaction_eval.eval.gate_results import Result
from compaction_eval.eval.gates import Gate
from compaction_eval.eval.pairing import Flip
from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import REUSE_KINDS, RequestRecord, SummaryRow
from compaction_eval.eval.regression import Regression
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.figures import plural
from compaction_eval.reports.lost_probes import LostProbe
from compaction_eval.reports.printable import cut, one_line

if TYPE_CHECKING:
    from compaction_eval.testing.evaluation import Evaluation
    from compaction_eval.testing.figures import Figure

MOST = 20
"""Probes or requests that are listed; the rest is counted."""
_VERDICT_OF = {"stale": "stale", "mixed": "mixed"}
_REQUESTS: Mapping[str, Callable[[RequestRecord], str]] = {
    "invalid_requests": lambda request: request.faults[0] if request.faults else "",
    "over_budget_requests": lambda r: f"{r.tokens:,} tokens sent" if r.over_budget else "",
    "fallbacks": lambda request: request.fallback or "",
    "thrash": lambda request: "summarised again, no gain" * ("thrash" in request.events),
    "summary_grew": lambda r: "the summary made the view larger" * ("summary-grew" in r.events),
    "mutated_input": lambda r: "what it was given was changed" * ("mutated_input" in r.events),
    "poisoned": lambda r: "a summary repeats an injected claim" * ("poisoned" in r.events),
}
"""What is wrong with a request, by the count that it is in; empty where nothing is."""


def name_of(row: SummaryRow) -> str:
    """`last_six at 30% with extractive`."""
    return one_line(f"{row.strategy} at {row.budget} with {row.summarizer}")


def figure_lines(figure: Figure, most: int = MOST) -> list[str]:
    """What a figure rests on, and the probes or requests that spoil it, one line each."""
    evaluation, row = figure.evaluation, figure.evaluation.row
    scenarios = plural(row.scenarios, "scenario")
    head = f"{figure.metric} of {name_of(row)}, over {scenarios}"
    if figure.metric in _REQUESTS:
        return [head, *_some([*_requests(evaluation, figure.metric)], most, "request")]
    if figure.metric == "recall":
        return [head, *_some([*_wrong_answers(evaluation)], most, "answer")]
    found = [lost for lost in evaluation.lost if _spoils(lost, figure.metric)]
    return [head, *_some(list(map(str, found)), most, "probe")]


def evaluation_lines(evaluation: Evaluation, most: int = MOST) -> list[str]:
    """Every budget's figures, and the whole story of each lost probe."""
    lines: list[str] = []
    for row in evaluation.rows:
        shares = (("survival", row.survival), ("reuse", row.reuse))
        told = [f"{name} {value!r}" for name, value in shares if value is not None]
        lines.append(f"{name_of(row)}: {', '.join(told) or 'nothing asked'}")
        mine = [lost for lost in evaluation.lost if lost.key.budget == row.budget]
        for lost in mine[:most]:
            lines += lost.story()
        lines += _more(len(mine) - most, "lost probe")
        for metric in _REQUESTS:
            bad = [*_requests(evaluation, metric, row.budget)]
            if bad:
                lines += [f"{metric} {len(bad)}", *_some(bad, min(most, 5), "request")]
    return lines


def gate_lines(
    failed: Sequence[Result],
    lost: Sequence[LostProbe],
    tags: Mapping[tuple[str, str], Sequence[str]],
) -> Iterator[str]:
    """Each gate that isn't met, with the lost probes that it is about."""
    for one in failed:
        yield _gate_line(one)
        about = [probe for probe in lost if _is_about(one, probe, tags)]
        yield from _some(list(map(str, about)), MOST, "probe")


def regression_lines(
    found: Regression, baseline: str, lost: Sequence[LostProbe], manifest: Mapping[str, Any]
) -> Iterator[str]:
    """What got worse since a baseline: flips with file and line, gates, what is gone."""
    worse = found.worse
    if worse:
        allowed = f" ({found.allowed_flips} allowed)" if found.allowed_flips else ""
        yield f"{plural(len(worse), 'probe')} worse than in {baseline}{allowed}:"
        known = {(one.key, one.probe, _place(one)): one for one in lost}
        told = [
            _flip_line(one, known.get((one.key, one.probe, one.place)), manifest) for one in worse
        ]
        yield from _some(told, MOST, "probe")
    for one in found.results:
        if one.judgement != "pass":
            yield _gate_line(one)
    if found.paired is not None:
        for what, gone in (
            ("scenarios", found.paired.removed_scenarios),
            ("rows", found.paired.removed_rows),
        ):
            if gone:
                yield f"{what} of {baseline} that weren't measured: {', '.join(gone)}"


def _flip_line(flip: Flip, lost: LostProbe | None, manifest: Mapping[str, Any]) -> str:
    if lost is not None:
        return f"{lost} (was {flip.before})"
    place = probe_place(manifest, flip.key.scenario, flip.probe)
    where = f"{place[0]}:{place[1]}: " if place else ""
    return one_line(f"{where}{flip.key.scenario}, {flip.probe} {flip.before} -> {flip.after}")


def _place(lost: LostProbe) -> str:
    """As evidence names it: a reuse probe by where its request is."""
    return str(lost.at) if lost.place == "request" else lost.place


def _gate_line(one: Result) -> str:
    strategy, budget, summarizer = one.row
    relation = {
        "fail-under": "is under",
        "fail-over": "is over",
        "fail-on-drop": f"was {one.before!r}, and may drop by",
        "fail-on-rise": f"was {one.before!r}, and may rise by",
    }[one.gate.rule]
    probes = f", {plural(one.probes, 'verdict')}" if one.probes else ""
    return one_line(
        f"{_subject(one.gate)} of {strategy} at {budget} with {summarizer} is {one.value!r}, which"
        f" {relation} {one.gate.bound.text} ({plural(one.scenarios, 'scenario')}{probes})"
        f"{f': {one.why}' if one.why else ''}"
    )


def _subject(gate: Gate) -> str:
    shown = {key: value for key, value in gate.filters.items() if key != "strategy"}
    inner = ", ".join(f"{key}={value}" for key, value in shown.items())
    return f"{gate.metric.name}[{inner}]" if inner else gate.metric.name


def _is_about(
    result: Result, lost: LostProbe, tags: Mapping[tuple[str, str], Sequence[str]]
) -> bool:
    key, filters = lost.key, result.gate.filters
    return (
        (key.strategy, key.budget, key.summarizer) == result.row
        and _spoils(lost, result.gate.metric.name)
        and filters.get("kind", lost.kind) == lost.kind
        and filters.get("scenario", key.scenario) in (key.scenario, lost.scenario)
        and ("tag" not in filters or filters["tag"] in tags.get((key.scenario, key.variant), ()))
    )


def _spoils(lost: LostProbe, metric: str) -> bool:
    """Whether the lost probe makes that figure worse."""
    if metric in ("reuse", "reuse_text"):
        return lost.kind == metric.replace("_", "-")
    wanted = _VERDICT_OF.get(metric, lost.verdict if metric == "survival" else None)
    return lost.kind not in REUSE_KINDS and lost.verdict == wanted


def _requests(evaluation: Evaluation, metric: str, budget: str | None = None) -> Iterator[str]:
    for cell in evaluation.run.cells:
        for number, request in enumerate(cell.requests):
            reason = _REQUESTS[metric](request)
            if reason and budget in (None, cell.key.budget):
                scenario = evaluation.scenarios[cell.key.scenario, cell.key.variant]
                where = f"{scenario.file}: " if scenario.file else ""
                place = f"request #{number} before message {request.at}"
                yield one_line(f"{where}{scenario.key}, {place}: {reason}")


def _wrong_answers(evaluation: Evaluation) -> Iterator[str]:
    """Each answer that wasn't right, and whether the view held what was asked."""
    for cell in evaluation.run.cells:
        for probe in () if cell.apart else cell.probes:
            answer = probe.answer
            if answer is None or answer.right or answer.verdict in UNASKED:
                continue
            place = probe_place(evaluation.run.manifest, cell.key.scenario, probe.probe)
            where = f"{place[0]}:{place[1]}: " if place else ""
            held = "held it" if probe.verdict == "correct" else f"was {probe.verdict}"
            said = cut(one_line(answer.text), 80) or "nothing"
            yield one_line(
                f"{where}{cell.key.scenario}, {probe.probe} ({probe.kind}) {answer.verdict}: said"
                f" {said!r}; the view {held}"
            )


def _some(lines: Sequence[str], most: int, noun: str) -> list[str]:
    return [*(f"  {line}" for line in lines[:most]), *_more(len(lines) - most, noun)]


def _more(count: int, noun: str) -> Iterable[str]:
    return [f"  and {plural(count, f'more {noun}')}"] if count > 0 else []
