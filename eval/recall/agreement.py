"""How far a judge and the matchers agree on the same answers: right, or not right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compaction_eval.eval.records import AnswerRecord


@dataclass(frozen=True, slots=True)
class Agreement:
    """Both verdicts on the same answers."""

    both: int
    """Answers that both accept."""
    judge_only: int
    matcher_only: int
    neither: int

    @property
    def judged(self) -> int:
        """Answers that both have a verdict on."""
        return self.both + self.judge_only + self.matcher_only + self.neither

    @property
    def share(self) -> float | None:
        """Share on which they agree; None where there is nothing to agree on."""
        return (self.both + self.neither) / self.judged if self.judged else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960): (p_o - p_e) / (1 - p_e), p_e from both sides' own shares.

        None where chance alone would agree always: both said the same of every answer.
        """
        n = self.judged
        if not n:
            return None
        matcher, judge = self.both + self.matcher_only, self.both + self.judge_only
        # In whole numbers, n² times each: no rounding decides whether it is defined.
        expected = matcher * judge + (n - matcher) * (n - judge)
        if expected == n * n:
            return None
        return ((self.both + self.neither) * n - expected) / (n * n - expected)


def agreement(answers: Iterable[AnswerRecord]) -> Agreement:
    """Count the answers that a judge and the matchers have both graded."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for one in answers:
        if one.judged_right is not None and one.verdict != "error":
            counts[one.right, one.judged_right] += 1
    return Agreement(
        counts[True, True], counts[False, True], counts[True, False], counts[False, False]
    )
