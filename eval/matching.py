"""Two strategies of one run at matched sizes: what each keeps when it keeps as many tokens.

Under one budget two strategies retain different numbers of tokens, and the larger view of course
holds more. So for each conversation the one's survival at a budget is set against the other's at
the same retained tokens, on the straight line between the two of its budgets around that. Beyond
its smallest and largest view nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from compaction_eval.eval.evidence import CellEvidence, Evidence
from compaction_eval.eval.metrics import is_reuse, is_written, outcomes_of
from compaction_eval.eval.statistics import Interval, mean_intervals
from compaction_eval.eval.verdicts import strict_share

Conversation = tuple[str, str]
"""A scenario's id and variant."""
Measure = Literal["survival", "reuse"]


@dataclass(frozen=True, slots=True)
class Point:
    """One conversation under one budget, over its repeats."""

    tokens: float
    """Mean tokens of the views at which something was asked."""
    share: float


@dataclass(frozen=True, slots=True)
class Match:
    """One budget of the first strategy against the second at the same retained tokens."""

    first: str
    second: str
    budget: str
    """Of the first."""
    summarizer: str
    measure: Measure
    asked: int
    """Scenarios that the first was measured on."""
    scenarios: int
    """Those of them in which the second has views smaller and larger, or just as large."""
    retained_tokens: float | None = None
    """Mean over the matched scenarios; None, like the shares, where there are none."""
    first_share: float | None = None
    second_share: float | None = None
    difference: float | None = None
    """The first's share less the second's."""
    interval: Interval | None = None
    """Of the difference, 95%; None with fewer scenarios than anything can be said about."""
    larger: int = 0
    """Scenarios left out since the first's views are larger than any of the second's."""
    smaller: int = 0
    """Those left out since they are smaller."""


def matches(
    evidence: Evidence, first: str, second: str, budgets: Sequence[str] | None = None
) -> list[Match]:
    """The first strategy at each of its budgets (or those given), with each summariser."""
    measured = [cell for cell in evidence.cells if not cell.error and not cell.apart]
    written = any(is_written(told) for cell in measured for told in cell.outcomes)
    measure: Measure = "survival" if written else "reuse"
    drafts = []
    for summarizer in dict.fromkeys(cell.key.summarizer for cell in measured):
        own = [cell for cell in measured if cell.key.summarizer == summarizer]
        here = _points((cell for cell in own if cell.key.strategy == first), measure)
        there = _points((cell for cell in own if cell.key.strategy == second), measure)
        lines: dict[Conversation, list[Point]] = {}
        for points in there.values():
            for conversation, point in points.items():
                lines.setdefault(conversation, []).append(point)
        for budget, points in here.items():
            if budgets is None or budget in budgets:
                one = _match(Match(first, second, budget, summarizer, measure, 0, 0), points, lines)
                drafts.append(one)
    intervals = mean_intervals([differences for _, differences in drafts])
    return [
        replace(match, interval=interval)
        for (match, _), interval in zip(drafts, intervals, strict=True)
    ]


def _points(
    cells: Iterable[CellEvidence], measure: Measure
) -> dict[str, dict[Conversation, Point]]:
    """Each conversation's point at each budget; none where nothing was asked."""
    family = is_written if measure == "survival" else is_reuse
    found: dict[str, dict[Conversation, list[Point]]] = {}
    for cell in cells:
        share = strict_share([told.verdict for told in outcomes_of(cell, family)])
        totals = cell.totals
        if share is not None and totals.probed_requests:
            point = Point(totals.retained_tokens / totals.probed_requests, share)
            conversation = (cell.key.scenario, cell.key.variant)
            found.setdefault(cell.key.budget, {}).setdefault(conversation, []).append(point)
    return {
        budget: {conversation: _mean_point(own) for conversation, own in conversations.items()}
        for budget, conversations in found.items()
    }


def _mean_point(points: Sequence[Point]) -> Point:
    return Point(fmean(one.tokens for one in points), fmean(one.share for one in points))


def interpolated(points: Iterable[Point], tokens: float) -> float | None:
    """The share at a size, on the line between the points around it; None beyond them.

    Points of the same size count as their mean.
    """
    by_size: dict[float, list[float]] = {}
    for point in points:
        by_size.setdefault(point.tokens, []).append(point.share)
    if tokens in by_size:
        return fmean(by_size[tokens])
    below = max((size for size in by_size if size < tokens), default=None)
    above = min((size for size in by_size if size > tokens), default=None)
    if below is None or above is None:
        return None
    low, high = fmean(by_size[below]), fmean(by_size[above])
    return low + (high - low) * (tokens - below) / (above - below)


def _match(
    empty: Match,
    points: Mapping[Conversation, Point],
    lines: Mapping[Conversation, Sequence[Point]],
) -> tuple[Match, list[float]]:
    """The match without its interval, and the differences that this is over, one a scenario."""
    matched: dict[str, list[tuple[float, float, float]]] = {}
    larger: set[str] = set()
    smaller: set[str] = set()
    for conversation, point in points.items():
        line = lines.get(conversation, ())
        other = interpolated(line, point.tokens)
        scenario = conversation[0]
        if other is not None:
            matched.setdefault(scenario, []).append((point.tokens, point.share, other))
        elif line:
            (larger if line[0].tokens < point.tokens else smaller).add(scenario)
    empty = replace(
        empty,
        asked=len({scenario for scenario, _ in points}),
        larger=len(larger - matched.keys()),
        smaller=len(smaller - matched.keys() - larger),
    )
    means = [tuple(map(fmean, zip(*own, strict=True))) for own in matched.values()]
    if not means:
        return empty, []
    tokens, first, second = map(fmean, zip(*means, strict=True))
    return (
        replace(
            empty,
            scenarios=len(means),
            retained_tokens=tokens,
            first_share=first,
            second_share=second,
            difference=first - second,
        ),
        [mine - other for _, mine, other in means],
    )
