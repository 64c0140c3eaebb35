"""What ends a test that measures compaction.

EvaluationError     nothing can be said: a cell without figures, a figure that wasn't measured
WorseError          a gate isn't met, or something got worse: an AssertionError, so a test's failure
"""

from __future__ import annotations


class EvaluationError(Exception):
    """There is no figure to look at; never taken for a zero or for a pass."""


class WorseError(AssertionError):
    """A condition on the figures doesn't hold; the text says what was lost, and where."""
