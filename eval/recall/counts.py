"""A row's figures of recall: shares, the two ways of failing apart, and a judge beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from compaction_eval.eval.recall.agreement import agreement
from compaction_eval.eval.records import AnswerRecord, CellRecord, ProbeRecord
from compaction_eval.eval.verdicts import UNASKED


def answers_as_probes(cell: CellRecord) -> list[ProbeRecord]:
    """A cell's probes that a model was asked, with the verdicts on its answers as they count."""
    return [
        replace(probe, verdict="correct" if probe.answer.right else probe.answer.verdict)
        for probe in cell.probes
        if probe.answer is not None
    ]


def recall_counts(headline: Sequence[CellRecord], measured: Sequence[CellRecord]) -> dict[str, Any]:
    """Fields of a row by name; none where no model was asked.

    What is right or wrong is counted over the headline's cells, as the shares are; faults and
    tokens over all that were measured.
    """
    if not any(probe.answer is not None for cell in measured for probe in cell.probes):
        return {}
    asked = [probe for cell in headline for probe in cell.probes]
    answers = [one for one in _answers(headline) if one.verdict not in UNASKED]
    everything = list(_answers(measured))
    faults = [one for one in everything if one.verdict == "error"]
    kept = Counter(
        (probe.verdict == "correct", probe.answer.right)
        for probe in asked
        if probe.answer is not None
        and probe.answer.verdict not in UNASKED
        and probe.verdict not in UNASKED
    )
    judge = agreement(answers)
    judging = any(one.judge is not None or one.judge_reason for one in everything)
    return {
        "answers": len(answers),
        "answer_errors": len(faults),
        "answer_context_errors": sum(one.outcome == "context-length" for one in faults),
        "kept_recalled": kept[True, True],
        "kept_missed": kept[True, False],
        "lost_recalled": kept[False, True],
        "lost_missed": kept[False, False],
        "answer_tokens_in": _total(everything, lambda one: one.tokens_in),
        "answer_tokens_out": _total(everything, lambda one: one.tokens_out),
        "judged": judge.judged if judging else None,
        "judge_agreement": judge.share,
        "judge_kappa": judge.kappa,
        "judge_right": judge.both + judge.judge_only if judging else None,
        "judge_more": judge.judge_only if judging else None,
        "judge_less": judge.matcher_only if judging else None,
    }


def _answers(cells: Iterable[CellRecord]) -> Iterable[AnswerRecord]:
    return (probe.answer for cell in cells for probe in cell.probes if probe.answer is not None)


def _total(
    answers: Iterable[AnswerRecord], tokens: Callable[[AnswerRecord], int | None]
) -> int | None:
    known = [count for count in map(tokens, answers) if count is not None]
    return sum(known) if known else None
