"""`show` on a real terminal, in a pipe, and with a pager."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOW = (sys.executable, str(ROOT / "run_eval.py"), "show", "milestone-rounds", "--strategy")
UNSET = ("CI", "NO_COLOR", "FORCE_COLOR", "PAGER", "LESS", "COLUMNS", "LINES", "COLORTERM")
PAGER = """#!/bin/sh
printf '%s' "$LESS" >less.txt
cat >paged.txt
"""
LEAVES_EARLY = """#!/bin/sh
head -c 1 >paged.txt
"""


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What the program sees: its pager is the `less` of the folder."""
    known = {name: value for name, value in os.environ.items() if name not in UNSET}
    return known | {"TERM": "xterm", "PATH": f"{folder}{os.pathsep}{known['PATH']}"} | more


def on_terminal(
    folder: Path, *arguments: str, rows: int = 24, columns: int = 80, pager: str = PAGER, **env: str
) -> tuple[int, str]:
    """Exit code and what the terminal shows."""
    script = folder / "less"
    script.write_text(pager)
    script.chmod(0o755)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    running = subprocess.Popen(
        [*SHOW, "window-summary", *arguments],
        cwd=folder,
        env=environment(folder, **env),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how a terminal on Linux says that nobody writes to it any more
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return running.wait(), shown.decode()


def in_pipe(folder: Path, **env: str) -> str:
    """What a pipe gets."""
    done = subprocess.run(
        [*SHOW, "window-summary"],
        cwd=folder,
        env=environment(folder, **env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


def test_what_is_longer_than_the_screen_is_paged_in_colour(tmp_path: Path) -> None:
    code, shown = on_terminal(tmp_path)
    assert code == 0
    paged = (tmp_path / "paged.txt").read_text("utf-8")
    assert "\x1b[1;31m✗ lost" in paged
    assert "Answers that the views held" in paged
    assert "Answers that the views held" not in shown
    assert (tmp_path / "less.txt").read_text() == "-R"


@pytest.mark.parametrize(("given", "passed"), [("FX", "-RFX"), ("-F -X", "-R -F -X")])
def test_a_readers_own_settings_of_less_are_kept(tmp_path: Path, given: str, passed: str) -> None:
    on_terminal(tmp_path, LESS=given)
    assert (tmp_path / "less.txt").read_text() == passed
    assert "\x1b[" in (tmp_path / "paged.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "more"),
    [((), {"rows": 2000}), (("--no-pager",), {}), ((), {"CI": "true"}), ((), {"TERM": "dumb"})],
)
def test_nothing_is_paged_where_it_fits_or_nobody_wants_it(
    tmp_path: Path, arguments: tuple[str, ...], more: dict[str, str]
) -> None:
    code, shown = on_terminal(tmp_path, *arguments, **more)  # type: ignore[arg-type]  # rows
    assert code == 0
    assert "Answers that the views held" in shown
    assert not (tmp_path / "paged.txt").exists()


def test_without_colours_it_is_paged_all_the_same(tmp_path: Path) -> None:
    on_terminal(tmp_path, NO_COLOR="1")
    paged = (tmp_path / "paged.txt").read_text("utf-8")
    assert "✗ lost" in paged
    assert "\x1b" not in paged


def test_another_pager_is_taken(tmp_path: Path) -> None:
    own = tmp_path / "my pager"
    own.write_text("#!/bin/sh\ncat >own.txt\n")
    own.chmod(0o755)
    on_terminal(tmp_path, PAGER=f"'{own}'")
    assert "✗ lost" in (tmp_path / "own.txt").read_text("utf-8")


@pytest.mark.parametrize(("pager", "code"), [("false", 1), ("sh -c 'exit 3'", 3)])
def test_a_pager_that_fails_is_told_and_hides_nothing(
    tmp_path: Path, pager: str, code: int
) -> None:
    ended, shown = on_terminal(tmp_path, PAGER=pager)
    assert ended == 0
    assert f"The pager {pager} ended with {code}; without it:" in shown
    assert "Answers that the views held" in shown


def test_leaving_the_pager_early_is_no_error(tmp_path: Path) -> None:
    code, shown = on_terminal(tmp_path, pager=LEAVES_EARLY)
    assert code == 0
    assert "Traceback" not in shown


def test_a_pipe_gets_plain_lines_that_are_always_the_same(tmp_path: Path) -> None:
    plain = in_pipe(tmp_path)
    assert "\x1b" not in plain
    assert max(map(len, plain.splitlines())) > 120
    assert in_pipe(tmp_path, PYTHONHASHSEED="7", NO_COLOR="1") == plain


def test_colours_can_be_forced_into_a_pipe(tmp_path: Path) -> None:
    forced = in_pipe(tmp_path, FORCE_COLOR="1")
    assert "\x1b[1;31m✗ lost" in forced
    assert in_pipe(tmp_path, FORCE_COLOR="1", NO_COLOR="1") == in_pipe(tmp_path)
