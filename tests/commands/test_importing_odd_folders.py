"""`import` over folders with links, closed doors and what an import wrote: nothing goes unsaid."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from compaction_eval.cli import cli
from compaction_eval.scenarios.importers import sources

TALK = [
    {"role": "user", "content": "Order K7Q2, please."},
    {"role": "assistant", "content": "Which room?"},
]
links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, ["import", *map(str, args)])


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    folder = tmp_path / "talks"
    (folder / "late").mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps(TALK))
    (folder / "late" / "b.json").write_text(json.dumps(TALK))
    return folder


@links
def test_links_that_are_not_followed_are_named(tmp_path: Path, talks: Path) -> None:
    (talks / "around").symlink_to("..")
    (talks / "gone.json").symlink_to("nowhere.json")
    (talks / "a-again.json").symlink_to("a.json")
    os.mkfifo(talks / "pipe.json")
    result = run("auto", talks, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert [line for line in result.stdout.splitlines() if line.startswith("Passed over")] == [
        "Passed over, a link to a folder: 1 file (around)",
        "Passed over, a link to nowhere: 1 file (gone.json)",
        "Passed over, no regular file: 1 file (pipe.json)",
        "Passed over, the same file as another: 1 file (a.json)",
    ]
    assert len(list((tmp_path / "out").glob("*.yaml"))) == 2


@links
def test_a_file_that_is_given_twice_is_imported_once(tmp_path: Path, talks: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(talks / "a.json")
    roundabout = talks / "late" / ".." / "a.json"
    result = run("auto", talks / "a.json", roundabout, link, "-o", tmp_path / "out")
    assert "Passed over, the same file as another: 2 files (a.json, link.json)\n" in result.stdout
    assert "Total: 1 conversation, 2 messages kept" in result.stdout


def test_a_folder_that_may_not_be_read_is_no_empty_one(
    tmp_path: Path, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, look = str(talks / "late"), os.scandir

    def guarded(path: Any) -> Any:
        if path == closed:
            raise PermissionError(13, "Permission denied", closed)
        return look(path)

    monkeypatch.setattr(sources.os, "scandir", guarded)
    refused = run("auto", talks, "-o", tmp_path / "out")
    assert (refused.exit_code, refused.stderr.splitlines()[0]) == (
        2,
        f"{closed}: permission denied",
    )
    assert not (tmp_path / "out").exists()
    kept = run("auto", talks, "-o", tmp_path / "out", "--keep-going")
    assert kept.exit_code == 0
    assert kept.stderr.startswith(f"left out: {closed}: permission denied\n")


def test_what_an_import_wrote_is_not_imported_from_a_folder_again(
    tmp_path: Path, talks: Path
) -> None:
    first = run("auto", talks, "-o", talks)
    again = run("auto", talks, "-o", talks)
    assert (first.exit_code, again.exit_code) == (0, 0), again.output
    assert "Passed over, the transcript of a scenario: 2 files (a.jsonl, b.jsonl)" in again.stdout
    elsewhere = run("auto", talks, "-o", tmp_path / "out")
    assert "Total: 2 conversations, 4 messages kept" in elsewhere.stdout
    named = run("auto", talks / "a.jsonl", "-o", tmp_path / "named")
    assert "Total: 1 conversation, 2 messages kept" in named.stdout
