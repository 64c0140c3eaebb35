"""The options of `report` that are about money, and what they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from compaction_eval.commands.config_keys import LONGEST
from compaction_eval.commands.option_groups import together
from compaction_eval.commands.seconds import Seconds
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

if TYPE_CHECKING:
    from compaction_eval.eval.cost.figures import Costs
    from compaction_eval.eval.models.prices import ModelPrices
    from compaction_eval.eval.store import Run

HINT = "Costs in dollars, with a provider's prompt cache: --price MODEL, such as gpt-5"
NO_COSTS = "No costs: no cell that is shown has requests."
money_options = together(
    click.option(
        "--price",
        metavar="MODEL",
        help="Also tell costs, at the prices of this model (gpt-5, anthropic:claude-sonnet-4-5),"
        " by the price list of genai-prices. Default: the model that the run asked, if it has a"
        " price.",
    ),
    click.option(
        "--cache",
        metavar="PRESET",
        help="The prompt cache: openai, anthropic or none, with numbers of your own:"
        " 'anthropic(ttl=3600)'. Default: that of the model's provider.",
    ),
    click.option(
        "--pause",
        metavar="SECONDS",
        type=Seconds(min=0, max=LONGEST),
        help="From one request to the next; caches forget. Default: 10.",
    ),
    click.option(
        "--summary-pause",
        metavar="SECONDS",
        type=Seconds(min=0, max=LONGEST),
        help="What each summary adds to that. Default: 0.",
    ),
)
"""`--price`, `--cache`, `--pause` and `--summary-pause`; None where they aren't given."""


@dataclass(frozen=True, slots=True)
class MoneyWanted:
    """The options, as given; None where they weren't."""

    price: str | None = None
    cache: str | None = None
    pause: float | None = None
    summary_pause: float | None = None


def reckoned(run: Run, wanted: MoneyWanted) -> Costs | None:
    """The run's costs; None where no price is asked for and the run's own model has none.

    Raises ConfigurationError for what isn't known, and for options that nothing is priced with.
    """
    from compaction_eval.eval.cost.figures import NoSizesError, costs_of
    from compaction_eval.eval.cost.ledger import PAUSE, Clock
    from compaction_eval.eval.cost.presets import cache_of, parse_cache

    prices = _asked(run.manifest) if wanted.price is None else _named(wanted.price)
    given = [one for one in ("cache", "pause", "summary_pause") if getattr(wanted, one) is not None]
    if prices is None and given:
        name = given[0].replace("_", "-")
        raise ConfigurationError(f"--{name} is about costs: give --price MODEL too")
    if prices is None:
        return None
    cache = cache_of(prices) if wanted.cache is None else parse_cache(wanted.cache, prices)
    pause = PAUSE if wanted.pause is None else wanted.pause
    try:
        return costs_of(run, prices, cache, Clock(pause, wanted.summary_pause or 0.0))
    except NoSizesError:
        if wanted.price is None and not given:
            return None
        raise


def _named(text: str) -> ModelPrices:
    """`MODEL` or `MODEL(on=2026-11-01)`."""
    from compaction_eval.eval.models.prices import model_prices
    from compaction_eval.strategies.specs import parse_option

    spec = parse_option("--price", text)
    day = None
    for key, value in spec.given:
        if key != "on":
            hint = did_you_mean(key, ["on"]) or "; there is on"
            raise ConfigurationError(f"--price {spec.use}: unknown parameter '{key}'{hint}")
        try:
            day = date.fromisoformat(value)
        except ValueError:
            raise ConfigurationError(
                f"--price {spec.use}: on={value}: write a day as 2026-11-01"
            ) from None
    return model_prices(spec.use, "--price", day)


def _asked(manifest: Mapping[str, Any]) -> ModelPrices | None:
    """The prices of the model that answered the run's questions, if it has any here.

    None where runs that were put together asked several: which one's, only the reader knows.
    """
    from compaction_eval.eval.models.naming import parse_model
    from compaction_eval.eval.models.prices import model_prices

    names = {part.get("model") for part in manifest.get("joined", (manifest,))} - {None}
    if len(names) != 1:
        return None
    try:
        model = parse_model(str(names.pop())).model
        # A model's own name has no spaces; under faults it has, and is no model to be billed.
        return None if " " in model else model_prices(model, "--price")
    except ConfigurationError:
        return None
