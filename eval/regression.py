"""One run against a baseline and its gates: what got worse, and whether that is enough to fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.gate_results import Result
from compaction_eval.eval.gates import ON_CHANGE, Gate
from compaction_eval.eval.judging import judge
from compaction_eval.eval.pairing import Flip, Paired, flips, pair
from compaction_eval.strategies.errors import ConfigurationError

Outcome = Literal["pass", "fail", "inconclusive", "incomplete"]


@dataclass(frozen=True, slots=True)
class Regression:
    """What a run's figures are against a baseline, and what follows."""

    outcome: Outcome
    results: tuple[Result, ...]
    flips: tuple[Flip, ...]
    """Verdicts that changed, the worse ones first; empty without a baseline."""
    allowed_flips: int | None
    """How many for the worse are tolerated; None where flips don't decide (live runs)."""
    paired: Paired | None
    """What is compared; None without a baseline."""

    @property
    def worse(self) -> tuple[Flip, ...]:
        """The flips for the worse."""
        return tuple(flip for flip in self.flips if flip.worse)


def check_regression(
    evidence: Evidence,
    baseline: Evidence | None,
    gates: Sequence[Gate],
    *,
    allow_flips: int = 0,
    allow_removed: bool = False,
    statistical: bool | None = None,
) -> Regression:
    """Judge a run. `statistical` None: what rests on a model's words, be it summaries or answers.

    Verdicts on views that no model had a part in fail for any one that got worse, above
    `allow_flips`. Scenarios and rows that are gone fail, unless `allow_removed`. Raises
    ConfigurationError where nothing could fail, or the two can't be compared.
    """
    needing = [f"--{gate}" for gate in gates if gate.rule in ON_CHANGE]
    if baseline is None and needing:
        raise ConfigurationError(f"{needing[0]}: needs a --baseline to compare with")
    if baseline is None and not gates:
        raise ConfigurationError(
            "nothing to check: give a --baseline, or a gate such as --fail-under survival=0.8"
        )
    if evidence.incomplete:
        return Regression("incomplete", (), (), None, None)
    if baseline is None:
        results = judge(gates, evidence, statistical=_tier(statistical, evidence))
        return Regression(_outcome(results, failed=False), tuple(results), (), None, None)
    reasons = obstacles(baseline, evidence)
    if reasons:
        raise ConfigurationError("\n".join(f"can't be compared: {reason}" for reason in reasons))
    tier = _tier(statistical, evidence, baseline)
    _refuse_unseen(gates, tier, answered=evidence.answered and baseline.answered)
    paired = pair(baseline, evidence)
    changed = sorted(flips(paired.pairs), key=lambda flip: not flip.worse)
    worse = sum(flip.worse for flip in changed)
    results = judge(gates, evidence, paired.pairs, statistical=tier)
    gone = paired.removed_scenarios or paired.removed_rows
    failed = bool(gone and not allow_removed) or (not tier and worse > allow_flips)
    return Regression(
        _outcome(results, failed=failed),
        tuple(results),
        tuple(changed),
        None if tier else allow_flips,
        paired,
    )


def _tier(statistical: bool | None, *sides: Evidence) -> bool | None:
    """What statistics decide: all shares, those of a model's answers alone (None), or none."""
    if statistical is None and any(side.live for side in sides):
        return True
    return statistical


def _refuse_unseen(gates: Sequence[Gate], tier: bool | None, *, answered: bool) -> None:
    """Raise ConfigurationError where a change for the worse would pass without being looked at."""
    changes = [gate.metric for gate in gates if gate.rule in ON_CHANGE and gate.metric.of_verdicts]
    if tier and not changes:
        raise ConfigurationError(
            "nothing would compare the verdicts with the baseline's: single verdicts of live runs"
            " change by chance, so only gates decide on their share; give one such as"
            " --fail-on-drop survival=2pp, or no baseline"
        )
    if tier is None and answered and not any(metric.of_answers for metric in changes):
        raise ConfigurationError(
            "nothing would compare the model's answers with the baseline's: single answers change"
            " by chance, so only a gate decides on their share; give one such as"
            " --fail-on-drop recall=2pp, or --deterministic to look at the views alone"
        )


def _outcome(results: Sequence[Result], *, failed: bool) -> Outcome:
    judgements = {result.judgement for result in results}
    if failed or "fail" in judgements:
        return "fail"
    return "inconclusive" if "inconclusive" in judgements else "pass"
