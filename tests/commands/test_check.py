"""`check`, and `schema`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]


def test_a_sound_scenario_is_counted(call: Call) -> None:
    result = call("check", "tiny.yaml")
    assert (result.exit_code, result.stdout) == (
        0,
        "No faults: 1 scenario, 1 variant, 7 messages, 1 probe\n",
    )


def test_quiet_says_nothing_of_what_is_sound(call: Call) -> None:
    assert call("check", "-q", "tiny.yaml").output == ""


def test_faults_of_all_files_are_told_one_a_line(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    (folder / "typo.yaml").write_text(
        text.replace("id: tiny", "id: typo").replace("fact:", "fcat:")
    )
    (folder / "compaction-eval.yaml").write_text("budgett: 30%\n")
    result = call("check", "typo.yaml", "compaction-eval.yaml")
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert any(
        line.startswith("typo.yaml:15:") and "did you mean 'fact'?" in line for line in lines
    )
    assert any("did you mean 'budget'?" in line for line in lines)


def test_without_a_path_it_is_the_configuration_and_what_it_names(call: Call, folder: Path) -> None:
    (folder / "compaction-eval.yaml").write_text("scenario: tiny.yaml\nstrategy: ./mine.py:boom\n")
    result = call("check")
    assert result.stdout.startswith("No faults: 1 configuration file, 1 scenario,")
    (folder / "compaction-eval.yaml").write_text("scenario: tiny.yaml\nstrategy: ./mine.py:bom\n")
    result = call("check")
    assert result.exit_code == 2
    assert result.stderr.startswith("compaction-eval.yaml:2:11: ")
    assert "did you mean 'boom'?" in result.stderr


@pytest.mark.parametrize("first", ["scenaro: tiny.yaml", "scenario: tiny.yaml"])
def test_a_configuration_of_another_name_is_known_by_its_keys(
    call: Call, folder: Path, first: str
) -> None:
    """One misspelt key doesn't make it a scenario."""
    (folder / "settings.yaml").write_text(f"{first}\nbudgt: 30%\nstrategy: none\n")
    result = call("check", "settings.yaml")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert all(line.startswith("settings.yaml:") for line in lines)
    assert lines[-1].endswith("unknown key 'budgt'; did you mean 'budget'?")
    assert len(lines) == 1 + first.startswith("scenaro")


def test_a_scenario_with_misspelt_keys_stays_one(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    (folder / "typo.yaml").write_text(text.replace("id:", "di:", 1).replace("tags:", "budget:"))
    result = call("check", "typo.yaml")
    assert result.exit_code == 2
    assert "unknown key 'di' in a scenario" in result.stderr


def test_an_empty_path_is_no_folder(call: Call) -> None:
    result = call("check", "")
    assert (result.exit_code, result.stderr) == (2, "a scenario's path, id or TAG:x is empty\n")


def test_a_missing_path_is_a_fault(call: Call) -> None:
    result = call("check", "absent.yaml")
    assert result.exit_code == 2
    assert "absent.yaml: no such file" in result.stderr


@pytest.mark.parametrize("kind", ["scenario", "config"])
def test_a_schema_is_json(call: Call, kind: str) -> None:
    result = call("schema", kind)
    assert result.exit_code == 0
    assert "properties" in json.loads(result.stdout)
