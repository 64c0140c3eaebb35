"""The pytest plug-in: `evaluate_compaction` measures a strategy, so that a test can assert on it.

Every session of an environment loads this file, so it imports nothing but pytest, and a session
that doesn't use the fixture has none of its hooks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from compaction_eval.testing.fixture import Evaluate

UPDATE = "COMPACTION_EVAL_UPDATE"


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option, in a group of its own."""
    parser.getgroup("compaction-eval").addoption(
        "--compaction-update",
        action="store_true",
        help=f"write the baselines of assert_no_regression anew ({UPDATE}=1 does the same)",
    )


@pytest.fixture(scope="session")
def evaluate_compaction(request: pytest.FixtureRequest) -> Iterator[Evaluate]:
    """Measures a compaction strategy over conversations: evaluate_compaction(strategy, ...)."""
    from compaction_eval.testing.fixture import Evaluate, Watch

    watch = Watch(request.config)
    request.config.pluginmanager.register(watch)
    update = request.config.getoption("compaction_update") or os.environ.get(UPDATE) not in (
        None,
        "",
        "0",
    )
    yield Evaluate(request.config.rootpath, bool(update), watch.note)
    request.config.pluginmanager.unregister(watch)
