"""A folder of one's own with a tiny scenario, and a way to call the program in it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from compaction_eval.cli import cli
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord

Call = Callable[..., Result]


def again(result: Result) -> list[str]:
    """The arguments of the `run` that the last line of another one says to type next."""
    words = shlex.split(result.output.splitlines()[-1])
    return words[words.index("run") :]


TINY = """\
id: tiny
title: One fact, then talk
lang: en
tags: [short, ports]
turns:
  - system: You help.
  - user: The staging port is 8443, by the way, and please sort the imports.
    facts: {port: "8443"}
  - assistant: Done, the imports are sorted.
  - user: Now rename the module to ledger.
  - assistant: Renamed.
  - user: And add a short docstring to each public function.
  - assistant: Added.
probes:
  - {id: p, kind: recall, ask: Which port does staging use?, fact: port}
"""
MINE = """\
def last_two(messages, budget):
    return messages[-2:]

def boom(messages, budget):
    raise RuntimeError("no luck")
"""
MEASURE = (
    "run",
    "-q",
    "--scenario",
    "tiny.yaml",
    "--budget",
    "60%",
    "--strategy",
    "./mine.py:last_two",
)
"""A run of the sound strategy and the controls on the one scenario."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: tiny.yaml, and mine.py with a sound strategy and one that raises."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.yaml").write_text(TINY, "utf-8")
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    return tmp_path


@pytest.fixture
def call(folder: Path) -> Call:
    """Calls the program with arguments in that folder."""

    def run(*args: str) -> Result:
        result = CliRunner().invoke(cli, args)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    return run


@pytest.fixture
def cell() -> CellRecord:
    """A cell with one verdict."""
    key = CellKey("tiny", "", "none", "60%", "extractive")
    return CellRecord(key, 49, 82, probes=(ProbeRecord("p", "recall", "end", 7, "correct"),))
