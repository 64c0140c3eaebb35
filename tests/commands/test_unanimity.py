"""`check --run`: probes that tell no strategies apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.commands.conftest import MEASURE

Call = Callable[..., Result]


@pytest.fixture
def measured(call: Call) -> str:
    """A run in which neither strategy keeps the one fact."""
    done = call(*MEASURE, "--out", "one")
    assert done.exit_code == 0
    return "one"


def keep(folder: Path, reason: str) -> None:
    text = (folder / "tiny.yaml").read_text("utf-8")
    (folder / "tiny.yaml").write_text(text.replace("fact: port}", f"fact: port, kept: {reason}}}"))


def test_a_probe_without_a_reason_is_a_warning_and_no_fault(call: Call, measured: str) -> None:
    result = call("check", "--no-replay", "--run", measured, "tiny.yaml")
    assert result.exit_code == 0
    assert result.stderr == (
        "warning: tiny.yaml:15:5: tiny, probe 'p' (recall): no strategy passes it at any budget"
        " (2 views)\n"
    )
    assert result.stdout.splitlines()[1:] == [
        "No strategies told apart by 1 of 1 written probe; with a reason to stay: 0.",
        "Ask at another place, or say in `kept` why such a probe stays.",
    ]


def test_a_reason_is_told_and_no_warning(call: Call, measured: str, folder: Path) -> None:
    keep(folder, "the floor of the scale")
    result = call("check", "--no-replay", "--run", measured, "tiny.yaml")
    assert result.exit_code == 0
    assert "kept: the floor of the scale" in result.stdout
    assert "warning" not in result.stderr
    # A reason makes no other figures, but nothing else tells that apart from a change that does.
    assert result.stderr == "tiny: changed since one was measured\n"


def test_quiet_says_warnings_only(call: Call, measured: str) -> None:
    result = call("check", "-q", "--run", measured, "tiny.yaml")
    assert result.stdout == ""
    assert result.stderr.startswith("warning: ")


def test_a_scenario_that_the_run_does_not_have_is_told_and_not_counted(
    call: Call, measured: str, folder: Path
) -> None:
    text = (folder / "tiny.yaml").read_text("utf-8")
    (folder / "other.yaml").write_text(text.replace("id: tiny", "id: other"))
    result = call("check", "--no-replay", "--run", measured, "other.yaml", "tiny.yaml")
    assert result.exit_code == 0
    assert "one has no figures for other\n" in result.stderr
    assert "by 1 of 1 written probe;" in result.stdout


def test_a_run_with_no_scenario_in_common_is_wrong_input(
    call: Call, measured: str, folder: Path
) -> None:
    text = (folder / "tiny.yaml").read_text("utf-8")
    (folder / "other.yaml").write_text(text.replace("id: tiny", "id: other"))
    result = call("check", "--no-replay", "-q", "--run", measured, "other.yaml")
    assert result.exit_code == 2
    assert result.stderr == (
        "one has no figures for any of these scenarios; name the files of those that it measured:"
        " tiny\n"
    )


def test_with_one_strategy_nothing_can_be_told_apart(call: Call) -> None:
    call(
        "run",
        "-q",
        "--scenario",
        "tiny.yaml",
        "--budget",
        "60%",
        "--strategy",
        "token-window",
        "--out",
        "alone",
    )
    result = call("check", "--no-replay", "--run", "alone", "tiny.yaml")
    assert result.exit_code == 0
    assert "alone: with one strategy, no probe can tell any apart." in result.stderr


def test_a_folder_without_a_run_is_wrong_input(call: Call) -> None:
    result = call("check", "--no-replay", "--run", "absent", "tiny.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith("absent: there is no such folder")
