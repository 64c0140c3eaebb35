"""Gates: conditions on figures that a run must meet, read from text and judged on evidence.

`recall[kind=constraint]=0.95` names a metric, what it is taken over, and a bound, which is compared
unrounded. A gate that would look at nothing is an error, never a pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.metrics import METRICS, Metric
from compaction_eval.eval.records import REUSE_KINDS
from compaction_eval.scenarios.records import ProbeKind, variant_name
from compaction_eval.scenarios.wording import listed_words
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

Rule = Literal["fail-under", "fail-over", "fail-on-drop", "fail-on-rise"]
RULES: tuple[Rule, ...] = get_args(Rule)
ON_CHANGE: tuple[Rule, ...] = ("fail-on-drop", "fail-on-rise")
"""Rules that need a baseline."""

FilterKey = Literal["strategy", "budget", "summarizer", "scenario", "tag", "kind"]
FILTERS: tuple[FilterKey, ...] = get_args(FilterKey)
ROW_FILTERS: tuple[FilterKey, ...] = ("strategy", "budget", "summarizer")
_KINDS = (*get_args(ProbeKind), *sorted(REUSE_KINDS))

_GATE = re.compile(r"\s*(?P<metric>[\w-]+)\s*(?:\[(?P<filters>.*)\])?\s*=\s*(?P<bound>[^=\]]+?)\s*")
_BOUND = re.compile(r"(?P<number>-?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?|-?\.[0-9]+)\s*(?P<unit>pp|%)?")
_PART = re.compile(
    r"""(?:(?<==)\s*"[^"]*"|\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\]|[^,])+""",
)
"""What stands between commas outside of quotes and of a strategy's own parentheses."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a figure is compared with."""

    text: str
    """As it was given."""
    value: Fraction
    relative: bool = False
    """Of a change: a share of the old figure, not a difference from it."""

    def margin(self, before: float) -> Fraction:
        """The change that is allowed from an old figure, in its unit."""
        return self.value * (abs(Fraction(before)) if self.relative else 1)


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition."""

    rule: Rule
    metric: Metric
    bound: Bound
    filters: Mapping[FilterKey, str] = field(default_factory=dict)

    @property
    def harmful_sign(self) -> int:
        """What is harmful under the rule: 1 when more is, -1 when less is."""
        return 1 if self.rule in ("fail-over", "fail-on-rise") else -1

    def __str__(self) -> str:
        """As on the command line: `fail-under recall[kind=constraint]=0.95`."""
        inner = ",".join(_written(key, value) for key, value in self.filters.items())
        return f"{self.rule} {self.metric.name}{f'[{inner}]' if inner else ''}={self.bound.text}"


def parse_gate(rule: Rule, text: str) -> Gate:
    """A gate from `METRIC=VALUE` or `METRIC[key=value,…]=VALUE`. Raises ConfigurationError."""
    where = f"--{rule} {text!r}"
    match = _GATE.fullmatch(text)
    if match is None:
        raise ConfigurationError(
            f"{where}: a gate is METRIC=VALUE or METRIC[key=value,…]=VALUE, such as "
            "survival[kind=constraint]=0.95"
        )
    metric = _metric(match["metric"], where)
    filters = _filters(match["filters"] or "", metric, where)
    return Gate(rule, metric, _bound(match["bound"], rule, metric, where), filters)


def _metric(name: str, where: str) -> Metric:
    metric = METRICS.get(name.replace("-", "_"))
    if metric is None:
        hint = did_you_mean(name, METRICS) or f"; there are {', '.join(METRICS)}"
        raise ConfigurationError(f"{where}: unknown metric '{name}'{hint}")
    return metric


def _written(key: str, value: str) -> str:
    """A filter as it has to be written: quoted where it would else be taken apart."""
    plain = f"{key}={value}"
    quoted = value.startswith('"') or _PART.findall(plain) != [plain]
    return f'{key}="{value}"' if quoted else plain


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _filters(text: str, metric: Metric, where: str) -> dict[FilterKey, str]:
    filters: dict[FilterKey, str] = {}
    parts = _PART.findall(text) if text.strip() else []
    if text.strip() and ",".join(parts) != text:
        raise ConfigurationError(f"{where}: [{text}] has a comma too many")
    for part in parts:
        name, equals, value = part.partition("=")
        key = next((one for one in FILTERS if one == name.strip()), None)
        value = _unquoted(value)
        comma = "; a value with a comma goes in double quotes" if filters else ""
        if not equals or not value:
            raise ConfigurationError(f"{where}: '{part.strip()}' is no key=value{comma}")
        if key is None:
            hint = did_you_mean(name.strip(), FILTERS) or f"; there are {', '.join(FILTERS)}{comma}"
            raise ConfigurationError(f"{where}: unknown key '{name.strip()}'{hint}")
        if key == "kind" and value not in _KINDS:
            hint = did_you_mean(value, _KINDS) or f"; there are {', '.join(_KINDS)}"
            raise ConfigurationError(f"{where}: no kind is '{value}'{hint}")
        if key in filters:
            raise ConfigurationError(f"{where}: '{key}' is given twice; write two gates")
        filters[key] = value
    if "kind" in filters and not metric.of_verdicts:
        raise ConfigurationError(
            f"{where}: {metric.name} is about requests, which have no kind; only "
            f"{', '.join(one.name for one in METRICS.values() if one.of_verdicts)} go by kind"
        )
    return filters


def _bound(text: str, rule: Rule, metric: Metric, where: str) -> Bound:
    match = _BOUND.fullmatch(text)
    if match is None:
        raise ConfigurationError(
            f"{where}: '{text}' is no number; write for example 0.9, 90%, 2pp or 12_000"
        )
    number, unit = Fraction(match["number"].replace("_", "")), match["unit"]
    change = rule in ON_CHANGE
    if metric.unit != "share":
        if unit == "pp" or (unit == "%" and not change):
            raise ConfigurationError(f"{where}: {metric.name} is a count, so a bound is a number")
        return _no_negative(Bound(text, number / 100 if unit else number, unit == "%"), rule, where)
    if unit == "pp" and not change:
        raise ConfigurationError(f"{where}: pp is for changes; write {match['number']}%")
    value = number / 100 if unit else number
    if not change and not 0 <= value <= 1:
        hint = f"; did you mean {match['number']}%?" if 1 < value <= 100 else ""
        raise ConfigurationError(f"{where}: {metric.name} is a share from 0 to 1{hint}")
    if change and unit is None and value >= 1:
        raise ConfigurationError(f"{where}: did you mean {match['number']}pp?")
    return _no_negative(Bound(text, value, change and unit == "%"), rule, where)


def _no_negative(bound: Bound, rule: Rule, where: str) -> Bound:
    if rule in ON_CHANGE and bound.value < 0:
        raise ConfigurationError(f"{where}: the change that is allowed can't be negative")
    return bound


def parse_gates(texts: Mapping[str, Sequence[str]]) -> tuple[Gate, ...]:
    """All gates of a command line or configuration, by rule; every fault in one error.

    Of two gates on the same thing both hold, so the stricter one decides.
    """
    gates: list[Gate] = []
    faults: list[str] = []
    for rule in RULES:
        for text in texts.get(rule, ()):
            try:
                gates.append(parse_gate(rule, text))
            except ConfigurationError as error:
                faults.append(str(error))
    if faults:
        raise ConfigurationError("\n".join(faults))
    return tuple(gates)


def check_filters(gates: Sequence[Gate], evidence: Evidence) -> None:
    """Raise ConfigurationError for scenarios and tags that a run doesn't have, all at once."""
    names: dict[FilterKey, list[str]] = {
        "scenario": [
            name
            for one in evidence.scenarios
            for name in (one.id, variant_name(one.id, one.variant))
        ],
        "tag": sorted({tag for one in evidence.scenarios for tag in one.tags}),
    }
    faults = []
    for gate in gates:
        for key, known in names.items():
            value = gate.filters.get(key)
            if value is not None and value not in known:
                there = listed_words(dict.fromkeys(known), most=10) or "none"
                hint = did_you_mean(value, known) or f"; there are {there}"
                faults.append(f"{gate}: no {key} is '{value}'{hint}")
    if faults:
        raise ConfigurationError("\n".join(faults))
