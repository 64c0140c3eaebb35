"""The pages are true: commands run, links lead somewhere, the table is what a run prints.

`UPDATE_DOCS=1 pytest tests/test_pages.py` writes the table anew.
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
SCENARIO = re.compile(r"```yaml\n((?:#.*\n)*id: (?P<id>[\w-]+)\n.*?)```", re.DOTALL)
CASES = re.compile(r"```jsonl\n(.*?)```", re.DOTALL)
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


def commands() -> list[tuple[Path, str]]:
    """Each page with each command that it gives."""
    return [(page, command) for page in PAGES for command in COMMAND.findall(page.read_text())]


def lay_out(page: Path, folder: Path) -> None:
    """Put into a folder what the page says is there."""
    text = page.read_text("utf-8")
    for match in CODE.finditer(text):
        (folder / match["name"]).write_text(match["code"], "utf-8")
    mine = folder / "scenarios" / "mine"
    mine.mkdir(parents=True)
    for scenario in SCENARIO.finditer(text):
        (mine / f"{scenario['id']}.yaml").write_text(scenario[1], "utf-8")
    for lines in CASES.findall(text):
        (folder / "cases.jsonl").write_text(lines, "utf-8")
    (folder / "examples").symlink_to(ROOT / "examples")
    chats = [{"role": "user", "content": "Is 8443 open?"}, {"role": "assistant", "content": "Yes."}]
    (folder / "chats.json").write_text(json.dumps(chats), "utf-8")


@pytest.mark.parametrize(("page", "command"), commands(), ids=str)
def test_every_command_works(
    page: Path, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command, comments=True) or ["run"]
    if "my-chats" in arguments and arguments[0] == "run":
        CliRunner().invoke(cli, ["import", "openai", "chats.json", "-o", "my-chats"])
    elif arguments[0] == "run" and "--scenario" not in arguments:
        arguments += QUICK
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
