"""Prices are those of the package that keeps them, with their day."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

from compaction_eval.eval.models.base import UnusableModelError
from compaction_eval.eval.models.prices import NoPricesError, model_prices, price_of
from compaction_eval.strategies.errors import ConfigurationError

DAY = date(2026, 11, 1)


@pytest.fixture(autouse=True)
def package() -> None:
    pytest.importorskip("genai_prices")


@pytest.mark.parametrize(
    "name",
    [
        "openai:gpt-5",
        "openai:gpt-5.4",
        "openai:gpt-oss-20b",
        "anthropic:claude-sonnet-4-5",
        "anthropic:claude-haiku-4-5",
        "google:gemini-2.5-pro",
        "deepseek:deepseek-chat",
        "perplexity:sonar",
    ],
)
@pytest.mark.parametrize("tokens_in", [1_000, 200_000, 200_001, 300_000])
def test_a_request_costs_what_the_package_reckons(name: str, tokens_in: int) -> None:
    from genai_prices import Usage, calc_price

    provider, _, model = name.partition(":")
    usage = Usage(
        input_tokens=tokens_in, cache_read_tokens=400, cache_write_tokens=300, output_tokens=50
    )
    noon = datetime.combine(DAY, time(12), UTC)
    expected = calc_price(usage, model, provider_id=provider, genai_request_timestamp=noon)
    rates = model_prices(name, "--price", DAY).rates(tokens_in)
    found = (tokens_in - 700) * rates.input + 400 * rates.cache_read + 300 * rates.cache_write
    assert found + 50 * rates.output + rates.request == expected.total_price


def test_a_long_request_costs_more_where_there_are_tiers() -> None:
    prices = model_prices("anthropic:claude-sonnet-4-5", "--price", DAY)
    million = 1_000_000
    assert prices.rates(200_000).input * million == 3
    assert prices.rates(200_001).input * million == 6
    assert prices.rates(200_001).cache_write * million == Decimal("7.5")


def test_what_is_kept_for_an_hour_costs_more_to_write() -> None:
    prices = model_prices("anthropic:claude-sonnet-4-5", "--price", DAY)
    million = 1_000_000
    assert prices.base.cache_write * million == Decimal("3.75")
    assert prices.kept_for_an_hour().base.cache_write * million == 6
    assert prices.kept_for_an_hour().rates(200_001).cache_write * million == 12
    openai = model_prices("openai:gpt-5", "--price", DAY)
    assert openai.kept_for_an_hour() == openai


def test_a_price_is_that_of_its_day() -> None:
    # o3 became cheaper on 2025-06-10.
    before, after = (
        model_prices("openai:o3", "--price", day).base.input * 1_000_000
        for day in (date(2025, 6, 1), date(2025, 6, 11))
    )
    assert (before, after) == (10, 2)


def test_what_has_no_price_of_its_own_costs_what_input_costs() -> None:
    rates = model_prices("openai:gpt-5", "--price", DAY).base
    assert rates.cache_write == rates.input


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("gpt-5", "openai:gpt-5"),
        ("claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"),
        ("anthropic:claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"),
        (" openai : gpt-5 ", "openai:gpt-5"),
    ],
)
def test_a_model_is_named_with_or_without_its_provider(text: str, name: str) -> None:
    found = model_prices(text, "--price", DAY)
    assert found.name == name
    assert found.source.startswith("genai-prices ")
    assert found.day == DAY


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("gtp-5", "no price is known of 'gtp-5'; did you mean 'gpt-5'?"),
        (
            "antropic:claude-sonnet-4-5",
            "no price is known of 'antropic:claude-sonnet-4-5'; did you mean"
            " 'anthropic:claude-sonnet-4-5'?",
        ),
        ("my own model", "no price is known of 'my own model'; write MODEL or PROVIDER:MODEL"),
        ("google:gemma-3", "'google:gemma-3' has no price for tokens"),
    ],
)
def test_an_unknown_model_is_told_with_the_nearest_name(text: str, hint: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        model_prices(text, "--price", DAY)
    assert str(raised.value).startswith(f"--price: {hint}")


def test_without_the_package_each_option_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    with pytest.raises(NoPricesError, match=r"--price .*pip install 'compaction-eval\[prices\]'"):
        model_prices("gpt-5", "--price", DAY)
    with pytest.raises(UnusableModelError, match=r"--max-cost .*pip install"):
        price_of("gpt-5", "https://api.openai.com/v1")
