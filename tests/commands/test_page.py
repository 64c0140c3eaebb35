"""`report -o page.html`: the page as a user asks for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]
FullDisk = Callable[[int], AbstractContextManager[None]]
MEASURE = ("run", "-q", "--scenario", "tiny.yaml", "--strategy", "./mine.py:last_two")


@pytest.fixture
def measured(call: Call) -> str:
    """The folder of a finished run over three budgets."""
    assert call(*MEASURE, "--out", "runs/one").exit_code == 0
    return "runs/one"


def test_a_page_is_written_beside_other_files(call: Call, measured: str, folder: Path) -> None:
    result = call("report", measured, "--by", "kind", "-o", "new/p.html", "-o", "d.md")
    assert result.exit_code == 0, result.output
    assert "Written: new/p.html, d.md\n" in result.stdout
    text = (folder / "new" / "p.html").read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "./mine.py:last_two" in text
    # The bounds of the scale are on the page, though not in the printed tables.
    assert re.search(r'<span class="name"[^>]*>empty</span>', text)


def test_only_what_is_asked_for_is_in_the_table_of_the_page(
    call: Call, measured: str, folder: Path
) -> None:
    call("report", measured, "--by", "kind", "--budget", "30%", "-o", "p.html")
    text = (folder / "p.html").read_text("utf-8")
    assert 'data-budget="30%"' in text
    assert 'data-budget="15%"' not in text


def test_what_does_not_fit_is_told_in_the_terminal_too(
    call: Call, measured: str, folder: Path
) -> None:
    result = call("report", measured, "-o", "p.html", "--max-size", "0.01")
    assert result.exit_code == 0
    told = " within 0.01 MB (--max-size)."
    assert told in result.stdout
    assert told in (folder / "p.html").read_text("utf-8")
    assert "even so: nothing else can go." in result.stdout


def test_a_scenario_that_has_changed_is_told(call: Call, measured: str, folder: Path) -> None:
    file = folder / "tiny.yaml"
    file.write_text(file.read_text("utf-8").replace("Renamed", "Done"), "utf-8")
    result = call("report", measured, "-o", "p.html")
    assert result.exit_code == 0
    assert "are shown: tiny: its file has changed since the run" in result.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--max-size", "3"), "--max-size is about the page: give -o page.html, or --out DIR"),
        (("-o", "p.html", "--max-size", "0"), "0.0 is not in the range x>0"),
        (("-o", "p.htm"), "no result format has the suffix '.htm'"),
    ],
)
def test_a_mistake_takes_a_line_and_writes_nothing(
    call: Call, measured: str, folder: Path, options: tuple[str, ...], reason: str
) -> None:
    result = call("report", measured, *options)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert not list(folder.glob("p.htm*"))


def test_without_what_makes_pages_it_says_how_to_get_it(
    call: Call, measured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "compaction_eval.commands.charting.find_spec", lambda name: name != "jinja2" or None
    )
    result = call("report", measured, "-o", "p.html")
    assert result.exit_code == 2
    assert "-o p.html: charts and the page are made with matplotlib and jinja2" in result.stderr
    assert "not installed: jinja2; pip install 'compaction-eval[reports]'" in result.stderr


def test_a_full_disk_keeps_the_old_page_and_is_told(
    call: Call, measured: str, folder: Path, files_of_at_most: FullDisk
) -> None:
    (folder / "p.html").write_text("old", "utf-8")
    with files_of_at_most(1000):
        result = call("report", measured, "--by", "kind", "-o", "p.html")
    assert result.exit_code == 3
    assert "p.html: can't be written: " in result.stderr
    assert (folder / "p.html").read_text("utf-8") == "old"
