"""Figures that know what they were measured on, so that a failing assertion can tell it.

They are numbers like any other, in comparisons, arithmetic and formats; what is computed from them
is a plain number. Copied or pickled they are plain numbers, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compaction_eval.testing.evaluation import Evaluation


class Share(float):
    """A share from 0 to 1, or a mean."""

    metric: str
    evaluation: Evaluation

    def __reduce__(self) -> Any:
        return float, (float(self),)

    def __deepcopy__(self, memo: object) -> float:
        return float(self)


class Count(int):
    """A number of requests, cells or tokens."""

    metric: str
    evaluation: Evaluation

    def __reduce__(self) -> Any:
        return int, (int(self),)

    def __deepcopy__(self, memo: object) -> int:
        return int(self)


Figure = Share | Count


class ShareOf:
    """An attribute of an evaluation: the column of that name in its one row, unrounded."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, evaluation: Evaluation, owner: type) -> Share:
        __tracebackhide__ = True
        found = Share(evaluation.measured(self._name))
        found.metric, found.evaluation = self._name, evaluation
        return found


class CountOf:
    """An attribute of an evaluation: the count of that name in its one row."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, evaluation: Evaluation, owner: type) -> Count:
        __tracebackhide__ = True
        found = Count(evaluation.measured(self._name))
        found.metric, found.evaluation = self._name, evaluation
        return found
