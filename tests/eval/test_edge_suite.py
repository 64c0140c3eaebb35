"""The edge suite as it is judged: what a conversation is about applies in it."""

from pathlib import Path

import pytest

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.runner import run_matrix
from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.strategies.specs import parse_spec

FILES = scenario_files(library_folder().resolve() / "edge")


# One that summarises seldom, and one that does so all the time.
STRATEGIES = ("window-summary", "token-summary")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_property_that_a_conversation_is_about_is_judged_in_it(path: Path) -> None:
    for scenario in load_file(path):
        stress = scenario.stress
        assert stress is not None
        left = set(stress.holds)
        for strategy in STRATEGIES:
            if left:
                budget, summarizer = Budget.parse(stress.budget), parse_spec(stress.summarizer)
                matrix = Matrix((scenario,), (parse_spec(strategy),), (budget,), (summarizer,))
                cell = run_matrix(matrix, jobs=1, executor="inline").cells[0]
                assert cell.error is None
                left -= set(cell.properties)
        assert left == set()
