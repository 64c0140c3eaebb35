"""Files whose names hold a line feed: a message about them stays one line, and can be pasted."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from compaction_eval.commands.invocation import command_line

Call = Callable[..., Result]
MEASURE = ("run", "--strategy", "./mine.py:last_two", "--budget", "60%")


def test_what_was_written_is_told_on_one_line(call: Call) -> None:
    told = call(*MEASURE, "--scenario", "tiny.yaml", "--out", "a\nrun", "-o", "x\ny.md")
    assert told.exit_code == 0, told.output
    assert "Written: a\\nrun/, x\\ny.md\n" in told.stdout
    assert "Written: b\\nc.csv\n" in call("report", "a\nrun", "-o", "b\nc.csv").stdout
    blessed = call("baseline", "a\nrun", "-o", "base\nline.jsonl")
    (line,) = blessed.stdout.splitlines()
    assert line.startswith("Written: base\\nline.jsonl (")
    assert line.endswith("gate $'a\\x0arun' --baseline $'base\\x0aline.jsonl'")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("run", "--scenario", "no\nfile.yaml"), "no\\nfile.yaml: no such file or folder"),
        (("run", "-o", "x\ny.txt"), "x\\ny.txt: no result format has the suffix '.txt'"),
        (("report", "no\nrun"), "no\\nrun: there is no such folder"),
        (("check", "od\nd.yaml"), "od\\nd.yaml:1:"),
        (("report", "od\nd.yaml"), "od\\nd.yaml: is a file; a report is made of run folders"),
        (("compare", "od\nd.yaml", "od\nd.yaml"), "od\\nd.yaml:1:1: is no baseline"),
    ],
)
def test_a_fault_of_such_a_file_takes_one_line(
    call: Call, folder: Path, arguments: tuple[str, ...], fault: str
) -> None:
    (folder / "od\nd.yaml").write_text("id: odd\n")
    told = call(*arguments)
    assert told.exit_code == 2
    lines = told.stderr.splitlines()
    assert lines
    assert all(fault in line for line in lines)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("name", ["a\nb", "it's\t\\x\n", "\u202eodd", "\udcff\n0a"])
def test_the_command_that_is_told_can_be_pasted(name: str) -> None:
    line = command_line("show", [name])
    assert "\n" not in line
    shown = line[line.index(" show ") + 6 :]
    done = subprocess.run(["bash", "-c", f"printf %s {shown}"], capture_output=True, check=True)
    assert done.stdout == name.encode("utf-8", "surrogateescape")
