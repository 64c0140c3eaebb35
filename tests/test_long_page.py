"""docs/long-conversations.md: the scenarios are what it says, and its tables are what they give.

`UPDATE_DOCS=1 pytest tests/test_long_page.py` writes the tables anew. Otherwise the two longest
columns of the first one aren't measured again: they take longer than all other tests of the page.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from statistics import fmean

import pytest
from click.testing import CliRunner

from compaction_eval.cli import cli
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.summary import summary_rows
from compaction_eval.scenarios.library import library_folder, select
from compaction_eval.scenarios.loader import file_tags, load_file
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.tokens import TokenCounter

PAGE = Path(__file__).resolve().parents[1] / "docs" / "long-conversations.md"
LONG, NEEDLE = (sorted((library_folder() / name).glob("*.yaml")) for name in ("long", "needle"))
STRATEGIES = ("token-window", "rolling-summary", "window-summary")
BUDGET = "8000"
LENGTHS = (8_000, 32_000, 128_000, 200_000)
"""Tokens that the variants are meant to have."""
UPDATE = bool(os.environ.get("UPDATE_DOCS"))


@cache
def loaded(file: Path) -> tuple[Scenario, ...]:
    """A file's variants, read once for all tests."""
    return load_file(file)


def matrix(scenarios: Sequence[Scenario], strategies: Sequence[str], budget: str) -> Matrix:
    return Matrix(
        scenarios=tuple(scenarios),
        strategies=tuple(map(parse_spec, strategies)),
        budgets=(Budget.parse(budget),),
        summarizers=(parse_spec("extractive"),),
        directory=Path.cwd(),
    )


def tables(mark: str) -> list[list[str]]:
    """The page's table lines behind a mark, as cells."""
    behind = PAGE.read_text("utf-8").partition(f"<!-- {mark} -->\n\n")[2]
    lines = re.match(r"(?:\|.*\n|\n(?=\|))*", behind)
    assert lines is not None
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[0].split("\n")]


def update(mark: str, text: str) -> None:
    """Put a table behind a mark, if that is wanted."""
    if UPDATE:
        pattern = rf"(<!-- {mark} -->\n)(?:\n\|(?:.*\n(?=\|))*.*\n)*"
        page = PAGE.read_text("utf-8")
        PAGE.write_text(re.sub(pattern, lambda match: f"{match[1]}\n{text}\n", page), "utf-8")


@pytest.mark.parametrize("file", LONG, ids=lambda path: path.stem)
def test_a_long_scenario_has_the_lengths_and_the_probes_that_the_page_promises(file: Path) -> None:
    counter = TokenCounter()
    variants = loaded(file)
    sizes = [counter.messages(scenario.messages) for scenario in variants]
    assert sizes == [pytest.approx(length, rel=0.1) for length in LENGTHS]
    assert sizes[-1] >= LENGTHS[-1]
    for scenario in variants:
        assert {"long"} < set(scenario.tags)
        assert 18 <= len(scenario.probes) <= 20
        assert len({probe.kind for probe in scenario.probes}) >= 7
        places = {place for probe in scenario.probes for _, place in probe.at}
        thirds = {3 * place // (len(scenario.messages) + 1) for place in places}
        assert thirds == {0, 1, 2}, "probes stand all along the way"


def test_the_shortest_and_the_longest_variants_need_a_memory_and_nothing_else() -> None:
    ends = [scenario for file in LONG for scenario in (loaded(file)[0], loaded(file)[-1])]
    run = run_matrix(matrix(ends, ("none", "empty", "evidence-only"), "30%"))
    assert [(row.strategy, row.survival, row.errors) for row in summary_rows(run)] == [
        ("none", 1, 0),
        ("empty", 0, 0),
        ("evidence-only", 1, 0),
    ]
    # As none has a share of 1 on the average, each of its cells has; the same goes for the others.
    assert len(run.cells) == 3 * 2 * len(LONG)


@pytest.mark.parametrize("file", NEEDLE, ids=lambda path: path.stem)
def test_a_needle_moves_through_the_same_exchanges(file: Path) -> None:
    by_length: dict[str, list[tuple[int, Scenario]]] = {}
    for scenario in loaded(file):
        depth, length = (pair.split("=")[1] for pair in scenario.variant.split(","))
        by_length.setdefault(length, []).append((int(depth), scenario))
    assert len(by_length) == 4
    for length, variants in by_length.items():
        assert [depth for depth, _ in variants] == [0, 25, 50, 75, 100]
        assert len({frozenset(map(str, without_ids(s))) for _, s in variants}) == 1
        for depth, scenario in variants:
            (probe,) = scenario.probes
            (said,) = (one.message for one in scenario.statements if one.fact == probe.fact)
            assert said - 3 == 2 * (int(length) * depth // 100)


def without_ids(scenario: Scenario) -> Iterator[object]:
    """The texts of a conversation: its calls are numbered by where they stand."""
    for message in scenario.messages:
        calls = message.get("tool_calls") or ()
        yield message["role"], message["content"], [call["function"] for call in calls]  # type: ignore[attr-defined]  # calls as the loader makes them


def test_the_table_of_distances_is_what_a_run_gives() -> None:
    wanted = LENGTHS if UPDATE else LENGTHS[:2]
    chosen = [loaded(file)[: len(wanted)] for file in LONG]
    run = run_matrix(matrix([s for scenarios in chosen for s in scenarios], STRATEGIES, BUDGET))
    shares: dict[tuple[str, int], list[float]] = {}
    for scenarios, strategy in product(chosen, STRATEGIES):
        for length, scenario in zip(wanted, scenarios, strict=True):
            (cell,) = (
                cell
                for cell in run.cells
                if (cell.key.scenario, cell.key.variant) == (scenario.id, scenario.variant)
                and cell.key.strategy == strategy
            )
            (row,) = summary_rows(run.__class__(run.manifest, (cell,)))
            assert row.survival is not None
            shares.setdefault((strategy, length), []).append(row.survival)
    fresh = [
        [strategy, *(f"{fmean(shares[strategy, length]):.0%}" for length in wanted)]
        for strategy in STRATEGIES
    ]
    head = "| strategy | " + " | ".join(f"{length:,} tokens" for length in LENGTHS) + " |\n"
    lines = "\n".join(f"| {' | '.join(row)} |" for row in fresh)
    update("distance", f"{head}|---|{'---:|' * len(LENGTHS)}\n{lines}")
    assert [row[: 1 + len(wanted)] for row in tables("distance")[2:5]] == fresh


def test_the_grid_is_what_its_script_prints(tmp_path: Path) -> None:
    found = re.search(r"```python\n# grid\.py\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    (tmp_path / "grid.py").write_text(found[1], "utf-8")
    arguments = ["run", "--scenario", "tag:needle", "--budget", BUDGET, "--no-controls", "-q"]
    arguments += [word for name in STRATEGIES for word in ("--strategy", name)]
    arguments += ["--out", str(tmp_path / "run"), "-o", str(tmp_path / "needle.jsonl")]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    printed = subprocess.run(
        [sys.executable, "grid.py", "needle.jsonl", "length", "depth"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    update("grid", printed)
    assert f"<!-- grid -->\n\n{printed}\n" in PAGE.read_text("utf-8")


def test_long_conversations_are_left_out_unless_asked_for() -> None:
    assert {"long", "needle"}.isdisjoint(tag for scenario in select() for tag in scenario.tags)
    assert all("long" in file_tags(file) for file in (*LONG, *NEEDLE))
    assert all("needle" in file_tags(file) for file in NEEDLE)
