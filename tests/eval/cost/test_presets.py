"""A model has its provider's cache, unless another is named."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from tests.eval.cost.conversation import prices

from compaction_eval.eval.cost.caches import BreakpointCache, Cache, NoCache, PrefixCache
from compaction_eval.eval.cost.presets import billed, cache_of, described, parse_cache
from compaction_eval.strategies.errors import ConfigurationError

OPENAI = replace(prices(), provider="openai", model="gpt-5")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-5", PrefixCache()),
        ("claude-sonnet-4-5", BreakpointCache()),
        ("anthropic/claude-opus-4.5", BreakpointCache(minimum=4_096)),
        ("claude-haiku-4-5", BreakpointCache(minimum=4_096)),
        ("claude-3-5-haiku-latest", BreakpointCache(minimum=2_048)),
    ],
)
def test_claude_has_breakpoints_and_others_match_prefixes(model: str, expected: Cache) -> None:
    assert cache_of(replace(OPENAI, model=model)) == expected


def test_a_model_whose_reads_are_no_cheaper_has_no_cache() -> None:
    assert cache_of(prices(read="2")) == NoCache()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", NoCache()),
        ("openai", PrefixCache()),
        ("anthropic", BreakpointCache()),
        ("anthropic(ttl=3600, minimum=4_096)", BreakpointCache(ttl=3600, minimum=4096)),
        ("openai(step=64)", PrefixCache(step=64)),
        ("openai(ttl=0)", PrefixCache(ttl=0)),
    ],
)
def test_a_preset_is_named_with_numbers_of_one_s_own(text: str, expected: Cache) -> None:
    assert parse_cache(text, OPENAI) == expected


def test_what_is_not_given_is_the_model_s_own() -> None:
    haiku = replace(prices(), provider="anthropic", model="claude-haiku-4-5")
    assert parse_cache("anthropic(ttl=3600)", haiku) == BreakpointCache(minimum=4096, ttl=3600)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("opnai", "--cache: no preset 'opnai'; did you mean 'openai'?"),
        ("redis", "--cache: no preset 'redis'; there are openai, anthropic, none"),
        ("openai(tll=3)", "--cache openai: unknown parameter 'tll'; did you mean 'ttl'?"),
        ("none(ttl=3)", "--cache none: unknown parameter 'ttl'"),
        ("openai(ttl=soon)", "--cache openai: ttl=soon: it is a whole number from 0"),
        ("openai(step=0)", "--cache openai: step=0: it is a whole number from 1"),
        ("openai(name=x)", "--cache openai: unknown parameter 'name'"),
    ],
)
def test_a_wrong_preset_is_told(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        parse_cache(text, OPENAI)
    assert str(raised.value).startswith(told)


def test_writes_cost_more_where_breakpoints_last_longer() -> None:
    (beyond, rates), *_ = OPENAI.tiers
    costs = replace(OPENAI, tiers=((beyond, replace(rates, cache_write_1h=Decimal(4))),))
    assert billed(costs, BreakpointCache(ttl=3600)).base.cache_write == 4
    assert billed(costs, BreakpointCache()) == costs
    assert billed(costs, PrefixCache(ttl=3600)) == costs


def test_a_description_can_be_given_again() -> None:
    long = PrefixCache(ttl=12_345_678)
    for cache in (PrefixCache(step=64), long, BreakpointCache(ttl=3600), NoCache()):
        assert parse_cache(described(cache), OPENAI) == cache
