"""How well one run's order of strategies predicts another's: by survival, by what a model recalls.

The usual question is whether a run that costs nothing says which strategy a paid one will favour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from compaction_eval.eval.evidence import CellEvidence, Evidence
from compaction_eval.eval.metrics import METRICS, Metric, scenario_shares
from compaction_eval.eval.ranking import FEWEST_STRATEGIES, Ranking, Shares, rank
from compaction_eval.eval.statistics import TooFewScenariosError

_SURVIVAL, _RECALL, _REUSE = METRICS["survival"], METRICS["recall"], METRICS["reuse"]
REFERENCES = frozenset({"none", "empty", "evidence-only"})
"""Controls whose place is known beforehand; with them any order would look well predicted."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One budget: the earlier side's order against the later one's."""

    budget: str
    measures: tuple[str, str]
    """What the predicted and the real order go by: `survival`, `recall` or `reuse`."""
    summarizers: tuple[str, str]
    ranking: Ranking | None
    why: str = ""
    """Why there is none."""


def predictions(before: Evidence, after: Evidence) -> list[Prediction]:
    """For each budget and pair of summarisers that both sides have, in the later one's order.

    The earlier side's order goes by survival, the later one's by recall where a model was asked
    there; both by reuse where nothing was written. Left out are the controls whose place is known,
    and what sees the answer key.
    """
    real = _RECALL if after.answered else _by(after)
    found = []
    for budget in _distinct(after.cells, lambda cell: cell.key.budget):
        for theirs in _distinct(_at(after, budget), lambda cell: cell.key.summarizer):
            for ours in _distinct(_at(before, budget), lambda cell: cell.key.summarizer):
                if before is after and ours != theirs:
                    continue
                sides = (_by(before), real)
                shares = (
                    _shares(before, budget, ours, sides[0]),
                    _shares(after, budget, theirs, sides[1]),
                )
                found.append(_prediction(budget, sides, (ours, theirs), shares))
    return found


def _prediction(
    budget: str,
    measures: tuple[Metric, Metric],
    summarizers: tuple[str, str],
    shares: tuple[Shares, Shares],
) -> Prediction:
    names = (measures[0].name, measures[1].name)
    common = sum(name in shares[1] for name in shares[0])
    if common < FEWEST_STRATEGIES:
        why = f"only {common} strategies on both sides have figures; an order needs three"
        return Prediction(budget, names, summarizers, None, why)
    try:
        return Prediction(budget, names, summarizers, rank(*shares))
    except TooFewScenariosError as error:
        return Prediction(budget, names, summarizers, None, str(error))


def _by(evidence: Evidence) -> Metric:
    """Survival, or reuse where no probe was written."""
    shares = scenario_shares(evidence.cells, _SURVIVAL.family)
    return _SURVIVAL if shares else _REUSE


def _shares(evidence: Evidence, budget: str, summarizer: str, metric: Metric) -> Shares:
    """Each contender's share in each scenario."""
    apart = {one.label for one in evidence.strategies if _is_apart(one.spec, one.sees_answer_key)}
    cells = [cell for cell in _at(evidence, budget) if cell.key.summarizer == summarizer]
    if any(one.sees_answer_key for one in evidence.summarizers if one.label == summarizer):
        return {}
    found = {}
    for strategy in _distinct(cells, lambda cell: cell.key.strategy):
        own = [cell for cell in cells if cell.key.strategy == strategy]
        shares = scenario_shares(metric.seen(own), metric.family)
        if strategy not in apart and shares:
            found[strategy] = shares
    return found


def _is_apart(spec: str, sees_answer_key: bool) -> bool:
    return sees_answer_key or spec.partition("(")[0] in REFERENCES


def _at(evidence: Evidence, budget: str) -> Sequence[CellEvidence]:
    return [cell for cell in evidence.cells if cell.key.budget == budget]


def _distinct(cells: Iterable[CellEvidence], part: Callable[[CellEvidence], str]) -> list[str]:
    return list(dict.fromkeys(map(part, cells)))
