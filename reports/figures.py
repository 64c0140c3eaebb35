"""How a figure is written for people, one way in every report; not measured is `–`, never 0."""

from __future__ import annotations

from decimal import Decimal

UNMEASURED = "–"


def share(value: float | None) -> str:
    """A share (0 to 1) in per cent with one decimal.

    `100%` and `0%` stand for exactly that: a share that only rounds to them is `99.9%` or `0.1%`.
    """
    if value is None:
        return UNMEASURED
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    percent = round(value * 100, 1)
    if 0 < value < 1:
        percent = min(max(percent, 0.1), 99.9)
    return f"{percent:.1f}%"


def tokens(value: float | None) -> str:
    """A number of tokens (a mean too), rounded to whole ones, with thousands separated."""
    return UNMEASURED if value is None else f"{value:,.0f}"


def count(value: int | None) -> str:
    """A count, with thousands separated."""
    return UNMEASURED if value is None else f"{value:,}"


def usd(value: Decimal | None) -> str:
    """Dollars with three digits that say something, in plain notation: `0.00123`, `1,240`."""
    if value is None:
        return UNMEASURED
    if not value:
        return "0"
    digits = max(2 - value.adjusted(), 0)
    return f"{round(value, digits):,.{digits}f}"


def times(value: Decimal | None) -> str:
    """How many times as much: `1.24×`."""
    return UNMEASURED if value is None else f"{value:,.2f}×"


def ratio(part: float | None, whole: float | None) -> float | None:
    """Part of a whole; null where there is no whole, or no part was measured."""
    return part / whole if whole and part is not None else None


def plural(number: int, noun: str, plural_form: str | None = None) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number:,} {noun if number == 1 else plural_form or noun + 's'}"
