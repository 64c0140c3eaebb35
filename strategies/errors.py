"""The errors of this room, one line each.

ConfigurationError      what the user can mend before anything runs: exit code 2
StrategyError           a strategy from outside failed or broke the rules: the error of one cell
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_LINE_END = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class ConfigurationError(Exception):
    """A wrong specification, parameter, file or option. Its text is one line per fault."""


class StrategyError(Exception):
    """What a strategy from outside did, such as `raised RuntimeError: no luck (mine.py:5)`."""


def in_one_line(text: str) -> str:
    """The text on one line, without memory addresses, so that it is the same in every run."""
    return _ADDRESS.sub("", " ".join(text.split()))


def unbroken(text: str) -> str:
    """The text with its line ends as escapes: a name in a fault can't begin a line of its own."""
    return _LINE_END.sub(lambda match: repr(match[0])[1:-1], text)


def describe(error: BaseException) -> str:
    """`RuntimeError: no luck`: an exception on one line."""
    try:
        text = in_one_line(str(error))
    except Exception:  # noqa: BLE001  # __str__ of a foreign exception is foreign code, too
        text = ""
    name = type(error).__name__
    return f"{name}: {text[:300]}" if text else name


def reason_of(error: BaseException) -> str:
    """What records say of it: `raised RuntimeError: no luck`, or a StrategyError's own words."""
    if isinstance(error, StrategyError):
        return in_one_line(str(error))
    return f"raised {describe(error)}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known word, or the empty string."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
