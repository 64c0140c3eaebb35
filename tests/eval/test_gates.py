"""Gates as they are written: what each text means, and what is told of one that can't be meant."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest

from compaction_eval.eval.gates import Rule, parse_gate, parse_gates
from compaction_eval.strategies.errors import ConfigurationError


@pytest.mark.parametrize(
    ("rule", "text", "value", "relative", "filters"),
    [
        ("fail-under", "survival=0.95", "0.95", False, {}),
        ("fail-under", "survival = 95%", "0.95", False, {}),
        ("fail-under", "survival=94.90%", "0.949", False, {}),
        ("fail-over", "stale=.05", "0.05", False, {}),
        ("fail-on-drop", "survival=2pp", "0.02", False, {}),
        ("fail-on-drop", "survival=5%", "0.05", True, {}),
        ("fail-on-rise", "sent_tokens=5%", "0.05", True, {}),
        ("fail-on-rise", "sent-tokens=12_000", "12000", False, {}),
        ("fail-over", "invalid_requests=0", "0", False, {}),
        ("fail-under", "saved_net=-100", "-100", False, {}),
        ("fail-under", "survival[kind=constraint]=1", "1", False, {"kind": "constraint"}),
        (
            "fail-under",
            "survival[strategy=count-slice(keep=10,pairs=keep), budget=30%]=0.5",
            "0.5",
            False,
            {"strategy": "count-slice(keep=10,pairs=keep)", "budget": "30%"},
        ),
        (
            "fail-under",
            "survival[scenario=port[noise=20]]=0.5",
            "0.5",
            False,
            {"scenario": "port[noise=20]"},
        ),
        (
            "fail-under",
            'survival[kind=update,strategy="v2, [new) = 王",budget=30%]=0.5',
            "0.5",
            False,
            {"kind": "update", "strategy": "v2, [new) = 王", "budget": "30%"},
        ),
        (
            "fail-under",
            "survival[strategy=./a.py:f(inner=g(x=1,y=2),keep=3),kind=update]=0.5",
            "0.5",
            False,
            {"strategy": "./a.py:f(inner=g(x=1,y=2),keep=3)", "kind": "update"},
        ),
        ("fail-under", 'survival[strategy="mine"]=1', "1", False, {"strategy": "mine"}),
        ("fail-under", 'survival[strategy=5" disc]=1', "1", False, {"strategy": '5" disc'}),
    ],
)
def test_a_gate_is_a_metric_what_it_is_taken_over_and_a_bound(
    rule: str, text: str, value: str, relative: bool, filters: dict[str, str]
) -> None:
    gate = parse_gate(cast("Rule", rule), text)
    assert (gate.bound.value, gate.bound.relative) == (Fraction(value), relative)
    assert gate.filters == filters
    again = str(gate).removeprefix(f"{rule} ")
    assert parse_gate(gate.rule, again) == gate


@pytest.mark.parametrize(
    ("rule", "text", "reason"),
    [
        ("fail-under", "survivl=0.9", "unknown metric 'survivl'; did you mean 'survival'?"),
        ("fail-under", "zzz=0.9", "; there are survival, stale"),
        ("fail-under", "survival", "a gate is METRIC=VALUE"),
        ("fail-under", "survival=", "a gate is METRIC=VALUE"),
        ("fail-under", "survival=high", "'high' is no number"),
        ("fail-under", "survival=0.9.5", "'0.9.5' is no number"),
        ("fail-under", "survival=nan", "'nan' is no number"),
        ("fail-under", "survival=95", "did you mean 95%?"),
        ("fail-under", "survival=2pp", "pp is for changes; write 2%"),
        ("fail-on-drop", "survival=2", "did you mean 2pp?"),
        ("fail-on-drop", "survival=-2pp", "can't be negative"),
        ("fail-over", "sent_tokens=5%", "is a count"),
        ("fail-on-rise", "sent_tokens=5pp", "is a count"),
        ("fail-under", "survival[kid=update]=0.9", "unknown key 'kid'; did you mean 'kind'?"),
        ("fail-under", "survival[kind=recall,kind=update]=0.9", "'kind' is given twice"),
        ("fail-under", "survival[kind=recal]=0.9", "no kind is 'recal'; did you mean 'recall'?"),
        ("fail-under", "survival[kind=zzz]=0.9", "no kind is 'zzz'; there are recall, update"),
        ("fail-under", "survival[strategy=a,b]=1", "a value with a comma goes in double quotes"),
        ("fail-under", "survival[strategy=a, [b] = c]=1", "goes in double quotes"),
        ("fail-under", "survival[,]=1", "[,] has a comma too many"),
        ("fail-under", "survival[kind=update,]=1", "[kind=update,] has a comma too many"),
        ("fail-under", "survival=1.5", "is a share from 0 to 1; did you mean 1.5%?"),
        ("fail-under", "survival=-1", "is a share from 0 to 1$"),
        ("fail-under", "survival=950", "is a share from 0 to 1$"),
        ("fail-under", "survival[kind]=0.9", "'kind' is no key=value"),
        ("fail-over", "fallbacks[kind=update]=0", "which have no kind"),
    ],
)
def test_what_cant_be_meant_is_told_in_the_words_of_the_option(
    rule: str, text: str, reason: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_gate(cast("Rule", rule), text)
    assert str(refused.value).startswith(f"--{rule} '{text}': ")
    assert reason.removesuffix("$") in str(refused.value)
    assert not reason.endswith("$") or str(refused.value).endswith(reason[:-1])


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_gates({"fail-under": ["survival=x", "y=1"], "fail-on-rise": ["stale=2"]})
    assert len(str(refused.value).splitlines()) == 3


def test_of_two_gates_on_one_metric_both_stand() -> None:
    gates = parse_gates({"fail-under": ["survival=0.9", "survival=0.5"]})
    assert [str(gate) for gate in gates] == ["fail-under survival=0.9", "fail-under survival=0.5"]
