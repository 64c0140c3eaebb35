"""The options of a command that asks models: which, how many at once, and how much it may take."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

import click

from compaction_eval.commands.option_groups import together
from compaction_eval.eval.models.settings import CONCURRENCY, MOST_CONCURRENCY


class Dollars(click.ParamType[Decimal]):
    """An amount of USD from a millionth to a million."""

    name = "dollars"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """The amount, as exact as it was written."""
        try:
            amount = Decimal(str(value).strip().removeprefix("$"))
        except InvalidOperation:
            amount = Decimal("nan")
        if not amount.is_finite() or not Decimal("0.000001") <= amount <= 1_000_000:
            self.fail(f"'{value}' is no amount in USD, such as 2.50.", param, ctx)
        return amount


model_options = together(
    click.option(
        "--model",
        metavar="SPEC",
        help="Ask this model each probe: openai:NAME, or 'openai:NAME(temperature=0.2)'. Default:"
        " none is asked.",
    ),
    click.option(
        "--judge",
        metavar="SPEC",
        help="A model, named likewise, that also grades the answers.",
    ),
    click.option(
        "--concurrency",
        metavar="N",
        type=click.IntRange(min=1, max=MOST_CONCURRENCY),
        help=f"Requests to models in flight at a time. Default: {CONCURRENCY}.",
    ),
    click.option(
        "--max-requests",
        metavar="N",
        type=click.IntRange(min=1),
        help="Stop before another request to models than these; the same command goes on.",
    ),
    click.option(
        "--max-tokens-total",
        metavar="N",
        type=click.IntRange(min=1),
        help="Stop once models have taken and given this many tokens.",
    ),
    click.option(
        "--max-cost",
        metavar="USD",
        type=Dollars(),
        help="Stop once models have cost this much, by the price list of genai-prices.",
    ),
    click.option(
        "--record",
        metavar="FILE",
        help="Also write all replies of models to a cassette that can be committed.",
    ),
    click.option(
        "--replay",
        metavar="FILE",
        help="Take all replies of models from a cassette; no network, no key.",
    ),
    click.option(
        "--chaos",
        metavar="SPEC",
        help="Put a misbehaving server before the endpoint, to see what your run makes of it:"
        " '429:0.1,hang:0.05,seed=7'.",
    ),
)
"""Each value is None where it isn't given."""
