"""Gates on shares that vary from run to run: weighed with the conversation as unit, then decided.

Each side of the question gets a p-value: whether the harm is shown to be allowed, and whether it is
shown not to be. All gates of a run are decided together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from compaction_eval.eval.changes import changes, probe_shares
from compaction_eval.eval.clustering import clustering
from compaction_eval.eval.evidence import CellEvidence, Outcome
from compaction_eval.eval.gate_results import Judgement, Result
from compaction_eval.eval.gates import ON_CHANGE
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.rates import effective_trials, p_rate_above, wilson
from compaction_eval.eval.statistics import TooFewScenariosError, holm, mean_interval, p_above

ALPHA = 0.05
Chosen = Callable[[Outcome], bool]
Shares = dict[str, dict[str, list[float]]]
"""One number for each probe, by scenario and variant."""


def weighed_change(result: Result, pairs: Sequence[Pair], chosen: Chosen) -> Result:
    """With the harm per scenario, its interval and p-values; open, with the reason, without."""
    gate = result.gate
    found = changes(gate.metric, pairs, chosen)
    result = replace(result, clustering=clustering(_by_scenario(found)))
    harms = [
        gate.harmful_sign * fmean(map(fmean, variants.values())) for variants in found.values()
    ]
    try:
        interval = mean_interval(harms, 1 - 2 * ALPHA)
    except TooFewScenariosError as error:
        return replace(result, why=str(error))
    margin = float(gate.bound.margin(result.before or 0.0))
    return replace(
        result,
        interval=interval,
        p_harmless=p_above([-harm for harm in harms], -margin),
        p_harmful=p_above(harms, margin),
    )


def weighed_share(result: Result, cells: Sequence[CellEvidence], chosen: Chosen) -> Result:
    """With the share's interval and p-values against its bound; open, with the reason, without.

    A share can't be beyond 0 or 1, so a bound there is compared as it stands: nothing could show
    that such a one is met, and a single probe shows that it isn't.
    """
    gate = result.gate
    found = probe_shares(gate.metric, cells, chosen)
    result = replace(result, clustering=clustering(_by_scenario(found)))
    bound = float(gate.bound.value)
    at_edge = not 0 < bound < 1
    try:
        trials = effective_trials(found)
    except TooFewScenariosError as error:
        return result if at_edge else replace(result, judgement="inconclusive", why=str(error))
    result = replace(result, interval=wilson(result.value * trials, trials, 1 - 2 * ALPHA))
    if at_edge:
        return result
    above = p_rate_above(result.value, trials, bound)
    below = p_rate_above(1 - result.value, trials, 1 - bound)
    harmless, harmful = (below, above) if gate.harmful_sign > 0 else (above, below)
    return replace(result, judgement="inconclusive", p_harmless=harmless, p_harmful=harmful)


def decided(results: Sequence[Result]) -> list[Result]:
    """Open results decided at `ALPHA`.

    A run fails for any one gate, so the p-values for that are adjusted for how many there are. It
    passes only where all do, which no number of gates makes more likely by chance: R. L. Berger,
    "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24 (1982), 295-300.
    """
    open_ones = [one for one in results if one.p_harmless is not None]
    harmful = holm([one.p_harmful or 0.0 for one in open_ones])
    known = {id(one): _decided(one, fails) for one, fails in zip(open_ones, harmful, strict=True)}
    return [known.get(id(one), one) for one in results]


def _decided(result: Result, harmful: float) -> Result:
    judgement: Judgement = (
        "pass"
        if (result.p_harmless or 0.0) <= ALPHA
        else "fail"
        if harmful <= ALPHA
        else "inconclusive"
    )
    why = ""
    if judgement == "inconclusive":
        limit = "margin" if result.gate.rule in ON_CHANGE else "bound"
        why = f"it could be on either side of the {limit}; more scenarios or replicates would tell"
    return replace(result, judgement=judgement, p_harmful=harmful, why=why)


def _by_scenario(shares: Shares) -> dict[str, list[float]]:
    return {
        scenario: [share for variant in variants.values() for share in variant]
        for scenario, variants in shares.items()
    }
