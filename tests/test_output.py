"""Output that can't be written: a command's work is done, its exit code is the one of its work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = (sys.executable, str(ROOT / "run_eval.py"))
RUN = ("run", "--scenario", "milestone-rounds", "--budget", "30%", "--no-controls", "--strategy")
COMMANDS = [
    ("--help",),
    ("run", "--help"),
    ("list", "scenarios"),
    ("show", "milestone-rounds", "--strategy", "count-slice"),
    (*RUN, "count-slice"),
]


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def shell(command: tuple[str, ...], redirection: str, folder: Path) -> tuple[int, str]:
    """Exit code and stderr of a command in a shell with a redirection behind it."""
    script = f'exec "$@" {redirection}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *PROGRAM, *command], cwd=folder, stderr=subprocess.PIPE
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_leaves_early_changes_nothing(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    with subprocess.Popen(
        [*PROGRAM, *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        told = running.stderr.read()
    assert (running.returncode, told) == (0, b"")


def test_a_reader_that_leaves_early_leaves_the_results_whole(tmp_path: Path) -> None:
    for name, redirection in (("all", ">all.txt"), ("one", "| head -1 >one.txt")):
        command = (*RUN, "count-slice", "--out", f"run-{name}", "-o", f"{name}.json")
        script = f'"$@" {redirection}'
        subprocess.run(["sh", "-c", script, "sh", *PROGRAM, *command], cwd=tmp_path, check=True)
    assert (tmp_path / "all.json").read_bytes() == (tmp_path / "one.json").read_bytes()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_stdout_is_no_error(command: tuple[str, ...], tmp_path: Path) -> None:
    assert shell(command, ">&-", tmp_path) == (0, "")


@needs_full
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_under_stdout_is_told_in_a_line_and_ends_with_3(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    code, told = shell(command, ">/dev/full", tmp_path)
    assert (code, told) == (3, "The output can't be written: No space left on device\n")


@needs_full
def test_the_exit_code_of_the_work_wins(tmp_path: Path) -> None:
    assert shell(("list", "nothing"), ">/dev/full", tmp_path)[0] == 2
    assert shell(("list", "nothing"), "2>/dev/full", tmp_path)[0] == 2
    (tmp_path / "mine.py").write_text("def boom(messages, budget): raise RuntimeError\n", "utf-8")
    assert shell((*RUN, "./mine.py:boom"), ">&- 2>&-", tmp_path)[0] == 3
