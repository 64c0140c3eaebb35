"""From what a view says to a verdict. The last word wins; silence is never a zero by error."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.eval.finding import Marks
from compaction_eval.eval.records import Verdict

MATCHER = 1
"""Counts the changes of what counts as a mention or of how verdicts are given: figures made under
two numbers can't be compared."""

UNASKED: tuple[Verdict, ...] = ("not-asked", "error")
"""Verdicts that are in no denominator: silence that is right, and what couldn't be measured."""


def value_verdict(marks: Marks) -> Verdict:
    """The verdict on a view for a value that holds.

    `correct` when the value is there and no superseded one is said after its last mention, so that
    the full history is always correct; `mixed` when a superseded one has the last word.
    """
    if marks.current:
        return "correct" if marks.last_current else "mixed"
    return "stale" if marks.stale else "missing"


def parts_verdict(marks: Marks, parts: int) -> tuple[Verdict, float]:
    """The verdict for an answer of several parts, and the share of them that is there."""
    share = len(marks.parts) / parts
    return ("correct" if len(marks.parts) == parts else "missing"), share


def absent_verdict(marks: Marks, retraction_in_view: bool) -> Verdict:
    """The verdict where no value holds: it was taken back, or nobody ever said one.

    Such a view can only go wrong: `stale` when it says what was taken back and not that it was,
    `wrong` when it says (as `current`) what only a summary can have made up. Silence isn't asked.
    """
    if marks.stale and not retraction_in_view:
        return "stale"
    return "wrong" if marks.current else "not-asked"


def strict_share(verdicts: Sequence[Verdict], counted: Verdict = "correct") -> float | None:
    """Share of the asked verdicts that are `counted`; None where nothing was asked.

    An error is no answer and no zero: it is in no denominator.
    """
    asked = [verdict for verdict in verdicts if verdict not in UNASKED]
    return sum(verdict == counted for verdict in asked) / len(asked) if asked else None
