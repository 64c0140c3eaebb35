"""The errors of this room, one line each.

ConfigurationError      what the user can mend before anything runs: exit code 2
StrategyError           a strategy from outside failed or broke the rules: the error of one cell
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ConfigurationError(Exception):
    """A wrong specification, parameter, file or option. Its text is one line per fault."""


class StrategyError(Exception):
    """What a strategy from outside did, such as `raised RuntimeError: no luck (mine.py:5)`."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known word, or the empty string."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
