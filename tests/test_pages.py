"""The README is true: its commands run, its links lead somewhere, its table is what is printed.

`UPDATE_DOCS=1 pytest tests/test_readme.py` writes the table anew.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from compaction_eval.cli import cli

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TABLE = re.compile(r"(<!-- table -->\n```\n).*?(```\n)", re.DOTALL)
COMMAND = re.compile(r"^python run_eval\.py ?(.*)$", re.MULTILINE)
CODE = re.compile(r"```python\n# (?P<name>\w+\.py)\n(?P<code>.*?)```", re.DOTALL)
QUICK = ("--scenario", "milestone-rounds")
"""A part of the library that is enough to see a command work."""


def printed_table(folder: Path) -> str:
    """The table that the default run prints at 30%."""
    runner = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"})
    arguments = ["run", "--budget", "30%", "--out", str(folder / "run")]
    lines = runner.invoke(cli, arguments).output.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("Budget"))
    return "\n".join(line.rstrip() for line in lines[first : lines.index("", first)])


def test_the_table_is_the_one_that_the_default_run_prints(tmp_path: Path) -> None:
    text = README.read_text("utf-8")
    fresh = TABLE.sub(lambda m: f"{m[1]}{printed_table(tmp_path)}\n{m[2]}", text)
    if os.environ.get("UPDATE_DOCS"):
        README.write_text(fresh, "utf-8")
    assert TABLE.search(text) is not None
    assert README.read_text("utf-8") == fresh


@pytest.mark.parametrize("command", COMMAND.findall(README.read_text("utf-8")))
def test_every_command_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chats = [{"role": "user", "content": "Is 8443 open?"}, {"role": "assistant", "content": "Yes."}]
    (tmp_path / "chats.json").write_text(json.dumps(chats), "utf-8")
    for match in CODE.finditer(README.read_text("utf-8")):
        (tmp_path / match["name"]).write_text(match["code"], "utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command) or ["run"]
    if "my-chats" in arguments and arguments[0] == "run":
        CliRunner().invoke(cli, ["import", "openai", "chats.json", "-o", "my-chats"])
    elif arguments[0] == "run":
        arguments += QUICK
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
