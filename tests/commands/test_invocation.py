"""What to type to start the program again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from compaction_eval.commands.invocation import program


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a Python in `system` that a shell finds, and a link to it in `.venv`."""
    for place in ("system", ".venv/bin"):
        (tmp_path / place).mkdir(parents=True)
    real = tmp_path / "system" / "python3.11"
    real.touch(0o755)
    (tmp_path / "system" / "python3").symlink_to(real)
    for name in ("python", "python3"):
        (tmp_path / ".venv/bin" / name).symlink_to(tmp_path / "system" / "python3")
    (tmp_path / ".venv/bin/compaction-eval").touch(0o755)
    (tmp_path / "run_eval.py").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "executable", "script", "expected"),
    [
        (".venv/bin:system", ".venv/bin/python", "run_eval.py", "python run_eval.py"),
        ("system", "system/python3", "run_eval.py", "python3 run_eval.py"),
        ("system", ".venv/bin/python", "run_eval.py", ".venv/bin/python run_eval.py"),
        ("system", ".venv/bin/python", "a b/x.py", ".venv/bin/python 'a b/x.py'"),
        ("system", ".venv/bin/python3", "x/__main__.py", ".venv/bin/python3 -m compaction_eval"),
        ("", "system/python3.11", "run_eval.py", "system/python3.11 run_eval.py"),
        (".venv/bin", ".venv/bin/python", ".venv/bin/compaction-eval", "compaction-eval"),
        ("system", ".venv/bin/python", ".venv/bin/compaction-eval", ".venv/bin/compaction-eval"),
        ("system", ".venv/bin/python", "/usr/bin/pytest", "compaction-eval"),
    ],
)  # fmt: skip
def test_the_interpreter_in_use_is_named_where_a_shell_would_find_another(
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    executable: str,
    script: str,
    expected: str,
) -> None:
    folders = [str(machine / folder) for folder in path.split(":") if folder]
    monkeypatch.setenv("PATH", ":".join(folders))
    monkeypatch.setattr(sys, "executable", str(machine / executable))
    installed = script.startswith(".venv")
    monkeypatch.setattr(sys, "argv", [str(machine / script) if installed else script])
    assert program() == expected


def test_from_elsewhere_the_path_is_the_shorter_of_the_two(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(machine / ".venv/bin/python"))
    monkeypatch.setattr(sys, "argv", ["run_eval.py"])
    monkeypatch.chdir(machine / "system")
    assert program() == "../.venv/bin/python run_eval.py"
    deep = machine / "/".join(["deeper"] * 60)
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert program() == f"{machine}/.venv/bin/python run_eval.py"
    monkeypatch.chdir(machine / ".venv/bin")
    assert program() == "./python run_eval.py"
