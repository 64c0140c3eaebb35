"""What models cost, in USD, from the package genai-prices; nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from importlib.metadata import version
from typing import Any

from compaction_eval.eval.models.base import UnusableModelError
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

Price = Callable[[int, int, int], Decimal]
"""From tokens in, those of them that were read from a cache, and tokens out, to USD."""
PACKAGE = "genai-prices"
INSTALL = "pip install 'compaction-eval[prices]'"
_MILLION = Decimal(1_000_000)
_KEYS = (
    "input_mtok",
    "cache_read_mtok",
    "cache_write_mtok",
    "cache_write_1h_mtok",
    "output_mtok",
)


class NoPricesError(ConfigurationError):
    """The package with the prices isn't installed."""


@dataclass(frozen=True, slots=True)
class Rates:
    """USD for one token each; what has no price of its own costs what input costs."""

    input: Decimal
    cache_read: Decimal
    cache_write: Decimal
    output: Decimal
    request: Decimal = Decimal(0)
    """USD for a request as such."""
    cache_write_1h: Decimal | None = None
    """For a token that is kept for an hour, where that has a price."""


@dataclass(frozen=True, slots=True)
class ModelPrices:
    """The rates of a model on a day."""

    model: str
    """As the package calls it."""
    provider: str
    source: str
    """The package, with its version."""
    day: date
    """The day whose prices they are, at noon UTC."""
    tiers: tuple[tuple[int, Rates], ...]
    """Rates by the input tokens beyond which all tokens of a request cost that; rising from -1."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        return f"{self.provider}:{self.model}"

    @property
    def base(self) -> Rates:
        """The rates of short requests."""
        return self.tiers[0][1]

    @property
    def reads_are_cheaper(self) -> bool:
        """Whether the price list knows of a cache."""
        return self.base.cache_read < self.base.input

    def kept_for_an_hour(self) -> ModelPrices:
        """The same with writes at the price of entries that are kept so long."""
        tiers = [
            (beyond, replace(own, cache_write=own.cache_write_1h or own.cache_write))
            for beyond, own in self.tiers
        ]
        return replace(self, tiers=tuple(tiers))

    def rates(self, tokens_in: int) -> Rates:
        """The rates of a request with that many tokens of input."""
        return next(rates for beyond, rates in reversed(self.tiers) if tokens_in > beyond)


def price_of(model: str, base_url: str) -> Price:
    """The price of a model at an endpoint. Raises UnusableModelError where there is none."""
    try:
        prices = _looked_up(model, "--max-cost", _today(), provider_api_url=base_url)
    except NoPricesError as error:
        raise UnusableModelError(str(error)) from error
    except LookupError:
        raise UnusableModelError(
            f"--max-cost: no price is known of '{model}' at {base_url};"
            " use --max-tokens-total instead"
        ) from None

    def price(tokens_in: int, cached: int, tokens_out: int) -> Decimal:
        rates = prices.rates(tokens_in)
        read = min(cached, tokens_in)
        fresh = (tokens_in - read) * rates.input
        return fresh + read * rates.cache_read + tokens_out * rates.output + rates.request

    return price


def model_prices(text: str, option: str, day: date | None = None) -> ModelPrices:
    """The prices of a model named `MODEL` or `PROVIDER:MODEL`, today's if no day is given.

    Raises ConfigurationError for one that isn't known or has no price, NoPricesError without the
    package.
    """
    day = day or _today()
    for arguments in _readings(text, option):
        try:
            found = _looked_up(option=option, day=day, **arguments)
            break
        except LookupError:
            continue
    else:
        raise ConfigurationError(f"{option}: no price is known of '{text}'{_nearest(text)}")
    if not found.base.input:
        raise ConfigurationError(f"{option}: '{found.name}' has no price for tokens")
    return found


def _looked_up(model: str, option: str, day: date, **where: str) -> ModelPrices:
    """Raises LookupError for an unknown model, and NoPricesError."""
    _check_installed(option)
    from genai_prices import Usage, calc_price

    noon = datetime.combine(day, time(12), UTC)
    found = calc_price(Usage(input_tokens=1), model, genai_request_timestamp=noon, **where)  # type: ignore[call-overload]  # one of two keywords, by the caller
    own = found.model_price
    starts = {tier.start for key in _KEYS for tier in getattr(getattr(own, key), "tiers", ())}
    tiers = tuple((beyond, _rates(own, beyond)) for beyond in sorted({-1, *starts}))
    source = f"{PACKAGE} {version(PACKAGE)}"
    return ModelPrices(found.model.id, found.provider.id, source, day, tiers)


def _rates(prices: Any, beyond: int) -> Rates:
    """The rates of a request with more than so many tokens of input."""

    def rate(key: str) -> Decimal | None:
        price = getattr(prices, key)
        for tier in reversed(getattr(price, "tiers", ())):
            if tier.start <= beyond:
                return Decimal(tier.price)
        base: Decimal | None = getattr(price, "base", price)
        return base

    fresh = rate("input_mtok") or Decimal(0)
    read, written = rate("cache_read_mtok"), rate("cache_write_mtok")
    hour = rate("cache_write_1h_mtok")
    return Rates(
        input=fresh / _MILLION,
        cache_read=(fresh if read is None else read) / _MILLION,
        cache_write=(fresh if written is None else written) / _MILLION,
        output=(rate("output_mtok") or Decimal(0)) / _MILLION,
        request=(rate("requests_kcount") or Decimal(0)) / 1_000,
        cache_write_1h=None if hour is None else hour / _MILLION,
    )


def _readings(text: str, option: str) -> list[dict[str, str]]:
    """What a name may mean: with a colon a provider's model, or one whose own name has a colon."""
    _check_installed(option)
    from genai_prices.data_snapshot import find_provider_by_id, get_snapshot

    provider, colon, model = (part.strip() for part in text.partition(":"))
    whole = {"model": text.strip()}
    if colon and model and find_provider_by_id(get_snapshot().providers, provider):
        return [{"model": model, "provider_id": provider}, whole]
    return [whole]


def _nearest(text: str) -> str:
    from genai_prices.data_snapshot import get_snapshot

    providers = get_snapshot().providers
    names = [f"{one.id}:{model.id}" for one in providers for model in one.models]
    bare = [name.partition(":")[2] for name in names]
    hint = did_you_mean(text, names if ":" in text else bare)
    return hint or "; write MODEL or PROVIDER:MODEL, such as gpt-5 or anthropic:claude-sonnet-4-5"


def _check_installed(option: str) -> None:
    try:
        import genai_prices  # noqa: F401  # only whether it is there
    except ImportError as error:
        raise NoPricesError(
            f"{option} takes prices from the package {PACKAGE}, which isn't installed: {INSTALL}"
        ) from error


def _today() -> date:
    return datetime.now(UTC).date()
