"""`report --out DIR`: charts, their data and the tables in a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]
MEASURE = ("run", "-q", "--scenario", "tiny.yaml", "--strategy", "./mine.py:last_two")


@pytest.fixture
def measured(call: Call) -> str:
    """The folder of a finished run over three budgets."""
    assert call(*MEASURE, "--out", "runs/one").exit_code == 0
    return "runs/one"


def test_a_folder_holds_every_chart_in_both_themes_with_its_data(
    call: Call, measured: str, folder: Path
) -> None:
    pytest.importorskip("matplotlib")
    result = call("report", measured, "--by", "kind", "--out", "charts")
    assert result.exit_code == 0, result.output
    told = next(line for line in result.stdout.splitlines() if line.startswith("Written: charts"))
    names = {path.name for path in (folder / "charts").iterdir()}
    drawn = {name.removesuffix(".csv") for name in names if name.endswith(".csv")} - {"report"}
    assert f"{len(drawn)} charts" in told
    assert "tradeoff-survival" in drawn
    images = {
        f"{name}{dark}.{image}"
        for name in drawn
        for dark in ("", "-dark")
        for image in ("png", "svg")
    }
    tables = {"page.html", "report.md", "report.csv", "files.sha256"}
    assert names == images | {f"{name}.csv" for name in drawn} | tables
    for name in drawn:
        assert f"  {name}: " in result.stdout


def test_of_an_earlier_report_no_file_stays_beside_the_new_one(
    call: Call, measured: str, folder: Path
) -> None:
    pytest.importorskip("matplotlib")
    kept = {"mine.csv": "my own", "notes.txt": "mine too"}
    (folder / "charts").mkdir()
    for name, text in kept.items():
        (folder / "charts" / name).write_text(text, "utf-8")
    call("report", measured, "--by", "kind", "--out", "charts")
    (folder / "charts" / "budget-sweep.csv").write_text("a note of mine", "utf-8")
    call(*MEASURE, "--budget", "60%", "--out", "runs/two")
    again = call("report", "runs/two", "--by", "kind", "--out", "charts")
    assert again.exit_code == 0, again.output
    removed = next(line for line in again.stdout.splitlines() if line.startswith("Removed: "))
    assert "4 files of the report that was there before: budget-sweep-dark.png" in removed
    assert "Left: 1 file of an earlier report, changed since: budget-sweep.csv" in again.stdout
    there = {path.name for path in (folder / "charts").iterdir()}
    assert there >= {*kept, "budget-sweep.csv", "page.html"}
    assert {name for name in there if name.startswith("budget-sweep")} == {"budget-sweep.csv"}
    fresh = call("report", "runs/two", "--by", "kind", "--out", "fresh")
    assert "Removed" not in fresh.stdout
    assert there - {*kept, "budget-sweep.csv"} == {
        path.name for path in (folder / "fresh").iterdir()
    }


def test_a_list_of_files_that_names_others_removes_nothing_outside(
    call: Call, measured: str, folder: Path
) -> None:
    pytest.importorskip("matplotlib")
    digest = hashlib.sha256((folder / "mine.py").read_bytes()).hexdigest()
    (folder / "charts").mkdir()
    (folder / "charts" / "files.sha256").write_text(f"{digest}  ../mine.py\nnonsense\n", "utf-8")
    assert call("report", measured, "--out", "charts").exit_code == 0
    assert (folder / "mine.py").is_file()


def test_without_the_drawing_library_it_says_how_to_get_it_before_anything(
    call: Call, measured: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compaction_eval.commands.charting.find_spec", lambda name: None)
    result = call("report", measured, "--out", "charts")
    assert result.exit_code == 2
    assert "pip install 'compaction-eval[reports]'" in result.stderr
    assert not (folder / "charts").exists()


def test_a_file_in_the_place_of_the_folder_is_refused(
    call: Call, measured: str, folder: Path
) -> None:
    pytest.importorskip("matplotlib")
    (folder / "charts").write_text("mine", "utf-8")
    result = call("report", measured, "--out", "charts")
    assert result.exit_code == 2
    assert "is no folder" in result.stderr
