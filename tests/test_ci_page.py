"""docs/ci.md is a story that happens: its files are written and its commands run, in its order.

`UPDATE_DOCS=1 pytest tests/test_ci_page.py` writes what the commands print anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from compaction_eval.commands.config_keys import GATE_KEYS
from compaction_eval.eval.metrics import METRICS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ci.md"
FILE = re.compile(
    r"<!-- file(?P<before> before)?: (?P<name>\S+) -->\n```\w+\n(?P<text>.*?)```", re.S
)
CONSOLE = re.compile(r"```console\n(?P<text>.*?)```\n", re.S)
METRIC_TABLE = re.compile(r"<!-- metrics -->\n(?:(?:\|.*)?\n)*")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page with what its commands print now."""
    folder = tmp_path_factory.mktemp("story")
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "compaction-eval"
    program.write_text(
        f"#!{sys.executable}\nfrom compaction_eval.__main__ import main\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    program.chmod(0o755)
    work = folder / "work"
    work.mkdir()
    text = PAGE.read_text("utf-8")
    for match in FILE.finditer(text):
        if match["before"]:
            write(work, match)

    def happened() -> Iterator[str]:
        at = 0
        for match in sorted([*FILE.finditer(text), *CONSOLE.finditer(text)], key=re.Match.start):
            yield text[at : match.start()]
            at = match.end()
            if match.re is FILE:
                write(work, match)
                yield match[0]
            else:
                lines = [line for line in match["text"].splitlines() if line.startswith("$ ")]
                shown = "".join(f"{line}\n{printed(line[2:], work, programs)}" for line in lines)
                yield f"```console\n{shown}```\n"
        yield text[at:]

    return "".join(happened())


def write(work: Path, match: re.Match[str]) -> None:
    file = work / match["name"]
    file.parent.mkdir(exist_ok=True)
    file.write_text(match["text"], "utf-8")


def printed(command: str, work: Path, programs: Path) -> str:
    """What a command prints, and its exit code where that isn't 0."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=work,
        env={
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "NO_COLOR": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    code = f"[exit code {done.returncode}]\n" if done.returncode else ""
    return done.stdout + code


def test_the_story_happens_as_it_is_told(told: str) -> None:
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(told, "utf-8")
    assert PAGE.read_text("utf-8") == told


def test_the_harmless_change_passes_and_the_harmful_one_fails_at_the_right_line(told: str) -> None:
    """Said apart from the page's text, which could be updated into a story without a point."""
    harmless = told.partition("gate runs/tidy\n")[2].partition("```")[0]
    assert harmless.splitlines()[-1] == "PASS: no verdict got worse; 3 gate checks passed"
    assert "[exit code" not in harmless
    harmful = told.partition("gate runs/frugal\n")[2].partition("```")[0]
    scenario = next(m["text"] for m in FILE.finditer(told) if m["name"].startswith("scenarios/"))
    line = next(n for n, one in enumerate(scenario.splitlines(), 1) if "id: hold-number" in one)
    losses = [one for one in harmful.splitlines() if one.startswith("scenarios/")]
    assert len(losses) == 1
    assert losses[0].startswith(f"scenarios/ferry-booking.yaml:{line}  ferry-booking  hold-number@")
    assert "correct -> missing, lost at request before message " in losses[0]
    assert harmful.endswith("[exit code 1]\n")
    blessed = told.rpartition("gate runs/frugal\n")[2].partition("```")[0]
    assert blessed.splitlines()[-1].startswith("PASS: ")
    assert "[exit code 2]" in told.partition("gate runs/reworded\n")[2].partition("```")[0]
    assert "A/A: 0 of 2 reruns alarmed" in told


def test_every_metric_key_and_input_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    table = "<!-- metrics -->\n| metric | in | better | |\n|---|---|---|---|\n"
    for one in METRICS.values():
        table += f"| `{one.name}` | {one.unit} | {one.better} | {one.about} |\n"
    fresh = METRIC_TABLE.sub(lambda _: f"{table}\n", text)
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(fresh, "utf-8")
    assert PAGE.read_text("utf-8") == fresh
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    assert [name for name in (*GATE_KEYS, *inputs) if f"`{name}`" not in text] == []
