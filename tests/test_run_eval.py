"""`run_eval.py`, before there is anything but a checkout."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


def without_packages(script: Path) -> subprocess.CompletedProcess[str]:
    """The script as run by a Python that has no packages installed."""
    return subprocess.run(
        [sys.executable, "-I", "-S", script.name, "list", "strategies"],
        cwd=script.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_python_that_lacks_the_packages_says_how_to_get_them_in_a_line(tmp_path: Path) -> None:
    script = tmp_path / "run_eval.py"
    shutil.copy(ROOT / "run_eval.py", script)
    done = without_packages(script)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        f"{sys.executable} has no click, numpy, regex, rich, tiktoken, yaml: `make demo` in "
    )
    assert "`pip install -c constraints.txt -e .`" in line


def test_where_they_are_installed_already_the_command_to_type_is_told(tmp_path: Path) -> None:
    script = tmp_path / "run_eval.py"
    shutil.copy(ROOT / "run_eval.py", script)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").write_text("")
    assert ": `.venv/bin/python run_eval.py` has them" in without_packages(script).stderr


def test_what_is_looked_for_is_what_the_package_depends_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {canonicalize_name(Requirement(one).name) for one in project["dependencies"]}
    looked_for = runpy.run_path(str(ROOT / "run_eval.py"))["NEEDED"]
    packages = packages_distributions()
    assert {canonicalize_name(packages[name][0]) for name in looked_for} == needed
