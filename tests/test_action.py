"""The composite action and the example workflow: their steps run in a shell, as a runner has it."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ACTION = ROOT / "action.yml"
WORKFLOW = ROOT / "examples" / "workflow.yml"
INPUT = re.compile(r"\$\{\{ (inputs|github)\.([\w-]+) \}\}")
SCENARIO = """\
id: tiny
title: One fact, then talk
lang: en
turns:
  - user: The staging port is 8443, by the way, and please sort the imports.
    facts: {port: "8443"}
  - assistant: Done, the imports are sorted.
  - user: Now rename the module to ledger.
  - assistant: Renamed.
probes:
  - {id: p, kind: recall, ask: Which port does staging use?, fact: port}
"""
CONFIG = """\
scenario: tiny.yaml
strategy: ./keep.py:compact
budget: 90%
controls: false
gates: {baseline: base.jsonl}
"""
KEEPING = "def compact(messages, budget):\n    return messages[:1] + messages[-2:]\n"
LOSING = "def compact(messages, budget):\n    return messages[-2:]\n"
BROKEN = "def compact(messages, budget):\n    raise RuntimeError('no luck')\n"


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """The variables of a runner; on its PATH are this very program, and a pip that writes down."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = f'exec "{sys.executable}" -m compaction_eval "$@"'
    for name, line in {
        "compaction-eval": program,
        "python": f'exec "{sys.executable}" "$@"',
        "pip": f'printf "%s\\n" "$@" >> "{tmp_path}/pip.txt"',
    }.items():
        file = programs / name
        file.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    work = tmp_path / "work"
    work.mkdir()
    for name, text in (("tiny.yaml", SCENARIO), ("keep.py", KEEPING)):
        (work / name).write_text(text, "utf-8")
    (work / "compaction-eval.yaml").write_text(CONFIG, "utf-8")
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "HOME": str(tmp_path),
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(work),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output.txt"),
    }


Step = Mapping[str, Any]
Done = subprocess.CompletedProcess[str]


