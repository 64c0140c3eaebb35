"""Student's t distribution with a whole number of degrees of freedom, in closed form.

M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.3 and 26.7.4: the
probability between -t and t is a finite sum of powers of a cosine.
"""

from __future__ import annotations

import math
from functools import cache


def t_tail(t: float, freedom: int) -> float:
    """The probability of a value above `t`, 0 to 1."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for step in range(freedom // 2):
        total += term
        above = 2 * step + 1 + odd
        term *= above / (above + 1) * cosine * cosine
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return (1 - within) / 2


@cache
def t_quantile(tail: float, freedom: int) -> float:
    """The value above which there is a probability of `tail`, of at most a half."""
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > tail:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > tail else (low, middle)
    return (low + high) / 2
