"""docs/edge-table.md is what `stress` says; `make docs` writes it anew."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from compaction_eval.cli import cli
from compaction_eval.scenarios.library import library_folder, scenario_files

PAGE = Path(__file__).resolve().parents[1] / "docs" / "edge-table.md"
STRATEGIES = ("block-truncation", "window-summary", "token-window")
QUICK = "reported"
"""The part of the suite that is judged again here, by some of the strategies."""


def rows(text: str) -> dict[str, dict[str, str]]:
    """Scenario -> column -> what stands there, of the table of scenarios."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    heading = next(line for line in lines if line[0] == "scenario")
    return {
        line[0]: dict(zip(heading, line, strict=True)) for line in lines[lines.index(heading) + 2 :]
    }


def test_the_table_has_every_scenario_of_the_suite() -> None:
    files = scenario_files(library_folder() / "edge")
    assert sorted(rows(PAGE.read_text("utf-8"))) == sorted(path.stem for path in files)


def test_the_table_says_what_stress_finds(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.md"
    strategies = [text for name in STRATEGIES for text in ("--strategy", name)]
    folder = str(library_folder() / "edge" / QUICK)
    result = CliRunner().invoke(cli, ["stress", folder, "-q", "-o", str(fresh), *strategies])
    assert result.exit_code == 0
    known = rows(PAGE.read_text("utf-8"))
    found = rows(fresh.read_text("utf-8"))
    assert len(found) == 75
    for scenario, row in found.items():
        told = known[scenario]
        for column in ("title", "about", *STRATEGIES):
            assert (scenario, column, told[column]) == (scenario, column, row[column])
