"""The file as a whole: what is in it, that nothing in it acts, and what is left out."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.recovery import Recovered
from compaction_eval.reports.page.assembling import Page, assemble
from compaction_eval.reports.page.blocks import packed
from compaction_eval.reports.page.conversation import plain_message
from compaction_eval.reports.page.packing import unpack
from compaction_eval.reports.page.text import LONGEST
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.tokens import TokenCounter

MakePage = Callable[..., Page]


class Read(HTMLParser):
    """The page as a parser sees it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.scripts: dict[str, str] = {}
        self.text = ""
        self._inside: str | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag == "script":
            self._inside = dict(attrs).get("id") or "code"

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.text += data
        else:
            self.scripts[self._inside] = self.scripts.get(self._inside, "") + data


def test_nothing_that_somebody_else_wrote_becomes_markup(
    make_page: MakePage,
    hostile: tuple[CellRecord, Scenario],
    cell: CellRecord,
    scenario: Scenario,
) -> None:
    tame = Read(make_page([cell], scenario).html)
    page = Read(make_page([hostile[0]], hostile[1]).html)
    # One more list of tags in the filter; the rest is the same page.
    assert page.tags - tame.tags == Counter({"option": 1})
    assert {name for name, _ in page.attributes} == {name for name, _ in tame.attributes}
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert (
        set(page.scripts)
        == set(tame.scripts)
        == {"index", "figures", "losses", "asked", "s0", "c0", "code"}
    )
    assert page.scripts["code"] == tame.scripts["code"]
    assert "{{ 7 * 7 }}" in page.text


def test_what_cannot_be_seen_or_turns_the_line_is_an_escape(
    make_page: MakePage, hostile: tuple[CellRecord, Scenario]
) -> None:
    page = Read(make_page([hostile[0]], hostile[1]).html)
    shown = [page.text, *(json.dumps(unpack(page.scripts[name])) for name in ("s0", "c0"))]
    index = json.loads(page.scripts["index"])
    shown.append(json.dumps(index, ensure_ascii=False))
    categories = {unicodedata.category(one) for one in json.loads(json.dumps("".join(shown)))}
    assert not categories & {"Cf", "Cs", "Co", "Zl", "Zp"}
    assert set(re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "".join(shown))) == set()
    assert r"\u202etxt.exe" in index["strategies"][0]
    assert r"half \ud83d" in index["scenarios"][0]["title"]


def test_a_message_beyond_all_measure_is_cut_and_the_rest_counted() -> None:
    message = plain_message({"role": "user", "content": "8443 " + "x" * 10_000_000})
    assert len(message["text"]) == LONGEST
    assert message["cut"] == len("8443 ") + 10_000_000 - LONGEST


def test_the_page_asks_nobody_for_anything(
    make_page: MakePage, cell: CellRecord, scenario: Scenario
) -> None:
    page = Read(make_page([cell], scenario).html)
    policies = [value for name, value in page.attributes if "default-src" in value]
    assert policies == [
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    ]
    addresses = [value for name, value in page.attributes if name in ("src", "href", "srcset")]
    assert [one for one in addresses if not one.startswith(("data:", "#"))] == []
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|@import|url\(", page.scripts["code"])
    # Nor does it keep anything, so that pages in several tabs know nothing of each other.
    assert not re.search(r"Storage|indexedDB|cookie|BroadcastChannel", page.scripts["code"])


def test_the_same_run_makes_the_same_bytes(
    make_page: MakePage, cell: CellRecord, masking: CellRecord, scenario: Scenario
) -> None:
    assert make_page([cell, masking], scenario).data == make_page([cell, masking], scenario).data


def test_what_does_not_fit_is_left_out_largest_first_and_told(
    make_page: MakePage, cell: CellRecord, masking: CellRecord, scenario: Scenario
) -> None:
    whole = make_page([cell, masking], scenario)
    assert whole.notes == ()
    sizes = {name: len(Read(whole.html).scripts[name]) for name in ("c0", "c1")}
    largest = max(sizes, key=lambda name: sizes[name])
    page = make_page([cell, masking], scenario, most=(len(whole.data) - 50) / 1e6)
    assert len(page.data) < len(whole.data)
    kept = Read(page.html)
    assert largest not in kept.scripts
    assert set(sizes) - {largest} < set(kept.scripts)
    (note,) = page.notes
    assert note.startswith(
        "The requests of 1 cell are left out, the largest first, to keep the page"
    )
    assert note in kept.text
    blocks = [one[5] for one in json.loads(kept.scripts["index"])["cells"]]
    assert blocks == [None if name == largest else name for name in ("c0", "c1")]


def test_a_page_that_is_too_large_without_any_view_says_how_large_it_is(
    make_page: MakePage, cell: CellRecord, scenario: Scenario
) -> None:
    page = make_page([cell], scenario, most=0.001)
    assert not {"c0", "s0"} & set(Read(page.html).scripts)
    assert page.notes[-1] == "The page is 0.1 MB even so: nothing else can go."


def test_a_scenario_that_is_not_at_hand_is_told_and_its_requests_stay(
    cell: CellRecord, scenario: Scenario, material_of_cells: Callable[..., object]
) -> None:
    lacking = Recovered(lacking={("staging-port", ""): "its file has changed since the run"})
    page = assemble(material_of_cells([cell], [scenario]), lacking, [], {})  # type: ignore[arg-type]  # what the fixture makes is material
    (note,) = page.notes
    assert note.endswith("are shown: staging-port: its file has changed since the run")
    read = Read(page.html)
    assert "s0" not in read.scripts
    assert len(unpack(read.scripts["c0"])["requests"]) == 7


def test_the_verdict_the_table_and_errors_can_be_read_without_scripts(
    make_page: MakePage, cell: CellRecord, failed_cell: CellRecord, scenario: Scenario
) -> None:
    text = Read(make_page([cell, failed_cell], scenario).html).text
    assert "Not compared: boom (1 cell failed)." in text
    assert "1 cell of boom: raised RuntimeError: no <b>luck</b>" in text
    assert "rolling-summary" in text
    assert "The explorer needs scripts" in text


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_number_of_processes_packs_the_same_blocks(
    jobs: int, cell: CellRecord, scenario: Scenario
) -> None:
    other = replace(scenario, variant="noise=1")
    cells = [cell, replace(cell, key=replace(cell.key, variant="noise=1"))]
    found = {("staging-port", ""): scenario, ("staging-port", "noise=1"): other}
    blocks = packed(cells, found, TokenCounter(), jobs=jobs)
    assert list(blocks) == list(found)
    first, second = blocks.values()
    assert first == second
    assert unpack(first.cells[0])["requests"][0]["at"] == 2
