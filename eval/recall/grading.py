"""From an answer to a verdict, by matchers alone.

The current value in it makes an answer `correct`, unless an old one is given beside it (`mixed`) or
a rejected one (`wrong`); a value that is named as a former or denied one isn't given. Where no
value holds, an answer is right that says so (`correct`) or that doesn't know (`abstained`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compaction_eval.eval.recall.abstaining import abstains, denies, guesses
from compaction_eval.eval.recall.expected import Expected
from compaction_eval.eval.recall.formerly import is_alternative, is_former
from compaction_eval.eval.recall.spelling import plain_spelling
from compaction_eval.eval.recall.wording import bare, spoken, tidy
from compaction_eval.eval.records import Verdict
from compaction_eval.scenarios.forms import Form
from compaction_eval.scenarios.patterns import SlowPatternError
from compaction_eval.strategies.mentions import Mention, outside

GRADER = 2
"""Counts the changes of how answers are graded: figures under two numbers can't be compared."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The verdict on an answer."""

    verdict: Verdict
    share: float | None = None
    """Share of the parts that are in it, where there are such."""
    reason: str = ""
    """Of an `error`: what happened."""


def grade(answer: str, expected: Expected) -> Grade:
    """The verdict on an answer's text, whatever it holds."""
    text = spoken(answer)
    if expected.language is not None:
        text = plain_spelling(text, expected.language)
    text = tidy(text)
    if not bare(text):
        return Grade("missing", 0.0 if expected.parts else None)
    try:
        if expected.unanswerable:
            return Grade(_where_nothing_holds(text, expected))
        if expected.parts:
            return _in_parts(text, expected)
        return Grade(_of_value(text, expected))
    except SlowPatternError as error:
        return Grade("error", reason=str(error))


def _of_value(text: str, expected: Expected) -> Verdict:
    current = _mentions(expected.current, text)
    stale = outside(_mentions(expected.stale, text), current)
    rejected = outside(_mentions(expected.rejected, text), current)
    current = outside(current, [*stale, *rejected])
    given = _given(text, stale, current)
    if current:
        if expected.exact and not _is_all(text, expected.current):
            return "mixed" if given else "wrong"
        if _given(text, rejected, current):
            return "wrong"
        return "mixed" if given else "correct"
    if given:
        return "stale"
    if _given(text, rejected, ()):
        return "wrong"
    if abstains(text):
        return "abstained"
    return "stale" if stale else "wrong"


def _in_parts(text: str, expected: Expected) -> Grade:
    found = sum(bool(form.find(text)) for form in expected.parts)
    share = found / len(expected.parts)
    parts = _mentions(expected.parts, text)
    if _given(text, outside(_mentions(expected.rejected, text), parts), parts):
        return Grade("wrong", share)
    if found == len(expected.parts):
        return Grade("correct", share)
    if found:
        return Grade("missing", share)
    if _given(text, _mentions(expected.stale, text), ()):
        return Grade("stale", share)
    return Grade("abstained" if abstains(text) else "wrong", share)


def _where_nothing_holds(text: str, expected: Expected) -> Verdict:
    """A value was taken back, or nobody ever said one: silence about it is right."""
    stale = _mentions(expected.stale, text)
    rejected = outside(_mentions(expected.rejected, text), stale)
    withheld = abstains(text) and not guesses(text)
    over = expected.retracted and (denies(text) or bool(_mentions(expected.retraction, text)))
    if _given(text, rejected, ()):
        return "mixed" if withheld else "wrong"
    if stale:
        return "correct" if over or withheld or not _given(text, stale, ()) else "stale"
    if withheld:
        return "abstained"
    if over or _mentions(expected.current, text):
        return "correct"
    # Where nothing was ever said, that there is none is a way not to know.
    return "abstained" if denies(text) and not guesses(text) else "wrong"


def _mentions(forms: Iterable[Form], text: str) -> list[Mention]:
    return sorted(mention for form in forms for mention in form.find(text))


def _given(text: str, found: Iterable[Mention], current: Sequence[Mention]) -> list[Mention]:
    """Of some mentions those that are given as an answer: not as former ones, nor denied."""
    return [
        one
        for one in found
        if not is_former(text, one, current)
        or any(is_alternative(text, one, right) for right in _next_to(one, current))
    ]


def _next_to(one: Mention, current: Sequence[Mention]) -> Sequence[Mention]:
    """The nearest of some mentions before and behind another one."""
    at = bisect_left(current, one)
    return current[max(0, at - 1) : at + 1]


def _is_all(text: str, forms: Iterable[Form]) -> bool:
    """Whether an answer consists of a form, emphasis and quotes apart."""
    return any(bare(text) == bare(form.text) for form in forms)
