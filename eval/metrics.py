"""The figures that can be gated and compared, by name, over any part of some evidence.

Shares are means over scenarios of the scenario's own share, its variants and repeats averaged
first, exactly as in the table; counts and tokens are sums over cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean
from typing import Literal

from compaction_eval.eval.evidence import CellEvidence, Outcome
from compaction_eval.eval.records import REUSE_KINDS, Verdict
from compaction_eval.eval.verdicts import UNASKED, strict_share

Unit = Literal["share", "tokens", "count"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: how it is called, what it is in, and how it comes from cells."""

    name: str
    unit: Unit
    better: Literal["higher", "lower"]
    about: str
    value: Callable[[Sequence[CellEvidence], Callable[[Outcome], bool]], float | None]
    """From cells and a choice of verdicts; None where nothing was measured."""
    counted: Verdict | None = None
    """Of a share of verdicts: the verdict that counts."""
    family: Callable[[Outcome], bool] = lambda _: True
    """Of a share of verdicts: those that it is a share of."""
    of_answers: bool = False
    """Whether the verdicts are those on a model's answers, not those on views."""

    @property
    def of_verdicts(self) -> bool:
        """Whether it rests on verdicts, so that it can be asked for by probe kind."""
        return self.counted is not None

    def seen(self, cells: Sequence[CellEvidence]) -> Sequence[CellEvidence]:
        """The cells with the verdicts that the figure is about; of such cells the same."""
        return with_answers(cells) if self.of_answers else cells


def with_answers(cells: Iterable[CellEvidence]) -> list[CellEvidence]:
    """The cells with the verdicts on a model's answers in place of those on the views.

    Probes that no model was asked are left out.
    """
    return [
        replace(
            cell,
            outcomes=tuple(
                replace(one, verdict=one.recall) for one in cell.outcomes if one.recall is not None
            ),
        )
        for cell in cells
    ]


def outcomes_of(cell: CellEvidence, chosen: Callable[[Outcome], bool]) -> list[Outcome]:
    """The verdicts of a cell that count in a share, of those that are chosen."""
    return [one for one in cell.outcomes if not one.free and chosen(one)]


def asked_of(cell: CellEvidence, chosen: Callable[[Outcome], bool]) -> list[Outcome]:
    """The verdicts of a cell that are in a share's denominator, of those that are chosen."""
    found = outcomes_of(cell, chosen)
    return [one for one in found if one.verdict not in UNASKED]


def scenario_shares(
    cells: Iterable[CellEvidence],
    chosen: Callable[[Outcome], bool],
    counted: Verdict = "correct",
) -> dict[str, float]:
    """Each scenario's own share, variants and repeats averaged; those without verdicts left out."""
    headline = sorted(
        (cell for cell in cells if not cell.apart and not cell.error),
        key=lambda cell: cell.key.scenario,
    )
    shares: dict[str, float] = {}
    for scenario, group in groupby(headline, key=lambda cell: cell.key.scenario):
        own = [
            strict_share([one.verdict for one in outcomes_of(cell, chosen)], counted)
            for cell in group
        ]
        asked = [share for share in own if share is not None]
        if asked:
            shares[scenario] = fmean(asked)
    return shares


def is_written(outcome: Outcome) -> bool:
    """Whether the verdict is on a probe that somebody wrote."""
    return outcome.kind not in REUSE_KINDS


def is_reuse(outcome: Outcome) -> bool:
    """Whether the verdict is on a value that the recorded agent used again."""
    return outcome.kind == "reuse"


def is_sure_reuse(outcome: Outcome) -> bool:
    """Whether the verdict is on such a value that can't well be there by chance."""
    return is_reuse(outcome) and not outcome.chance


def _share(
    name: str,
    better: Literal["higher", "lower"],
    about: str,
    family: Callable[[Outcome], bool],
    counted: Verdict,
    *,
    of_answers: bool = False,
) -> Metric:
    def value(cells: Sequence[CellEvidence], chosen: Callable[[Outcome], bool]) -> float | None:
        cells = with_answers(cells) if of_answers else cells
        shares = scenario_shares(cells, lambda one: family(one) and chosen(one), counted)
        return fmean(shares.values()) if shares else None

    return Metric(name, "share", better, about, value, counted, family, of_answers)


def _total(*names: str, minus: Sequence[str] = ()) -> Callable[..., float | None]:
    def value(cells: Sequence[CellEvidence], _: Callable[[Outcome], bool]) -> float | None:
        measured = [cell.totals for cell in cells if not cell.error]
        if not measured:
            return None
        plus = sum(getattr(totals, name) for totals in measured for name in names)
        return float(plus - sum(getattr(totals, name) for totals in measured for name in minus))

    return value


def _prefix_reuse(cells: Sequence[CellEvidence], _: Callable[[Outcome], bool]) -> float | None:
    sent = sum(cell.totals.sent_tokens for cell in cells if not cell.error)
    reused = sum(cell.totals.reused_tokens for cell in cells if not cell.error)
    return reused / sent if sent else None


def _count(name: str, about: str) -> Metric:
    return Metric(name, "count", "lower", about, _total(name))


_ALL = (
    _share(
        "survival", "higher", "Probes whose answer the view still holds.", is_written, "correct"
    ),
    _share("stale", "lower", "Probes of which only an old value is in view.", is_written, "stale"),
    _share("mixed", "lower", "Probes of which an old value comes last.", is_written, "mixed"),
    _share(
        "recall",
        "higher",
        "Probes that a model answered rightly from the view.",
        is_written,
        "correct",
        of_answers=True,
    ),
    _share(
        "reuse",
        "higher",
        "Values that the recorded agent used again and could still see.",
        is_reuse,
        "correct",
    ),
    _share(
        "reuse_sure",
        "higher",
        "Of these, those that can't well be there by chance.",
        is_sure_reuse,
        "correct",
    ),
    _share(
        "reuse_recoverable",
        "higher",
        "Of the sure ones, those that a repeated call would have told again.",
        lambda one: is_sure_reuse(one) and one.recoverable,
        "correct",
    ),
    _share(
        "reuse_irreplaceable",
        "higher",
        "Of the sure ones, those that no repeated call would have told again.",
        lambda one: is_sure_reuse(one) and not one.recoverable,
        "correct",
    ),
    _share(
        "reuse_text",
        "higher",
        "Values in the recorded agent's own words that it could still see.",
        lambda one: one.kind == "reuse-text",
        "correct",
    ),
    Metric(
        "saved_net",
        "tokens",
        "higher",
        "Tokens saved against the full history, the summariser's taken off.",
        _total("full_tokens", minus=("sent_tokens", "summary_tokens")),
    ),
    Metric("sent_tokens", "tokens", "lower", "Tokens of all requests.", _total("sent_tokens")),
    Metric(
        "summary_tokens",
        "tokens",
        "lower",
        "Tokens that the summariser read and wrote.",
        _total("summary_tokens"),
    ),
    Metric(
        "prefix_reuse",
        "share",
        "higher",
        "Sent tokens that a prompt cache would know from the request before.",
        _prefix_reuse,
    ),
    _count("invalid_requests", "Requests that the API would refuse."),
    _count("over_budget_requests", "Requests over the budget that could have met it."),
    _count("never_fired", "Cells whose history outgrew the budget and nothing was done."),
    _count("thrash", "Requests that summarised again at once, with no gain."),
    _count("summary_grew", "Requests at which the summary made the view larger."),
    _count("fallbacks", "Requests at which the strategy did less than it meant to."),
    _count("summary_calls", "Calls of the summariser."),
    _count("poisoned", "Requests with a summary that repeats an injected claim."),
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
