"""What the fixture gives to tests, and what makes their failures tell which facts were lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from compaction_eval.eval.models.base import ChatModel
from compaction_eval.eval.runner import TIME_LIMIT
from compaction_eval.testing.errors import WorseError, told_at_its_line
from compaction_eval.testing.evaluating import Selector, evaluate
from compaction_eval.testing.evaluation import Evaluation
from compaction_eval.testing.figures import Count, Share
from compaction_eval.testing.words import MOST, evaluation_lines, figure_lines

FEW = 2
"""Losses in a short explanation: pytest cuts it at 640 characters, unless it is asked for more."""


@dataclass(frozen=True, slots=True, repr=False)
class Evaluate:
    """Measures a strategy when called; see `compaction_eval.testing.evaluating.evaluate`."""

    directory: Path
    """What relative paths start at: pytest's root folder."""
    update: bool
    on_read: Callable[[Evaluation], None]

    @told_at_its_line
    def __call__(
        self,
        strategy: object,
        *,
        scenarios: Selector | Sequence[Selector] | None = None,
        budget: str | int | Sequence[str | int] = "30%",
        summarizer: object = "extractive",
        name: str | None = None,
        encoding: str = "o200k_base",
        profile: str = "openai",
        time_limit: float | None = TIME_LIMIT,
        model: ChatModel | str | None = None,
        judge: ChatModel | str | None = None,
    ) -> Evaluation:
        """The evaluation. Raises ConfigurationError, and EvaluationError for failing strategies."""
        __tracebackhide__ = True
        return evaluate(
            strategy,
            scenarios=scenarios,
            budget=budget,
            summarizer=summarizer,
            name=name,
            encoding=encoding,
            profile=profile,
            time_limit=time_limit,
            model=model,
            judge=judge,
            directory=self.directory,
            update=self.update,
            on_read=self.on_read,
        )


class Watch:
    """Knows which evaluations a test has looked at, and adds them to its report when it fails."""

    def __init__(self, config: pytest.Config):
        self._config = config
        self._seen: dict[int, Evaluation] = {}

    def note(self, evaluation: Evaluation) -> None:
        """An evaluation's figures are being looked at."""
        self._seen[id(evaluation)] = evaluation

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """A new test has looked at nothing yet."""
        self._seen.clear()

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> list[str] | None:
        """What a figure in a failing comparison rests on."""
        figures = [side for side in (left, right) if isinstance(side, Share | Count)]
        if not figures:
            return None
        lines = [f"{left!r} {op} {right!r}"]
        for figure in figures:
            lines += figure_lines(figure, MOST if self._whole() else FEW)
        return lines

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A section below a failed assertion: also where it is one that pytest doesn't rewrite."""
        report = yield
        error = call.excinfo.value if call.excinfo is not None else None
        if (
            report.failed
            and isinstance(error, AssertionError)
            and not isinstance(error, WorseError)
        ):
            for evaluation in list(self._seen.values()):
                report.sections.append(("compaction", "\n".join(evaluation_lines(evaluation))))
        return report

    def _whole(self) -> bool:
        """Whether pytest shows explanations whole."""
        on_ci = any(os.environ.get(name) for name in ("CI", "BUILD_NUMBER"))
        return on_ci or int(self._config.getoption("verbose")) >= 2