def shell(step: Step, variables: dict[str, str], expressions: Mapping[str, str] = {}) -> Done:
    """A step's `run`, with its expressions put in where they may stand: in its `env`."""
    assert "${{" not in step["run"], "an input in a script is code"
    env = {
        name: INPUT.sub(lambda match: expressions[match[2]], text)
        for name, text in step.get("env", {}).items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=variables["GITHUB_WORKSPACE"],
        env=variables | env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def steps(file: Path) -> list[Step]:
    document = yaml.safe_load(file.read_text("utf-8"))
    found = document["runs"] if file == ACTION else document["jobs"]["gate"]
    return [step for step in found["steps"] if "run" in step]


@pytest.fixture
def act(runner: dict[str, str]) -> Callable[..., list[Done]]:
    """Runs the action's steps with some inputs until one fails, and returns what they did."""
    defaults = {
        name: str(given["default"])
        for name, given in yaml.safe_load(ACTION.read_text("utf-8"))["inputs"].items()
    }

    def run(**inputs: str) -> list[Done]:
        expressions = {**defaults, "action_path": "/the/action", **inputs}
        done: list[Done] = []
        for step in steps(ACTION):
            done.append(shell(step, runner, expressions))
            if done[-1].returncode:
                break
        return done

    return run


def bless(runner: dict[str, str]) -> Path:
    """Measure the repository as it is and make that its baseline."""
    line = "compaction-eval run -q --out runs/base && compaction-eval baseline runs/base -o"
    done = shell({"run": f"{line} base.jsonl"}, runner)
    assert done.returncode == 0, done.stderr
    return Path(runner["GITHUB_WORKSPACE"])


def test_the_action_passes_what_forgets_no_more(
    runner: dict[str, str], act: Callable[..., list[Done]]
) -> None:
    bless(runner)
    *_, gate = act(extra="-e . 'a b'")
    assert (gate.returncode, gate.stderr) == (0, "")
    assert gate.stdout.splitlines()[-1].startswith("PASS: ")
    assert "::error" not in gate.stdout
    assert Path(runner["GITHUB_OUTPUT"]).read_text() == "outcome=pass\nrun=runs/gate\n"
    assert "PASS" in Path(runner["GITHUB_STEP_SUMMARY"]).read_text("utf-8")
    installed = (Path(runner["HOME"]) / "pip.txt").read_text().splitlines()
    assert installed == ["install", "/the/action", "install", "-e", ".", "a b"]


def test_the_action_fails_at_the_line_of_what_was_lost(
    runner: dict[str, str], act: Callable[..., list[Done]]
) -> None:
    work = bless(runner)
    (work / "keep.py").write_text(LOSING, "utf-8")
    *_, gate = act(install="", args="--fail-under 'survival[kind=recall]=0.5' -o runs/j.xml")
    assert gate.returncode == 1
    line = next(n for n, text in enumerate(SCENARIO.splitlines(), 1) if "id: p" in text)
    assert f"::error file=tiny.yaml,line={line},title=tiny p@end::" in gate.stdout
    assert "::error title=fail-under survival[kind=recall]=0.5::" in gate.stdout
    summary = Path(runner["GITHUB_STEP_SUMMARY"]).read_text("utf-8")
    assert "## Compaction: FAIL" in summary
    assert f"tiny.yaml:{line}" in summary
    assert "outcome=fail" in Path(runner["GITHUB_OUTPUT"]).read_text()
    assert ET.parse(work / "runs/j.xml").find(".//failure") is not None
    assert not (Path(runner["HOME"]) / "pip.txt").exists()


def test_the_action_tells_an_incomplete_run_and_one_that_cant_be_compared(
    runner: dict[str, str], act: Callable[..., list[Done]]
) -> None:
    work = bless(runner)
    (work / "keep.py").write_text(BROKEN, "utf-8")
    *_, gate = act(run="runs/broken")
    assert gate.returncode == 3
    assert "::error title=Compaction::INCOMPLETE" in gate.stdout
    (work / "keep.py").write_text(KEEPING, "utf-8")
    (work / "tiny.yaml").write_text(SCENARIO.replace("Renamed.", "It is renamed."), "utf-8")
    *_, gate = act(run="runs/other")
    assert gate.returncode == 2
    assert "::error title=Compaction wasn't checked::can't be compared%3A" not in gate.stdout
    assert "::error title=Compaction wasn't checked::can't be compared: " in gate.stdout
    outcomes = Path(runner["GITHUB_OUTPUT"]).read_text().splitlines()[::2]
    assert outcomes == ["outcome=incomplete", "outcome=refused"]


def test_the_action_stops_at_a_configuration_that_cant_be_read(
    runner: dict[str, str], act: Callable[..., list[Done]]
) -> None:
    done = act(config="nowhere.yaml")
    assert (len(done), done[-1].returncode) == (2, 2)
    assert "nowhere.yaml" in done[-1].stderr
    assert Path(runner["GITHUB_OUTPUT"]).read_text() == "outcome=refused\nrun=runs/gate\n"


def test_gates_whose_quotes_are_wrong_refuse_and_are_never_left_out(
    runner: dict[str, str], act: Callable[..., list[Done]]
) -> None:
    bless(runner)
    *_, gate = act(args="--fail-under 'survival=1")
    assert gate.returncode == 2
    assert "PASS" not in gate.stdout
    assert "::error title=Compaction wasn't checked::args: can't be read" in gate.stdout
    assert "outcome=refused" in Path(runner["GITHUB_OUTPUT"]).read_text()


def test_what_is_to_be_installed_and_has_wrong_quotes_stops_at_once(
    runner: dict[str, str], act: Callable[..., list[Done]]
) -> None:
    (done,) = act(extra="-e '.", install="")
    assert done.returncode == 2
    assert "::error title=Compaction wasn't checked::extra: can't be read" in done.stdout
    assert not (Path(runner["HOME"]) / "pip.txt").exists()


def test_the_example_workflow_fails_a_pull_request_that_forgets_more(
    runner: dict[str, str],
) -> None:
    work = bless(runner)
    assert [shell(step, runner).returncode for step in steps(WORKFLOW)] == [0, 0, 0, 0]
    drawn = {path.name for path in (work / "runs/report").iterdir()}
    assert {"page.html", "tradeoff-survival.png", "report.md"} <= drawn
    (work / "keep.py").write_text(LOSING, "utf-8")
    codes = [shell(step, runner).returncode for step in steps(WORKFLOW)[1:]]
    assert codes[0] == 2, "the folder holds another run: on a runner it is always a fresh one"
    for file in (work / "runs/gate").iterdir():
        file.unlink()
    (work / "keep.py").write_text(BROKEN, "utf-8")
    measure, gate, _ = (shell(step, runner) for step in steps(WORKFLOW)[1:])
    assert (measure.returncode, gate.returncode) == (0, 3)
    assert "::error title=Compaction::INCOMPLETE" in gate.stdout
    (work / "keep.py").write_text(LOSING, "utf-8")
    for file in (work / "runs/gate").iterdir():
        file.unlink()
    assert [shell(step, runner).returncode for step in steps(WORKFLOW)[1:]] == [0, 1, 0]
    sarif = json.loads((work / "runs/gate.sarif").read_text("utf-8"))
    (result,) = sarif["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "tiny.yaml"
