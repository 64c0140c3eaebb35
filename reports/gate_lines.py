"""Gates in words: the figure beside its bound, with as many digits as it takes to see why."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from compaction_eval.eval.gate_results import Result
from compaction_eval.eval.gates import ON_CHANGE
from compaction_eval.reports.figures import plural

_MOST = 15
"""Decimals beyond which floats say nothing."""


def told_apart(value: float, bound: float, least: int = 4) -> tuple[str, str]:
    """Two figures as text that differ where they do: `0.9490` and `0.95`.

    `least` decimals at least for the first one; a whole one without any where that is 0.
    """
    limit = Decimal(repr(float(bound)))
    for digits in range(least, _MOST + 1):
        first = f"{value:,.{digits}f}"
        exact = least == 0 and float(value).is_integer()
        if exact or Decimal(first.replace(",", "")) != limit:
            return first, _short(limit)
    return f"{value:,.{least}f}", _short(limit)


def _short(value: Decimal) -> str:
    """Without needless zeros: 0.95, 1,000."""
    text = f"{value:,f}"
    return text.rstrip("0").removesuffix(".") if "." in text else text


def rule(result: Result) -> str:
    """The gate as it was given: `fail-under survival[kind=constraint]=0.95`."""
    return str(result.gate)


def row(result: Result) -> str:
    """`mine at 30% with extractive`."""
    strategy, budget, summarizer = result.row
    return f"{strategy} at {budget} with {summarizer}"


def finding(result: Result) -> str:
    """Why it is so: `0.9490 < 0.95`, or `0.9800 -> 0.9490: drop 0.0310 > 0.02`."""
    bound = result.gate.bound.value
    least = 4 if result.gate.metric.unit == "share" else 0
    if result.gate.rule not in ON_CHANGE:
        value, limit = told_apart(result.value, float(bound), least)
        high = result.gate.rule == "fail-over"
        failed = result.judgement == "fail"
        sign = (">" if failed else "<=") if high else ("<" if failed else ">=")
        if result.p_harmless is not None or result.judgement == "inconclusive":
            sign = "against"  # the interval decides, not the figure alone
        return f"{value} {sign} {limit}"
    before = result.before or 0.0
    rising = result.gate.rule == "fail-on-rise"
    harm = result.value - before if rising else before - result.value
    allowed = bound * abs(Fraction(before)) if result.gate.bound.relative else bound
    told, limit = told_apart(harm, float(allowed), least)
    old = told_apart(before, result.value, least)[0]
    new = told_apart(result.value, before, least)[0]
    percent = f" ({result.gate.bound.text})" if result.gate.bound.relative else ""
    sign = {"fail": ">", "pass": "<="}.get(result.judgement, "against")
    if result.interval is not None:
        sign = "against"  # the interval decides, not the figure alone
    return f"{old} -> {new}: {'rise' if rising else 'drop'} {told} {sign} {limit}{percent}"


def evidence(result: Result) -> str:
    """What it rests on: `1,190 probes in 40 scenarios`, or `40 scenarios`."""
    scenarios = plural(result.scenarios, "scenario")
    return f"{plural(result.probes, 'probe')} in {scenarios}" if result.probes else scenarios


def statistics(result: Result) -> str:
    """Interval, p-values, design effect, effective probes; empty where none decide."""
    parts = []
    if result.interval is not None:
        parts.append(f"90% interval {result.interval.low:.4f} to {result.interval.high:.4f}")
    if result.p_harmless is not None and result.p_harmful is not None:
        parts.append(f"p for harmless {result.p_harmless:.4f}, for harmful {result.p_harmful:.4f}")
    if result.clustering is not None:
        found = result.clustering
        parts.append(
            f"design effect {found.design_effect:.2f}: {found.probes:,} probes tell as much as"
            f" {found.effective_probes:,.0f} independent ones"
        )
    if result.why:
        parts.append(result.why)
    return "; ".join(parts)
