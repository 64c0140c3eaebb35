"""The page as it is used: links, keys, folds and focus, in one tab or several, in old browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from compaction_eval.eval.records import CellRecord, ProbeRecord
from compaction_eval.reports.page.assembling import Page
from compaction_eval.scenarios.records import Place, Probe, ReuseProbe, Scenario, Statement

if TYPE_CHECKING:
    from tests.reports.page.reading import Reader

MakePage = Callable[..., Page]
ONE = "#s=staging-port&a=rolling-summary"


@contextmanager
def before_every_page(reader: Reader, code: str) -> Iterator[None]:
    """A browser in which a piece of script runs before those of a page."""
    command = "Page.addScriptToEvaluateOnNewDocument"
    added = reader.browser.execute_cdp_cmd(command, {"source": code})
    try:
        yield
    finally:
        reader.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_a_link_to_a_part_of_the_page_leaves_the_filters_alone(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured)
    reader.choose("by-budget", "15%")
    some = reader.texts("#rows tbody tr")
    reader.click("nav a[href='#explorer']")
    reader.until("location.hash === '#explorer'")
    assert reader.texts("#rows tbody tr") == some
    # From there keys step.
    at = reader.js("return state.r")
    reader.press("j")
    reader.at(at + 1)


def test_back_and_forward_lead_through_what_was_seen(reader: Reader, measured: Path) -> None:
    reader.open(measured)
    begun = reader.text(".side h3"), reader.text("#where")
    reader.choose("choose-a", "token-window")
    reader.until("document.querySelector('.side h3').textContent.startsWith('token-window')")
    reader.browser.back()
    reader.until("!document.querySelector('.side h3').textContent.startsWith('token-window')")
    assert (reader.text(".side h3"), reader.text("#where")) == begun
    reader.browser.forward()
    reader.until("document.querySelector('.side h3').textContent.startsWith('token-window')")
    assert reader.complaints() == []


def test_no_address_breaks_the_page(reader: Reader, measured: Path) -> None:
    reader.open(measured)
    known = "s=parcel-redirect&a=rolling-summary&b=15%25"
    addresses = [
        *("#", "#nothing", "#%E0%A4%A", "#=&&=", "#s", "#s=", "#s=%00", "#s=__proto__", "#a=x"),
        *("#sort=99-up", "#sort=__proto__", "#sort=-", "#sort=1", "#budget=1%25&tag=x&kind=y"),
        *("#kind=constructor&tag=__proto__", "#s=<img src=x onerror=alert(1)>", "#<script>"),
        *(f"#{known}&r={r}" for r in ("-5", "1e9", "NaN", "99999999999999999999", "x", "1.5")),
        *(f"#{known}&{rest}" for rest in ("n=7", "n=-1", "m=x", "f=fact%20x", "a2=x", "b2=%25")),
        *(f"#{known}&r=3&r=4", f"#{known}&a=y", f"#{known}%", f"#{'s=' * 3000}"),
    ]
    done = reader.browser.execute_async_script(  # type: ignore[no-untyped-call]  # selenium has no types for it
        """
        const [addresses, done] = arguments;
        const faults = [];
        window.addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
        (async () => {
          for (const address of addresses) {
            location.hash = address;
            await wander();
            if (document.querySelectorAll(".side .request").length !== 1) faults.push(address);
            if (lines.some((line) => !line.isConnected)) faults.push(address);
          }
          setTimeout(() => done(faults), 50);
        })().catch((error) => done(String(error.stack)));
        """,
        addresses,
    )
    assert done == []
    assert reader.complaints() == []


def test_a_link_that_leads_nowhere_is_told_where_everybody_sees_it(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured, "#s=parcel-redirect&a=rolling-summary&b=15%25&a2=other&b2=15%25")
    assert "This run has no other" in reader.text("#linked")
    assert reader.js("return document.getElementById('linked').getBoundingClientRect().height > 20")


def test_keys_step_only_where_one_sees_it_and_letters_can_be_turned_off(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured)
    at = reader.js("return state.r")
    reader.js("window.scrollTo(0, 0)")
    reader.press("j", "\ue010")
    assert reader.js("return state.r") == at
    reader.js("document.getElementById('explorer').scrollIntoView()")
    reader.press("j")
    reader.at(at + 1)
    reader.press("?")
    reader.click("#letters")
    reader.press("\ue00c")
    reader.press("k", "\ue012")
    reader.at(at)
    assert reader.js("return state.r") == at
    # In a heading or a list nothing steps either.
    reader.js("document.querySelector('#table .scroll').focus()")
    reader.press("\ue010")
    assert reader.js("return state.r") == at


def test_a_browser_that_takes_no_more_addresses_still_steps(reader: Reader, by_hand: Path) -> None:
    with before_every_page(
        reader, "history.replaceState = () => { throw new DOMException('too many') }"
    ):
        reader.open(by_hand, f"{ONE}&r=1")
        reader.press("j")
        reader.at(2)


@pytest.mark.parametrize(
    "lacking",
    [
        "delete window.DecompressionStream",
        # As Chromium was before 2022.
        "window.DecompressionStream = function () { throw new TypeError('deflate-raw') }",
    ],
)
def test_a_browser_that_cannot_unpack_says_so(lacking: str, reader: Reader, by_hand: Path) -> None:
    with before_every_page(reader, lacking):
        reader.browser.get(by_hand.as_uri())
        reader.until("document.querySelector('#sides .note') !== null")
        reader.until("document.getElementById('unready') === null")
        assert "too old" in reader.text("#sides")
        assert reader.texts("#rows tbody tr")


def test_without_scripts_it_says_what_is_missing(
    reader: Reader, measured: Path, screenshots: Path
) -> None:
    import time

    reader.emulate(1000, 700)
    reader.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        reader.browser.get(measured.as_uri())
        note = reader.browser.find_element("id", "unready")
        deadline = time.monotonic() + 20
        while not note.is_displayed():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert "needs scripts" in note.text
        assert not reader.browser.find_element("id", "filters").is_displayed()
        assert not reader.browser.find_element("id", "table-keys").is_displayed()
        assert reader.browser.find_element("css selector", "#rows tbody td").is_displayed()
        assert reader.browser.find_element("css selector", "#charts img").is_displayed()
        reader.browser.find_element("css selector", ".words summary").click()
        assert reader.browser.find_element("css selector", ".words dd").is_displayed()
        assert reader.browser.save_screenshot(str(screenshots / "laptop-without-scripts.png"))
    finally:
        reader.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_fold_stays_open_while_one_steps(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, f"{ONE}&r=4")
    reader.click(".message.summary .replaced summary")
    reader.until("document.querySelectorAll('.replaced .message').length === 4")
    reader.press("j")
    reader.at(5)
    reader.until("document.querySelectorAll('.replaced .message').length === 4")
    assert reader.js("return document.activeElement.dataset.key") == "fold replaced s0"


def test_a_summary_that_a_question_had_made_too_tells_what_it_replaced_on_each_line(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    first, second, third, *rest = cell.requests
    fork = replace(third, probe="port", view=((0, 1), "s0", (3, 6)), dropped=((1, 3),))
    told = replace(cell, requests=(first, second, fork, third, *rest[1:]), probes=())
    file = tmp_path / "fork.html"
    file.write_bytes(make_page([told], scenario).data)
    for request, words in ((2, "#2: 2 messages"), (3, "#3: 4 messages"), (4, "#3: 4 messages")):
        reader.open(file, f"{ONE}&r={request}")
        assert reader.text(".replaced summary") == f"What it replaced at {words}"


def test_what_said_a_lost_fact_is_never_folded_up(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    more = tuple({"role": "user", "content": f"Note {at}."} for at in range(9))
    long = replace(
        scenario,
        messages=(*scenario.messages[:4], *more),
        statements=(),
        probes=(
            Probe(
                "host", "artifact", "Which host?", (("end", 13),), accept=("api.test",), evidence=3
            ),
        ),
    )
    first, second, *_ = cell.requests
    cut = replace(cell.requests[2], at=13, view=((0, 1), "s0", (12, 13)), dropped=((1, 12),))
    told = replace(cell, requests=(first, second, cut), probes=())
    file = tmp_path / "long.html"
    file.write_bytes(make_page([told], long).data)
    reader.open(file, f"{ONE}&r=2&f=answer host")
    assert reader.written(".messages > .message.summarised .place") == ["1", "2", "3"]
    assert "api.test" in reader.written(".messages > .message.said mark")
    assert "8 messages summarised now: 4–11" in reader.text(".group.summarised summary")


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (((3, "host", True),), "The summariser was shown it."),
        (((3, "host", False),), "The summariser was never shown it"),
        # Of a fact that nobody asks for, or by a run of an earlier version, nothing is claimed.
        (((3, "port", True),), ""),
        ((), ""),
    ],
)
def test_where_a_fact_was_lost_it_is_told_what_dropped_it_what_replaced_it_and_who_saw_it(
    left: tuple[tuple[int, str, bool], ...],
    words: str,
    reader: Reader,
    make_page: MakePage,
    cell: CellRecord,
    scenario: Scenario,
    tmp_path: Path,
) -> None:
    said = Statement("host", 3, ("api.test",), False, Place("x"))
    told = replace(cell, facts_left=left)
    file = tmp_path / "page.html"
    page = make_page([told], replace(scenario, statements=(*scenario.statements, said)))
    file.write_bytes(page.data)
    reader.open(file, f"{ONE}&r=6")
    reader.click(".chip[data-key='fact fact host']")
    reader.at(2)
    turning = reader.text(".turning")
    assert "Lost: summarize here dropped messages 1–4." in turning
    assert "Until then it was said by message 3 (tool)." in turning
    assert "In its place summary s0 was made, which doesn't say it." in turning
    assert words in turning
    assert ("shown it" in turning) is bool(words)
    reader.click(".turning button")
    assert reader.js("return document.activeElement.dataset.part") == "3"


def test_sorting_by_a_share_of_a_kind_keeps_the_focus_and_the_marks(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured)
    reader.choose("by-kind", "update")
    reader.until("document.querySelectorAll('#rows th.split').length === 3")
    reader.js("document.querySelector('#rows th.split button').focus()")
    reader.press(" ", " ")
    reader.until("document.querySelector('#rows th.split').ariaSort === 'ascending'")
    assert reader.js("return document.activeElement.closest('th')?.ariaSort") == "ascending"
    shares = reader.texts("#rows tbody td:nth-last-child(3)")
    assert shares == sorted(shares, key=lambda one: float(one.rstrip("%").replace("–", "-1")))
    controls = {"none *", "empty *", "evidence-only * †", "token-window *"}
    names = reader.texts("#rows tbody th")
    assert names
    assert {one for one in names if "*" in one} <= controls
    assert "token-window *" in names


def test_filters_that_leave_nothing_say_so(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    other = replace(scenario, id="other", tags=("long",), probes=scenario.probes[1:])
    pages = [cell, replace(cell, key=replace(cell.key, scenario="other"), probes=cell.probes[2:])]
    file = tmp_path / "tags.html"
    file.write_bytes(make_page(pages, replace(scenario, tags=("short",)), other).data)
    reader.open(file)
    reader.choose("by-tag", "long")
    reader.choose("by-kind", "update")
    reader.until("document.getElementById('filtered').textContent.startsWith('Nothing')")
    assert "no scenario tagged long asks a probe of kind update" in reader.text("#filtered")
    reader.choose("by-tag", "short")
    reader.until("document.getElementById('filtered').textContent.startsWith('Share')")
    assert reader.texts("#rows tbody td:nth-last-child(3)") == ["100%"]


def test_what_a_row_forgets_counts_no_loss_twice_and_closing_leads_back(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    quiet = replace(cell, requests=cell.requests[:2] + cell.requests[3:4], probes=cell.probes[2:])
    quiet = replace(quiet, requests=(*quiet.requests, *cell.requests[3:]), synthetic={})
    quiet = replace(
        quiet,
        requests=tuple(replace(one, view=((0, one.at),)) for one in quiet.requests),
    )
    keys = [replace(cell.key, strategy="slice", summarizer=name) for name in ("one", "two")]
    file = tmp_path / "merged.html"
    file.write_bytes(make_page([replace(quiet, key=key) for key in keys], scenario).data)
    reader.open(file)
    assert reader.texts("#rows .name") == ["slice"]
    reader.click("#rows .name button")
    reader.until("!document.getElementById('forgets').hidden")
    assert reader.text("#forgets p").startswith("1 of 1 answer lost.")
    reader.click("#forgets > button")
    assert reader.js("return document.activeElement.textContent") == "slice"
    assert reader.js("return document.getElementById('forgets').hidden")


def test_what_a_value_was_stands_beside_its_loss_and_a_kind_filters(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    reused = ReuseProbe("reuse-3-1", "api.test", 8, 3, "ping")
    lost = ProbeRecord("reuse-3-1", "reuse", "request", 8, "missing", request=4, lost_at=2)
    told = replace(cell, probes=(*cell.probes, lost))
    file = tmp_path / "value.html"
    file.write_bytes(make_page([told], replace(scenario, reuse=(reused,))).data)
    reader.open(file)
    reader.js("document.querySelector('#rows tbody tr').dataset.about = 'Sums up <b>all</b>.'")
    reader.click("#rows .name button")
    reader.until("!document.getElementById('forgets').hidden")
    assert reader.text("#forgets .about") == "Sums up <b>all</b>."
    assert "pool all answers" in reader.text("#forgets")
    reader.js("document.querySelector('.kinds button[title]').click()")
    reader.until("document.querySelectorAll('.kinds li').length === 1")
    kind = reader.text(".kinds button")
    assert f"kind={kind}" in reader.address
    assert "forgets at" in reader.js("return document.activeElement.textContent")
    reader.js("document.querySelector('.kinds button').click()")
    reader.until("document.querySelectorAll('.kinds li').length === 3")
    reader.click("#forgets details summary")
    reader.until("document.querySelector('#forgets .asked').textContent !== ''")
    assert reader.texts("#forgets details li")[1] == (
        "reuse-3-1 api.test reuse, lost at #2, missed at #4"
    )
    assert reader.text("#forgets details li") == (
        "host “Which host?” artifact, lost at #2, missed at #6"
    )


def test_a_filter_by_abstention_says_that_its_share_tells_nothing(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    wrong = replace(cell.probes[2], kind="abstention", verdict="wrong")
    file = tmp_path / "abstention.html"
    page = make_page([replace(cell, probes=(*cell.probes[:2], wrong))], scenario)
    file.write_bytes(page.data)
    reader.open(file, "#kind=abstention")
    assert "0% by construction" in reader.text("#filtered")
    reader.open(file, "#kind=update")
    assert "by construction" not in reader.text("#filtered")


def test_why_a_row_is_not_usable_is_read_without_moving_the_table(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand)
    lines = reader.texts("#unusable li")
    assert "! rolling-summary, 30%: of 7 requests 1 refused by the API and 1 over budget" in lines
    assert reader.js("return document.getElementById('unusable').getBoundingClientRect().right") < (
        1000
    )


@pytest.mark.parametrize("width", [1280, 1440])
def test_no_heading_of_the_table_is_cut_on_a_laptop(
    width: int, reader: Reader, measured: Path
) -> None:
    reader.open(measured, "", width, 800)
    wide = "const one = document.querySelector('#table .scroll');"
    assert reader.js(f"{wide} return one.scrollWidth <= one.clientWidth")


def test_a_cell_without_a_request_says_so(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    file = tmp_path / "nothing.html"
    bare = replace(cell, requests=(), probes=())
    recorded = replace(bare, key=replace(cell.key, strategy="recorded"), apart=True)
    file.write_bytes(make_page([bare, recorded], scenario).data)
    reader.open(file, "#s=staging-port&a=recorded")
    assert "replays recorded compactions" in reader.text(".side .note")
    reader.open(file, f"{ONE}&a2=recorded&b2=30%25&m2=extractive")
    assert reader.texts(".side .note")[0].startswith("No model is called in this conversation")
    reader.press("j", "n", "q", "\ue010")
    assert reader.complaints() == []


def test_what_a_model_answered_or_why_it_did_not_stands_with_the_question(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    from compaction_eval.eval.records import AnswerRecord

    answers = (
        AnswerRecord("correct", text="It is 9443.", judge="correct"),
        AnswerRecord("error", outcome="fault", reason="the endpoint said 503"),  # type: ignore[arg-type]  # any outcome will do
        AnswerRecord("wrong", text="localhost"),
    )
    probes = tuple(replace(p, answer=a) for p, a in zip(cell.probes, answers, strict=True))
    file = tmp_path / "answers.html"
    file.write_bytes(make_page([replace(cell, probes=probes)], scenario).data)
    said = []
    for request in (3, 5, 6):
        reader.open(file, f"{ONE}&r={request}")
        said.append(reader.text(".question"))
    assert "Which port now?" in said[0]
    assert "The model: correct (recalled, the judge says correct)" in said[0]
    assert "It is 9443." in said[0]
    assert "The model: error (no answer)" in said[1]
    assert "the endpoint said 503" in said[1]
    assert "Which host?" in said[2]
    assert "The model: wrong (not recalled)" in said[2]


def test_nothing_moves_by_itself(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, ONE)
    moving = reader.js(
        "return [...document.querySelectorAll('*')].filter((one) => {"
        " const style = getComputedStyle(one);"
        " return [style.transitionDuration, style.animationDuration].some((one) => parseFloat(one))"
        " || style.scrollBehavior === 'smooth'; }).length"
    )
    assert moving == 0
