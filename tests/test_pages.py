"""The pages are true: commands run, links lead somewhere, tables are what the program prints.

`UPDATE_DOCS=1 pytest tests/test_pages.py`, or `make docs`, writes the tables anew.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from compaction_eval.cli import cli
from compaction_eval.reports.library_page import scenario_table, summary_sentence
from compaction_eval.reports.spread import spread_table
from compaction_eval.scenarios.library import ON_DEMAND, library_folder, select
from compaction_eval.scenarios.spread import spread
from compaction_eval.strategies.tokens import TokenCounter

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DIFFICULTY = ROOT / "docs" / "difficulty.md"
TRANSCRIPTS = ROOT / "docs" / "your-own-transcripts.md"
LIBRARY = ROOT / "docs" / "library.md"
COSTS = ROOT / "docs" / "cost.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = r"(<!-- {} -->\n```\n).*?(```\n)"
PART = re.compile(r"<!-- (\w+) -->\n(?:(?!<!--).)*<!-- end -->\n", re.DOTALL)
COMMAND = re.compile(r"^python run_eval\.py ?(.*)$", re.MULTILINE)
CODE = re.compile(r"```python\n# (?P<name>\w+\.py)\n(?P<code>.*?)```", re.DOTALL)
SCENARIO = re.compile(r"```yaml\n((?:#.*\n)*id: (?P<id>[\w-]+)\n.*?)```", re.DOTALL)
CASES = re.compile(r"```jsonl\n(.*?)```", re.DOTALL)
QUICK = ("--scenario", "milestone-rounds")
"""A part of the library that is enough to see a command work."""


@dataclass(frozen=True)
class Printed:
    """The default run, measured once for all pages."""

    folder: Path
    output: str


@pytest.fixture(scope="module")
def default_run(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    folder = tmp_path_factory.mktemp("default") / "run"
    return Printed(folder, printed("run", "--out", str(folder)))


def printed(*arguments: str) -> str:
    """What a command prints at 120 columns."""
    return CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(cli, arguments).output


def agrees(page: Path, name: str, fresh: str) -> bool:
    """Whether the page has that text between its marks; `UPDATE_DOCS` puts it there."""
    text = page.read_text("utf-8")
    marks = re.compile(GENERATED.format(name), re.DOTALL)
    assert marks.search(text) is not None
    updated = marks.sub(lambda m: f"{m[1]}{fresh}\n{m[2]}", text)
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(updated, "utf-8")
    return page.read_text("utf-8") == updated


def test_the_table_is_the_one_that_the_default_run_prints(default_run: Printed) -> None:
    lines = default_run.output.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("Budget 30%"))
    table = "\n".join(line.rstrip() for line in lines[first : lines.index("", first)])
    assert agrees(README, "table", table)


def test_the_difficulty_tables_are_those_that_the_report_prints(default_run: Printed) -> None:
    report = printed("report", str(default_run.folder), "--budget", "30%")
    *lines, next_step = report.splitlines()
    assert f"--run {default_run.folder}" in next_step
    assert agrees(DIFFICULTY, "difficulty", "\n".join(line.rstrip() for line in lines))


def test_what_a_tool_lost_is_what_the_run_on_the_example_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(TRANSCRIPTS, tmp_path)
    monkeypatch.chdir(tmp_path)
    lines = printed("run", "--transcript", "examples/session.jsonl").splitlines()
    first = next(at for at, line in enumerate(lines) if "its own tool compacted" in line)
    assert agrees(TRANSCRIPTS, "own tool", "\n".join(lines[first : lines.index("", first)]))
    text, probe = TRANSCRIPTS.read_text("utf-8"), lines[-1].split()[-1]
    if os.environ.get("UPDATE_DOCS"):
        TRANSCRIPTS.write_text(re.sub(r"(?<=--probe )\S+", probe, text), "utf-8")
    assert f"--strategy recorded --probe {probe}\n" in TRANSCRIPTS.read_text("utf-8")


def test_the_costs_are_those_that_the_page_s_own_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("genai_prices")
    monkeypatch.chdir(tmp_path)
    run, report = map(shlex.split, COMMAND.findall(COSTS.read_text("utf-8"))[:2])
    printed(*run)
    lines = [line.rstrip() for line in printed(*report).splitlines()]
    first = next(at for at, line in enumerate(lines) if " in USD (" in line)
    assert agrees(COSTS, "costs", "\n".join(lines[first:-1]))


def test_each_probe_that_tells_no_strategies_apart_has_a_reason_to_stay(
    default_run: Printed,
) -> None:
    arguments = ["check", "--no-replay", "--strict", "--run", str(default_run.folder)]
    result = CliRunner().invoke(cli, arguments)
    assert "warning" not in result.stderr
    assert result.exit_code == 0


def library_parts() -> dict[str, str]:
    """What the page on the library has between its marks."""
    counter = TokenCounter()
    every = select([str(library_folder())])
    found = spread(every, counter)
    usual = [one for one in every if ON_DEMAND.isdisjoint(one.tags)]
    return {
        "summary": f"{summary_sentence(found)}\n",
        "scenarios": scenario_table(usual, counter),
        "spread": spread_table(found),
    }


def test_the_page_on_the_library_says_what_is_there() -> None:
    text = LIBRARY.read_text("utf-8")
    parts = library_parts()
    assert PART.findall(text) == list(parts)
    fresh = PART.sub(lambda m: f"<!-- {m[1]} -->\n{parts[m[1]]}<!-- end -->\n", text)
    if os.environ.get("UPDATE_DOCS"):
        LIBRARY.write_text(fresh, "utf-8")
    assert LIBRARY.read_text("utf-8") == fresh


def commands() -> list[tuple[Path, str]]:
    """Each page with each command that it gives."""
    return [(page, command) for page in PAGES for command in COMMAND.findall(page.read_text())]


def lay_out(page: Path, folder: Path) -> None:
    """Put into a folder what the page says is there."""
    text = page.read_text("utf-8")
    for match in CODE.finditer(text):
        (folder / match["name"]).write_text(match["code"], "utf-8")
    mine = folder / "my-scenarios"
    mine.mkdir()
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
    elif arguments[0] == "run" and not {"--scenario", "--transcript"} & set(arguments):
        arguments += QUICK
    elif arguments[0] != "run":
        for run in dict.fromkeys(one for one in arguments if one.startswith("runs/")):
            CliRunner().invoke(cli, ["run", "--budget", "30%", "--out", run, *QUICK])
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output


def test_the_readme_works_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(README, tmp_path)
    (tmp_path / "chats.json").unlink()
    monkeypatch.chdir(tmp_path)
    for command in COMMAND.findall(README.read_text("utf-8")):
        arguments = shlex.split(command) or ["run"]
        if arguments[0] == "run" and not {"--scenario", "--transcript"} & set(arguments):
            arguments += QUICK
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, (command, result.output)


@pytest.mark.parametrize(
    "summarizer", ["extractive", "none", "faulty(fault=refusal)", "faulty(fault=raises)"]
)
def test_the_strategy_of_the_page_on_the_edge_suite_is_sound(
    summarizer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(ROOT / "docs" / "edge-suite.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    held = ["validity", "order", "idempotence", "trigger", "budget"]
    if summarizer == "extractive":
        held.append("summary")
    elif summarizer != "none":
        held += ["no-junk", "fallback-told"]
    required = [text for name in held for text in ("--require", name)]
    arguments = ["stress", "my-scenarios/two-lists.yaml", "--strategy", "./mine.py:Notes"]
    result = CliRunner().invoke(cli, [*arguments, "--summarizer", summarizer, *required])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


PICTURE = re.compile(r"(?:srcset|src)=\"([^\"]+)\"|!\[[^\]]*\]\(([^)]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_is_there_and_small(page: Path) -> None:
    named = [one or other for one, other in PICTURE.findall(page.read_text("utf-8"))]
    assert [name for name in named if not (page.parent / name).is_file()] == []
    assert [name for name in named if (page.parent / name).stat().st_size > 200_000] == []
