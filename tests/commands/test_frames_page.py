"""docs/dataframe.md: its examples run on a run as its command makes it, and say what is true."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from compaction_eval.cli import cli

pytest.importorskip("pandas")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "dataframe.md"
CODE = re.compile(r"```python\n# (?P<name>\w+)\.py\n(?P<code>.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of two conversations in runs/mine."""
    place = tmp_path_factory.mktemp("frames")
    budgets = ("--budget", "30%", "--budget", "50%")
    scenarios = ("--scenario", "milestone-rounds", "--scenario", "bracketed-messages")
    out = ("-q", "--out", str(place / "runs" / "mine"))
    done = CliRunner().invoke(cli, ["run", *budgets, *scenarios, *out])
    assert done.exit_code == 0, done.output
    return place


@pytest.fixture
def ran(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """What each example leaves, by its name."""
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    matplotlib.use("Agg")
    left: dict[str, dict[str, Any]] = {}
    for match in CODE.finditer(PAGE.read_text("utf-8")):
        left[match["name"]] = {}
        exec(compile(match["code"], match["name"], "exec"), left[match["name"]])
    return left


def test_the_examples_give_the_tables_own_figures_and_a_chart(
    ran: dict[str, dict[str, Any]], folder: Path
) -> None:
    summary = ran["survival"]["summary"].pivot(
        index="strategy", columns="budget", values="survival"
    )
    survival = ran["by_kind"]["survival"]
    assert survival.shape == (12, 2)
    assert (survival - summary).abs().max().max() < 1e-12
    by_kind = ran["by_kind"]["by_kind"]
    assert by_kind.loc["none"].eq(1).all()
    done = CliRunner().invoke(
        cli, ["report", "runs/mine", "--by", "kind", "--budget", "30%", "-o", "kinds.csv"]
    )
    assert done.exit_code == 0, done.output
    with (folder / "kinds.csv").open() as lines_of_kinds:
        told = {
            (one["strategy"], one["group"]): float(one["share"])
            for one in csv.DictReader(lines_of_kinds)
            if one["group"] in by_kind.columns and one["share"]
        }
    assert len(told) > 20
    for (strategy, kind), share in told.items():
        assert by_kind.loc[strategy, kind] == pytest.approx(share, abs=1e-6), (strategy, kind)
    assert (folder / "sent.png").read_bytes().startswith(b"\x89PNG")
    lines = {line.get_label() for line in ran["sent"]["axes"].lines}
    assert lines == set(survival.index)
