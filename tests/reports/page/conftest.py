"""Pages of hand-made runs, and a browser to look at them with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from tests.reports.page.reading import Reader

from compaction_eval.cli import cli
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord, RequestRecord
from compaction_eval.eval.recovery import Recovered
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.assembling import Page, assemble
from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MakePage = Callable[..., Page]
REQUIRED = ("CI", "BROWSER_TESTS")
"""Where one of these is set, a missing browser is a failure."""


def material_of(cells: Sequence[CellRecord], scenarios: Sequence[Scenario]) -> Material:
    """What a page of these cells is made from."""
    listed = [
        {
            "id": one.id,
            "variant": one.variant,
            "lang": one.lang,
            "tags": list(one.tags),
            "digest": "",
        }
        for one in scenarios
    ]
    manifest: dict[str, Any] = {
        "version": "1.2.3",
        "encoding": "o200k_base",
        "profile": "openai",
        "scenarios": listed,
        "strategies": [],
        "summarizers": [],
    }
    rows = summary_rows(Run(manifest, tuple(cells)))
    return Material("abc", manifest, rows, cells, Marks())


@pytest.fixture
def material_of_cells() -> Callable[..., Material]:
    """`material_of`."""
    return material_of


@pytest.fixture
def make_page() -> MakePage:
    """A page without charts, from cells and the scenarios that are at hand."""

    def make(cells: Sequence[CellRecord], *scenarios: Scenario, **options: Any) -> Page:
        found = Recovered({(one.id, one.variant): one for one in scenarios})
        return assemble(material_of(cells, scenarios), found, [], {}, **options)

    return make


@pytest.fixture
def masking(cell: CellRecord) -> CellRecord:
    """The same conversation under a strategy that cuts the tool's answer, then takes it away."""
    cut = {"role": "tool", "tool_call_id": "call_1", "content": "host: api.test\n[cut]"}
    return CellRecord(
        key=replace(cell.key, strategy="masking"),
        budget_tokens=60,
        conversation_tokens=200,
        requests=(
            RequestRecord(2, None, 20, 20, ((0, 2),)),
            RequestRecord(4, None, 40, 52, ((0, 3), "s0"), "mask", ((3, 4),)),
            RequestRecord(6, None, 40, 90, ((0, 1), (5, 6)), "truncate", ((1, 3), "s0", (4, 5))),
            RequestRecord(7, "port", 45, 99, ((0, 1), (5, 7), "s1")),
            RequestRecord(8, None, 50, 104, ((0, 1), (5, 8))),
            RequestRecord(9, "port", 59, 110, ((0, 1), (5, 9), "s1")),
            RequestRecord(9, "host", 59, 110, ((0, 1), (5, 9), "s2")),
        ),
        probes=(
            ProbeRecord("port", "update", "moved", 7, "correct", request=3, source=5),
            ProbeRecord("port", "update", "end", 9, "correct", request=5, source=5),
            ProbeRecord("host", "artifact", "end", 9, "missing", request=6, source=3, lost_at=2),
        ),
        synthetic={
            "s0": cut,
            "s1": {"role": "user", "content": "Which port now?"},
            "s2": {"role": "user", "content": "Which host?"},
        },
    )


@pytest.fixture
def failed_cell(cell: CellRecord) -> CellRecord:
    """A cell that ended in an error."""
    key = CellKey(cell.key.scenario, "", "boom", cell.key.budget, cell.key.summarizer)
    return CellRecord(key, 60, 200, error="raised RuntimeError: no <b>luck</b>")


SCRIPT = "</script><script>window.acted = 1</script>"
NAME = (
    f"{SCRIPT}<img src=x onerror='window.acted = 2'><!-- --!> ]]> &lt;b&gt; safe \u202etxt.exe"
    "\u202c \x1b[31m \x9b2J \x00 half \ud83d {{ 7 * 7 }} {% for %} ${7 * 7} =cmd|' /C calc'!A0"
)
"""A text that would act, if anything let it."""
LINE = 30_000
"""Characters of a line that is too long for the page."""


@pytest.fixture
def hostile(scenario: Scenario, cell: CellRecord) -> tuple[CellRecord, Scenario]:
    """A run in which everything that somebody else may name or write tries to act."""
    hostile_messages: list[Any] = [
        {**one, "content": f"{one['content'] or ''} {NAME}\n\u2028{NAME}"}
        for one in scenario.messages
    ]
    function = {"name": NAME, "arguments": NAME}
    hostile_messages[2]["tool_calls"] = [{"id": NAME, "type": "function", "function": function}]
    hostile_messages[4]["content"] = "8443 " + "x" * LINE
    hostile_messages[7]["role"] = NAME
    place = Place("x")
    return (
        replace(
            cell,
            key=replace(cell.key, strategy=NAME, budget="30%", summarizer=NAME),
            requests=tuple(
                replace(one, action=NAME, fallback=NAME, faults=(NAME,), events=(NAME,))
                for one in cell.requests
            ),
            probes=tuple(replace(one, probe=NAME, place=NAME) for one in cell.probes),
            synthetic={"s0": {"role": "user", "name": "compaction_summary", "content": NAME}},
        ),
        replace(
            scenario,
            title=NAME,
            tags=(NAME,),
            messages=tuple(hostile_messages),
            statements=(
                Statement(NAME, 3, ("8443", NAME), False, place),
                Statement(NAME, 5, ("9443",), False, place),
            ),
            probes=(Probe(NAME, "update", NAME, ((NAME, 7),), fact=NAME),),
        ),
    )


@dataclass(frozen=True)
class Found:
    """Where the browser and what drives it are."""

    chromium: str
    driver: str


def found_browser() -> Found | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    driver = shutil.which("chromedriver")
    return Found(chromium, driver) if chromium and driver else None


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """A browser without a window; it never asks anybody for anything."""
    found = found_browser()
    if found is None:
        message = "no chromium and chromedriver here: `make browser` installs them where it may"
        if any(os.environ.get(name) for name in REQUIRED):
            pytest.fail(message)
        pytest.skip(message)
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = found.chromium
    quiet = ("disable-background-networking", "disable-component-update", "no-first-run")
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", *quiet):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(found.driver))
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """Where pictures are left for people to look at."""
    folder = Path(__file__).resolve().parents[3] / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


MEASURE = (
    *("run", "-q", "--scenario", "parcel-redirect", "--scenario", "zh-invoice-export"),
    *("--strategy", "rolling-summary", "--strategy", "block-truncation"),
    *("--budget", "15%", "--budget", "30%", "--no-controls", "--strategy", "token-window"),
)
"""What is measured for the tests of the whole page."""


@pytest.fixture
def reader(browser: Chrome) -> Reader:
    return Reader(browser)


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small run, made as a user makes it, with its charts."""
    folder = tmp_path_factory.mktemp("page")
    for arguments in (
        (*MEASURE, "--out", str(folder / "run")),
        ("report", str(folder / "run"), "--by", "kind", "-o", str(folder / "page.html")),
    ):
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, result.output
    return folder / "page.html"


@pytest.fixture
def by_hand(
    make_page: MakePage, cell: CellRecord, masking: CellRecord, scenario: Scenario, tmp_path: Path
) -> Path:
    """The page of two cells whose states are known."""
    file = tmp_path / "by hand.html"
    file.write_bytes(make_page([cell, masking], scenario).data)
    return file
