"""What ends a test that measures compaction.

EvaluationError     nothing can be said: a cell without figures, a figure that wasn't measured
WorseError          a gate isn't met, or something got worse: an AssertionError, so a test's failure
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from compaction_eval.strategies.errors import ConfigurationError

P = ParamSpec("P")
R = TypeVar("R")


class EvaluationError(Exception):
    """There is no figure to look at; never taken for a zero or for a pass."""


class WorseError(AssertionError):
    """A condition on the figures doesn't hold; the text says what was lost, and where."""


def told_at_its_line(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose ConfigurationError pytest shows where the test called it, and no deeper.

    Whoever mistyped a metric has no use for the frames of the parser that found it.
    """

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except ConfigurationError as error:
            fault = str(error)
        raise ConfigurationError(fault)

    return called
