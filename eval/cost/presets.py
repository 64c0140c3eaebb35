"""Which cache a model has: by its provider, or as named on the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from compaction_eval.eval.cost.caches import BreakpointCache, Cache, NoCache, PrefixCache
from compaction_eval.eval.models.prices import ModelPrices
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.specs import parse_option

Preset = PrefixCache | BreakpointCache | NoCache
PRESETS: Mapping[str, Preset] = {
    one.name: one for one in (PrefixCache(), BreakpointCache(), NoCache())
}
MINIMA = (
    (re.compile(r"opus-4[-.][56]|haiku-4[-.]5"), 4_096),
    (re.compile(r"opus-4[-.]7|3-5-haiku|3-haiku|haiku-3"), 2_048),
)
"""Claude models that want longer prefixes than the others (Anthropic's page on prompt caching)."""


def cache_of(prices: ModelPrices) -> Preset:
    """The cache that a model's provider runs.

    Claude has breakpoints wherever it is hosted. Any other model whose price list knows of cheaper
    reads is taken to match prefixes by itself, as OpenAI's do; one without has none.
    """
    if "claude" in prices.model:
        minimum = next((least for name, least in MINIMA if name.search(prices.model)), None)
        return BreakpointCache() if minimum is None else BreakpointCache(minimum=minimum)
    return PrefixCache() if prices.reads_are_cheaper else NoCache()


def parse_cache(text: str, prices: ModelPrices) -> Preset:
    """A preset by its name, with numbers of one's own: `anthropic(ttl=3600)`.

    What isn't given is the model's own where that is its preset. Raises ConfigurationError.
    """
    spec = parse_option("--cache", text)
    preset = PRESETS.get(spec.use)
    if preset is None:
        hint = did_you_mean(spec.use, PRESETS) or f"; there are {', '.join(PRESETS)}"
        raise ConfigurationError(f"--cache: no preset '{spec.use}'{hint}")
    own = cache_of(prices)
    preset = own if own.name == preset.name else preset
    names = [field.name for field in fields(preset) if field.name != "name"]
    values: dict[str, Any] = {}
    for key, value in spec.given:
        if key not in names:
            hint = did_you_mean(key, names) or (f"; there are {', '.join(names)}" if names else "")
            raise ConfigurationError(f"--cache {spec.use}: unknown parameter '{key}'{hint}")
        values[key] = _number(f"--cache {spec.use}: {key}={value}", key, value)
    return replace(preset, **values)


def billed(prices: ModelPrices, cache: Cache) -> ModelPrices:
    """The prices that hold with a cache: breakpoints that last longer cost more to write."""
    if isinstance(cache, BreakpointCache) and cache.ttl > BreakpointCache().ttl:
        return prices.kept_for_an_hour()
    return prices


def described(cache: Preset) -> str:
    """The preset with its numbers, as `--cache` takes it."""
    numbers = [
        f"{field.name}={getattr(cache, field.name):.0f}"
        for field in fields(cache)
        if field.name != "name"
    ]
    return f"{cache.name}({', '.join(numbers)})" if numbers else cache.name


def _number(where: str, key: str, text: str) -> float:
    """Seconds, or a whole number from 1 for whatever else there is."""
    least = 0 if key == "ttl" else 1
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit() and least <= int(digits) < 10**9):
        raise ConfigurationError(f"{where}: it is a whole number from {least}")
    return int(digits)
