"""How a model is named: `openai:NAME`, or `openai:NAME(temperature=0.2, max_tokens=400)`.

NAME is what the endpoint calls it and may hold `/` and `:`, such as `openai:qwen2.5:7b`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from compaction_eval.eval.models.settings import SMALLEST_WINDOW
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.specs import Spec, parse_spec
from compaction_eval.strategies.summarizers.model import PREFIXES

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model with the parameters that its user fixed; those go before what a request asks for."""

    text: str
    """As records have it: the spec, spelt in one way."""
    model: str
    """As the endpoint calls it."""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    """Longest answer, in tokens."""
    seed: int | None = None
    reasoning_effort: str | None = None
    context_tokens: int | None = None
    """The model's window; not sent, but material for a summary is handed over in parts by it."""


def parse_model(text: str) -> ModelName:
    """Read a model's name. Raises ConfigurationError."""
    spec = parse_spec(text)
    prefix, colon, model = (part.strip() for part in spec.use.partition(":"))
    if not colon:
        raise ConfigurationError(
            f"model '{spec.use}' says nothing of how it is reached; did you mean"
            f" 'openai:{spec.use}'?"
        )
    if prefix not in PREFIXES:
        close = did_you_mean(f"{prefix}:{model}", [f"{one}:{model}" for one in PREFIXES])
        # A name with a colon of its own, such as qwen2.5:7b, is more likely than a bad prefix.
        hint = close if did_you_mean(prefix, PREFIXES) else ""
        hint = hint or f"; did you mean 'openai:{spec.use}'?"
        raise ConfigurationError(f"model '{spec.use}': unknown prefix '{prefix}'{hint}")
    if not model:
        raise ConfigurationError(f"model '{spec.use}' has no name: write openai:NAME")
    params = dict(spec.params) if spec.name is None else {**dict(spec.params), "name": spec.name}
    values = {}
    for key, value in params.items():
        reader = _READERS.get(key)
        if reader is None:
            hint = did_you_mean(key, _READERS) or f"; there are {', '.join(_READERS)}"
            raise ConfigurationError(f"model '{spec.use}': unknown parameter '{key}'{hint}")
        try:
            values[key] = reader(value)
        except ValueError as error:
            raise ConfigurationError(f"model '{spec.use}': {key}={value}: {error}") from None
    return ModelName(str(Spec(f"{prefix}:{model}", spec.params)), model, **values)


def _number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise ValueError(f"it is a number from {least:g} to {most:g}")
        return number

    return read


def _whole(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) >= least):
            raise ValueError(f"it is a whole number from {least}")
        return int(text)

    return read


def _effort(text: str) -> str:
    if text not in EFFORTS:
        raise ValueError(f"it is one of {', '.join(EFFORTS)}{did_you_mean(text, EFFORTS)}")
    return text


_READERS: Mapping[str, Callable[[str], Any]] = {
    "temperature": _number(0, 2),
    "top_p": _number(0, 1),
    "max_tokens": _whole(1),
    "seed": _whole(0),
    "reasoning_effort": _effort,
    "context_tokens": _whole(SMALLEST_WINDOW),
}
