"""The parameters that several strategies share: their choices, and what is refused in them."""

from __future__ import annotations

from typing import Literal

from compaction_eval.strategies.errors import ConfigurationError

System = Literal["keep", "drop"]
"""Whether system messages stay (and count), or are cut like all others."""
History = Literal["replace", "keep"]
"""What the replay hands over next time: the view that came back, or the full history."""
Pairs = Literal["break", "keep"]
"""Whether a naive cut may part a tool call from its answers, or moves on to a block's bound."""
Request = Literal["window", "keep"]
"""Whether the user's active request slides out with the window, or stays in front of the tool
loop that works on it."""
Oversized = Literal["keep", "reduce"]
"""Whether a message too large for the budget stays as it is, or is cut inside."""

RoleChoice = Literal["auto", "user", "assistant", "system"]
"""Under which role a summary stands; `auto` chooses by the messages beside it."""


def at_least(minimum: int, **parameters: int) -> None:
    """Raise ConfigurationError for a parameter below the minimum."""
    for name, value in parameters.items():
        if value < minimum:
            raise ConfigurationError(f"{name} must be {minimum} or more, not {value}")


def tokens_of(amount: int | str, budget: int) -> int:
    """Tokens meant by an amount: a number of tokens, or a share of the budget such as `60%`.

    Shares round down. Raises ConfigurationError for anything else.
    """
    text = str(amount).strip()
    percent = text.endswith("%")
    digits = text.removesuffix("%").strip()
    if not (digits.isascii() and digits.isdigit()):
        raise ConfigurationError(f"'{amount}' is neither a number of tokens nor a share like 60%")
    return budget * int(digits) // 100 if percent else int(digits)
