"""What an endpoint takes for a request, in USD, from the package genai-prices."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from compaction_eval.eval.models.base import UnusableModelError

Price = Callable[[int, int, int], Decimal]
"""From tokens in, those of them that were read from a cache, and tokens out, to USD."""
INSTALL = "pip install 'compaction-eval[prices]'"


def price_of(model: str, base_url: str) -> Price:
    """The price of a model at an endpoint. Raises UnusableModelError where there is none."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError as error:
        raise UnusableModelError(
            f"--max-cost takes prices from the package genai-prices, which isn't installed:"
            f" {INSTALL}"
        ) from error

    def price(tokens_in: int, cached: int, tokens_out: int) -> Decimal:
        usage = Usage(
            input_tokens=tokens_in,
            cache_read_tokens=min(cached, tokens_in),
            output_tokens=tokens_out,
        )
        return calc_price(usage, model, provider_api_url=base_url).total_price

    try:
        price(1, 0, 1)
    except LookupError:
        raise UnusableModelError(
            f"--max-cost: no price is known of '{model}' at {base_url};"
            " use --max-tokens-total instead"
        ) from None
    return price
