"""A small measured run, drawn by all tests here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reports.charts.answering import ask

from compaction_eval.eval.manifest import run_id
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.marks import marks_of
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.specs import parse_spec

STRATEGIES = ("rolling-summary", "count-slice(keep=6)", "none", "empty", "token-window")


def measure(
    scenarios: tuple[str, ...],
    budgets: tuple[str, ...] = ("20%", "40%"),
    strategies: tuple[str, ...] = STRATEGIES,
) -> Material:
    """What the charts are drawn from, of these parts of the library."""
    matrix = Matrix(
        scenarios=tuple(select(scenarios)),
        strategies=tuple(map(parse_spec, strategies)),
        budgets=tuple(map(Budget.parse, budgets)),
        summarizers=(parse_spec("extractive"),),
        directory=Path.cwd(),
    )
    run = run_matrix(matrix, executor="inline")
    marks = marks_of(one["spec"] for one in run.manifest["strategies"])
    return Material(run_id(run.manifest), run.manifest, summary_rows(run), run.cells, marks)


@pytest.fixture(scope="session")
def answered(material: Material) -> Material:
    """`material`, with a model's answers."""
    return ask(material)


@pytest.fixture(scope="session")
def measured() -> Callable[..., Material]:
    """`measure`."""
    return measure


@pytest.fixture(scope="session")
def material() -> Material:
    """Two scenarios, five strategies, two budgets."""
    return measure(("zh-invoice-export", "checkout-latency"))
