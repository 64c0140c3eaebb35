"""Budgets: how many tokens a request may take, as a scenario or the command line writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from compaction_eval.strategies.errors import ConfigurationError

_BUDGET = re.compile(r"(?P<whole>[0-9]+(?:_[0-9]+)*)(?:\.(?P<decimals>[0-9]+))?(?P<percent>%?)")


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens that a view may take: a number, or a share of each scenario's full length."""

    label: str
    """`30%` or `2000`: one and the same however the number was written."""
    tokens: int | None = None
    share: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """A budget from `2000`, `2_000` or `30%`; ConfigurationError for anything else."""
        match = _BUDGET.fullmatch(text.strip())
        if match is None:
            raise ConfigurationError(
                f"budget {text!r} is neither a number of tokens nor a percentage; "
                "write for example 2000 or 30%"
            )
        whole = match["whole"].replace("_", "").lstrip("0") or "0"
        decimals = (match["decimals"] or "").rstrip("0")
        digits = f"{whole}.{decimals}" if decimals else whole
        number, label = Fraction(digits), digits + match["percent"]
        if match["percent"]:
            if not 0 < number <= 100:
                raise ConfigurationError(f"budget {text!r} must be above 0% and at most 100%")
            return cls(label, share=number / 100)
        if number.denominator != 1:
            raise ConfigurationError(
                f"budget {text!r} is no whole number of tokens; did you mean {_percent(number)}?"
            )
        if number == 0:
            raise ConfigurationError("a budget of 0 tokens leaves no room for any request")
        return cls(label, tokens=int(number))

    def of(self, conversation_tokens: int) -> int:
        """The budget in tokens for a conversation of that length; shares round down."""
        if self.tokens is not None:
            return self.tokens
        assert self.share is not None
        return int(self.share * conversation_tokens)


def _percent(number: Fraction) -> str:
    """What is meant by a number that isn't whole: `0.3` by a share, `12.5` by a percentage."""
    percent = number * 100 if number < 1 else number
    return f"{float(percent):g}%"
