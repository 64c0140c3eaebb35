"""`run -o page.html` and `run -o results.xml`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from click.testing import Result

if TYPE_CHECKING:
    import pytest

Call = Callable[..., Result]
MEASURE = ("run", "--scenario", "tiny.yaml", "--strategy", "token-window", "--out", "kept")


def test_the_page_of_a_run_is_the_one_that_report_writes(call: Call, folder: Path) -> None:
    told = call(*MEASURE, "-o", "new/one.html", "-o", "r.xml")
    assert told.exit_code == 0, told.output
    assert "Written: kept/, new/one.html, r.xml\n" in told.stdout
    assert call("report", "kept", "-o", "two.html").exit_code == 0
    assert (folder / "new" / "one.html").read_bytes() == (folder / "two.html").read_bytes()
    assert ET.parse(folder / "r.xml").getroot().tag == "testsuites"


def test_what_the_page_needs_is_looked_for_before_anything_runs(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "compaction_eval.commands.charting.find_spec", lambda name: name != "jinja2" or None
    )
    told = call(*MEASURE, "-o", "page.html", "-o", "x.htm")
    assert told.exit_code == 2
    page, suffix = told.stderr.splitlines()
    assert page.startswith("--output: page.html: charts and the page are made with")
    assert "pip install 'compaction-eval[reports]'" in page
    assert "x.htm: no result format has the suffix '.htm'; did you mean '.html'?" in suffix
    assert not (folder / "kept").exists()
