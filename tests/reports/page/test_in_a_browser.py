"""The page in a real browser, opened from disk: what a person does with it, and what it looks like.

A missing browser is a failure where `CI` is set and under `.ci/run`; elsewhere these are skipped.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from compaction_eval.eval.records import CellRecord, PartRef
from compaction_eval.eval.recovery import recovered
from compaction_eval.eval.store import read_run
from compaction_eval.reports.message_states import message_states
from compaction_eval.reports.page.assembling import Page
from compaction_eval.reports.standing import standing_of
from compaction_eval.scenarios.records import Scenario, variant_name

if TYPE_CHECKING:
    from tests.reports.page.reading import Reader

MakePage = Callable[..., Page]


STATES = """
const story = stories[0];
const facts = Object.fromEntries(story.talk.facts.map((fact) => [fact.name, fact]));
return story.cell.requests.map((_, index) => factState(story, facts[arguments[0]], index));
"""
MESSAGES = """
return messagesAt(stories[0], arguments[0]).map((item) =>
  item.kind === "gone"
    ? `gone ${item.from}-${item.to}`
    : `${item.made ?? item.position} ${item.state}`);
"""


def test_facts_stand_as_worked_out_by_hand(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, "#s=staging-port&a=rolling-summary")
    # Said by message 3; from request 2 on the update in message 5 holds and stays in view.
    assert reader.js(STATES, "port") == [None, *["in-view"] * 6]
    # The summary of request 2 doesn't say the host.
    assert reader.js(STATES, "host") == [None, "in-view", *["lost"] * 5]
    reader.open(by_hand, "#s=staging-port&a=masking")
    # The cut answer of request 1 says it still; request 2 takes it away.
    assert reader.js(STATES, "host") == [None, "in-view", *["lost"] * 5]
    # An old value alone has the last word before the update is in.
    assert reader.js(
        "const fact = stories[0].talk.facts[0];"
        "return [stateOf(stories[0], [[0, 5]], fact.versions[1]),"
        " stateOf(stories[0], [[5, 6], [3, 4]], fact.versions[1]),"
        " stateOf(stories[0], [[3, 6]], fact.versions[1]),"
        " stateOf(stories[0], [[0, 2]], fact.versions[1])]"
    ) == ["stale", "stale", "in-view", "lost"]


def test_messages_are_kept_new_summarised_masked_and_gone_as_worked_out_by_hand(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand, "#s=staging-port&a=rolling-summary")
    assert reader.js(MESSAGES, 0) == ["0 new", "1 new"]
    assert reader.js(MESSAGES, 1) == ["0 kept", "1 kept", "2 new", "3 new"]
    summarised = [f"{at} summarised" for at in (1, 2, 3, 4)]
    assert reader.js(MESSAGES, 2) == ["0 kept", "s0 new-summary", *summarised, "5 new"]
    assert reader.js(MESSAGES, 4) == [
        "0 kept",
        "s0 summary",
        "gone 1-5",
        "5 kept",
        "6 new",
        "7 new",
    ]
    reader.open(by_hand, "#s=staging-port&a=masking")
    cut = ["0 kept", "1 kept", "2 new", "s0 new-stand-in", "3 reduced"]
    assert reader.js(MESSAGES, 1) == cut
    dropped = [f"{at} dropped" for at in (1, 2)]
    assert reader.js(MESSAGES, 2) == ["0 kept", *dropped, "gone 3-4", "4 dropped", "5 new"]
    assert reader.js(MESSAGES, 3)[-1] == "s1 question"


TOLD = """
const done = arguments[0];
(async () => {
  const cells = {};
  for (const names of CELLS) {
    const story = { talk: await block(names.scenario.block), cell: await block(names.block) };
    const requests = story.cell.requests.map((_, index) => index);
    const key = [names.scenario.key, names.strategy, names.budget].join("|");
    cells[key] = {
      facts: requests.map((at) => story.talk.facts.map((fact) => factState(story, fact, at))),
      turned: story.talk.facts.map((fact) => turnedAt(story, fact, requests.length - 1)),
      messages: requests.map((at) => {
        const found = {};
        for (const item of messagesAt(story, at)) {
          const state = item.kind === "gone" ? "gone" : item.state;
          const positions = [item.made ?? item.position];
          if (item.kind === "gone") {
            positions.pop();
            for (let one = item.from; one < item.to; one += 1) positions.push(one);
          }
          (found[state] ??= []).push(...positions);
        }
        return found;
      }),
    };
  }
  done(cells);
})();
"""


def test_the_terminal_tells_the_same_states(reader: Reader, measured: Path) -> None:
    """Two languages, one rule: each fact and each message of each request of a whole run."""
    reader.open(measured)
    run = read_run(measured.parent / "run")
    found = recovered(run.manifest).scenarios
    told = reader.browser.execute_async_script(TOLD)  # type: ignore[no-untyped-call]  # as above
    assert len(told) == len(run.cells)
    for cell in run.cells:
        standing = standing_of(found[cell.key.scenario, cell.key.variant], cell)
        name = variant_name(cell.key.scenario, cell.key.variant)
        page = told[f"{name}|{cell.key.strategy}|{cell.key.budget}"]
        every = range(len(cell.requests))
        states = [[standing.state(fact, at) for fact in standing.facts] for at in every]
        assert states == page["facts"]
        assert [standing.turned_at(fact, every[-1]) for fact in standing.facts] == page["turned"]
        for at in every:
            own = {
                state: [one for part in parts for one in _each(part)]
                for state, parts in message_states(standing, at, made=False).items()
            }
            assert own == page["messages"][at]


def _each(part: PartRef) -> list[int | str]:
    return [part] if isinstance(part, str) else [*range(*part)]


AGREE = """
const done = arguments[0];
(async () => {
  const wanted = {
    correct: ["in-view", "in-summary"], missing: ["lost"], stale: ["stale"], mixed: ["stale"],
    "not-asked": ["taken-back"],
  };
  let compared = 0;
  const wrong = [];
  for (const names of CELLS) {
    const story = { talk: await block(names.scenario.block), cell: await block(names.block) };
    for (const verdict of story.cell.verdicts) {
      const question = questionOf(story, verdict);
      const fact = story.talk.facts[question.fact];
      const version = fact && versionAt(fact, story.cell.requests[verdict.request]);
      if (!version || version.search !== question.search) continue;
      compared += 1;
      const state = factState(story, fact, verdict.request);
      const lost = state === "lost" ? turnedAt(story, fact, verdict.request) : null;
      const agreed = wanted[verdict.verdict].includes(state);
      if (!agreed || (lost !== null && lost !== (verdict.lost ?? verdict.request)))
        wrong.push([names.scenario.key, names.strategy, names.budget, verdict, state, lost]);
    }
  }
  done([compared, wrong]);
})();
"""


def test_every_state_and_every_loss_agrees_with_the_verdict_of_the_run(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured)
    compared, wrong = reader.browser.execute_async_script(AGREE)  # type: ignore[no-untyped-call]  # selenium has no types for it
    assert wrong == []
    assert compared > 200


def test_the_page_opens_on_a_loss_and_asks_nobody_for_anything(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured)
    assert "lost" in reader.text(".following .story")
    assert " here dropped message" in reader.text(".turning")
    assert reader.js("return [...document.images].every((one) => one.alt.length > 40)")
    reader.js("document.querySelectorAll('img').forEach((one) => one.scrollIntoView())")
    reader.until("[...document.images].every((one) => one.complete && one.naturalWidth > 0)")
    assert reader.complaints() == []


def test_the_table_is_sorted_by_a_column_in_both_directions(reader: Reader, measured: Path) -> None:
    reader.open(measured)
    heads = reader.texts("#rows thead th")
    column = heads.index("retained tokens") + 1
    button = f"#rows thead th:nth-child({column}) button"

    def shown() -> list[float]:
        cells = reader.texts(f"#rows tbody tr td:nth-child({column})")
        return [float(one.replace(",", "")) for one in cells]

    reader.click(button)
    assert shown() == sorted(shown(), reverse=True)
    assert len(set(shown())) > 2
    assert reader.js(f"return document.querySelector('{button}').parentElement.ariaSort") == (
        "descending"
    )
    reader.press(" ")
    reader.until(f"document.querySelector('{button}').parentElement.ariaSort === 'ascending'")
    assert shown() == sorted(shown())
    assert f"sort={column - 1}-up" in reader.address


def test_the_table_is_filtered_by_budget_tag_and_kind(reader: Reader, measured: Path) -> None:
    reader.open(measured)
    every = reader.texts("#rows tbody tr")
    reader.choose("by-budget", "15%")
    few = reader.texts("#rows tbody tr")
    assert 0 < len(few) < len(every)
    assert set(reader.texts("#rows tbody td:nth-child(2)")) == {"15%"}
    reader.choose("by-kind", "update")
    reader.until("document.querySelectorAll('#rows th.split').length === 3")
    assert reader.texts("#rows thead th") == ["strategy", "budget", "share", "scenarios", "probes"]
    assert "of kind update" in reader.text("#filtered")
    shares = reader.texts("#rows tbody tr:not(.control) td:nth-last-child(3)")
    assert shares == sorted(shares, key=lambda one: -float(one.rstrip("%")))
    reader.choose("by-tag", "chinese")
    reader.until("document.querySelector('#filtered').textContent.includes('chinese')")
    assert {one.split("\t")[-2] for one in reader.texts("#rows tbody tr")} <= {"1", "–"}
    assert reader.address == "#budget=15%25&tag=chinese&kind=update"
    reader.click("#no-filter")
    reader.until("document.querySelectorAll('#rows th.split').length === 0")
    assert reader.texts("#rows tbody tr") == every


def numbers(text: str) -> tuple[int, int]:
    """The `3 of 12` in a text."""
    found = re.search(r"([\d,]+) of ([\d,]+)", text)
    assert found is not None, text
    lost, asked = (int(one.replace(",", "")) for one in found.groups())
    return lost, asked


@pytest.mark.parametrize("address", ["", "#kind=reuse", "#tag=chinese", "#tag=chinese&kind=recall"])
def test_what_a_row_forgets_adds_up_over_kinds_and_over_conversations(
    reader: Reader, measured: Path, address: str
) -> None:
    reader.open(measured, address)
    reader.click("#rows tbody .name button")
    reader.until("!document.getElementById('forgets').hidden")
    total = numbers(reader.text("#forgets p"))
    kinds = [numbers(one) for one in reader.texts("#forgets .kinds li")]
    assert (sum(lost for lost, _ in kinds), sum(asked for _, asked in kinds)) == total
    shares = [lost / asked for lost, asked in kinds]
    assert shares == sorted(shares, reverse=True)
    conversations = [numbers(one) for one in reader.texts("#forgets details summary")]
    assert sum(lost for lost, _ in conversations) == total[0]
    assert sum(asked for _, asked in conversations) <= total[1]


def test_a_row_tells_what_it_forgets_and_leads_to_each_loss(reader: Reader, measured: Path) -> None:
    reader.open(measured)
    reader.click("#rows tbody tr:first-child .name button")
    reader.until("!document.getElementById('forgets').hidden")
    assert "forgets at" in reader.text("#forgets h3")
    reader.click("#forgets details summary")
    reader.until("document.querySelector('#forgets .asked').textContent !== ''")
    loss = reader.text("#forgets details li")
    assert re.search(
        r"“.+”.*(lost|stale|mixed) at #\d+, missed at #\d+, [\d,]+ tokens? after", loss
    ), loss
    probe = reader.text("#forgets details li a")
    reader.click("#forgets details li a")
    reader.until("location.hash.includes('s=')")
    reader.until(f"document.querySelector('.question')?.innerText.includes({json.dumps(probe)})")
    assert reader.text(".question .verdict") in {"lost", "stale", "mixed", "wrong"}


def test_keys_step_through_the_requests(reader: Reader, measured: Path) -> None:
    reader.open(measured, "#s=parcel-redirect&a=rolling-summary&b=30%25&r=0")
    reader.at(0)
    last = reader.js("return stories[0].cell.requests.length - 1")
    reader.press("j")
    reader.at(1)
    reader.press("\ue014")  # the right arrow
    reader.at(2)
    reader.press("k")
    reader.at(1)
    reader.press("\ue012")  # the left arrow
    reader.at(0)
    reader.press("\ue010")  # End
    reader.at(last)
    reader.press("j")
    reader.at(last)
    reader.press("\ue011")  # Home
    reader.at(0)
    first = reader.js(
        "return stories[0].cell.requests.findIndex((one) => one.action && !one.probe)"
    )
    reader.press("n")
    reader.at(first)
    assert f"#{first}, before message" in reader.text("#now")
    assert f"r={first}" in reader.address
    reader.press("?")
    assert reader.js("return document.getElementById('help').open")
    reader.press("\ue00c")  # Escape
    reader.until("!document.getElementById('help').open")
    assert reader.complaints() == []


def test_every_control_has_a_name_and_can_be_reached_by_the_keyboard(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured)
    nameless = reader.js(
        "return [...document.querySelectorAll('button, select, input, a, summary')]"
        ".filter((one) => !(one.ariaLabel || one.textContent.trim() || one.closest('label')))"
        ".map((one) => one.outerHTML)"
    )
    assert nameless == []
    assert reader.js(
        "return [...document.querySelectorAll('[tabindex]')].every((one) => one.tabIndex <= 0)"
    )
    assert reader.js("return document.getElementById('now').ariaLive") == "polite"
    levels = reader.js(
        "return [...document.querySelectorAll('h1,h2,h3,h4')].map((one) => +one.tagName[1])"
    )
    assert levels[0] == 1
    assert all(later <= level + 1 for level, later in pairwise(levels))
    reader.js("document.querySelector('#stepping button').focus()")
    reader.press("\ue004", "\ue004", "\ue004", "\ue007")  # three tabs to `next`, Enter
    assert reader.js("return document.activeElement.ariaLabel") == "Next request"


def test_a_lost_fact_leads_to_the_compaction_that_lost_it(reader: Reader, measured: Path) -> None:
    reader.open(measured, "#s=parcel-redirect&a=rolling-summary&b=15%25&r=999")
    chip = ".chips .chip.lost"
    name = reader.text(f"{chip} b")
    turned = int(reader.text(chip).rpartition("#")[2])
    reader.click(chip)
    reader.at(turned)
    assert reader.text(".following h4") == f"Following {name}: ✗ lost"
    assert " here dropped message" in reader.text(".turning")
    request = reader.js("return stories[0].cell.requests[arguments[0]]", turned)
    assert request["action"]
    # "Back" returns to where one came from.
    reader.browser.back()
    reader.until("document.querySelector('.following') === null")


def test_a_question_shows_its_verdict_and_where_the_answer_is_found(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand, "#s=staging-port&a=rolling-summary&r=5")
    panel = reader.text(".question")
    assert "Which port now?" in panel
    assert "Looked for: 9443" in panel
    assert "Old values: 8443" in panel
    assert "summary s0 says “8443” instead; message 5 (user) says it." in panel
    assert reader.written(".message.said .place") == ["s0", "5"]
    assert reader.written(".message mark.current") == ["9443"]
    reader.click(".question p button.plain:nth-of-type(2)")
    assert reader.js("return document.activeElement.dataset.part") == "5"
    reader.open(by_hand, "#s=staging-port&a=rolling-summary&r=6")
    assert "In this view: nothing says it." in reader.text(".question")
    reader.click(".question button[data-key]")
    reader.at(2)
    assert "Following host" in reader.text(".following h4")


def test_a_summary_stands_beside_what_it_replaced(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, "#s=staging-port&a=rolling-summary&r=4")
    reader.click(".message.summary .replaced summary")
    reader.until("document.querySelectorAll('.replaced .message').length === 4")
    assert reader.written(".replaced .message .place") == ["1", "2", "3", "4"]
    assert "listen: 8443" in reader.written(".message.summary .replaced")[0]


def test_two_strategies_are_compared_in_step(reader: Reader, measured: Path) -> None:
    reader.open(measured, "#s=parcel-redirect&a=rolling-summary&b=15%25&r=3")
    reader.choose("choose-beside", "block-truncation, 15%")
    reader.until("document.querySelectorAll('.side').length === 2")
    reader.js("document.activeElement.blur()")
    reader.press("j", "j")
    reader.at(5)
    titles = ["rolling-summary, budget 15%", "block-truncation, budget 15%"]
    assert reader.texts(".side h3") == titles
    assert [one.split(",")[0] for one in reader.texts(".side .request")] == ["#5", "#5"]
    address = reader.address
    reader.open(measured, address)
    assert reader.texts(".side h3") == titles
    left, right = (
        reader.js(f"return document.querySelectorAll('.side')[{at}].getBoundingClientRect().x")
        for at in (0, 1)
    )
    assert left < right


def test_a_link_into_the_page_restores_what_was_seen(reader: Reader, measured: Path) -> None:
    reader.open(measured, "#s=parcel-redirect&a=rolling-summary&b=15%25&r=999")
    reader.click(".chips .chip.lost")
    reader.until("document.querySelector('.following') !== null")
    seen = (
        reader.address,
        reader.text("#where"),
        reader.text(".following"),
        reader.text(".request"),
    )
    reader.open(measured, reader.address)
    again = (
        reader.address,
        reader.text("#where"),
        reader.text(".following"),
        reader.text(".request"),
    )
    assert again == seen
    reader.open(measured, "#budget=30%25&sort=0-up")
    assert set(reader.texts("#rows tbody td:nth-child(2)")) == {"30%"}
    names = reader.texts("#rows tbody th")
    assert names == sorted(names)
    reader.js("location.hash = '#s=parcel-redirect&a=token-window&b=30%25&r=2'")
    reader.until("document.querySelector('.side h3').textContent.startsWith('token-window')")
    reader.at(2)


def test_a_link_to_what_is_not_there_says_so(reader: Reader, measured: Path) -> None:
    reader.open(measured, "#s=elsewhere&r=2")
    assert "This run has no scenario elsewhere" in reader.text("#linked")
    assert reader.texts(".side h3")
    reader.open(measured, "#s=parcel-redirect&a=nobody&b=30%25&r=1&a2=%25&n=x&f=nothing")
    assert "This run has no nobody, %, nothing for that scenario" in reader.text("#linked")
    # A step leads on, and the warning goes.
    reader.press("j")
    reader.until("document.getElementById('linked').hidden")
    assert reader.complaints() == []


def test_texts_that_would_act_are_shown_and_do_nothing(
    reader: Reader, make_page: MakePage, hostile: tuple[CellRecord, Scenario], tmp_path: Path
) -> None:
    page = tmp_path / "hostile.html"
    page.write_bytes(make_page([hostile[0]], hostile[1]).data)
    for width in (1000, 390):
        reader.open(page, width=width)
        for _ in range(8):
            reader.press("j")
        reader.js("document.querySelectorAll('summary').forEach((one) => one.click())")
        reader.js(
            "document.querySelectorAll('#rows .name button, .chip').forEach((one) => one.click())"
        )
        reader.until("!document.getElementById('forgets').hidden")
        assert reader.js("return window.acted === undefined")
        assert "</script><script>window.acted = 1</script>" in reader.written("#sides")[0]
        assert r"safe \u202etxt.exe" in reader.written("#sides")[0]
        assert "{{ 7 * 7 }}" in reader.written("#sides")[0]
        assert reader.js("return document.documentElement.scrollWidth <= window.innerWidth")
        assert (
            reader.js("return document.querySelectorAll('#sides img, #sides script').length") == 0
        )
        assert reader.complaints() == []


def test_a_browser_that_is_too_old_is_told_so(reader: Reader, by_hand: Path) -> None:
    script = {"source": "delete window.DecompressionStream"}
    added = reader.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    try:
        reader.browser.get(by_hand.as_uri())
        reader.until("document.querySelector('#sides .note') !== null")
        reader.until("document.getElementById('unready') === null")
        assert "too old" in reader.text("#sides")
        assert reader.texts("#rows tbody tr")
    finally:
        reader.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_what_was_left_out_says_so_where_it_would_be(
    reader: Reader,
    make_page: MakePage,
    cell: CellRecord,
    masking: CellRecord,
    failed_cell: CellRecord,
    scenario: Scenario,
    tmp_path: Path,
) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(make_page([cell, masking, failed_cell], scenario, most=0.001).data)
    reader.open(file, "#s=staging-port&a=masking")
    assert "--max-size" in reader.text(".side .note")
    file.write_bytes(make_page([cell, masking, failed_cell], scenario).data)
    reader.open(file, "#s=staging-port&a=boom")
    assert "raised RuntimeError: no <b>luck</b>" in reader.text(".side .note")
    # Without its scenario a cell shows what it can.
    file.write_bytes(make_page([cell]).data)
    reader.open(file, "#s=staging-port&a=rolling-summary&r=2")
    assert "aren't at hand" in reader.text(".side .note")
    assert "Staging listened on 8443." in reader.written(".message.new-summary")[0]
    assert "Its text isn't at hand." in reader.written(".message.new")[0]
    assert reader.complaints() == []


@pytest.mark.parametrize(
    ("name", "width", "height", "dark"),
    [
        ("laptop", 1000, 700, False),
        ("laptop-dark", 1000, 700, True),
        ("phone", 390, 844, False),
        ("phone-dark", 390, 844, True),
    ],
)
def test_it_fits_the_window_and_is_left_for_people_to_look_at(
    name: str,
    width: int,
    height: int,
    dark: bool,
    reader: Reader,
    measured: Path,
    screenshots: Path,
) -> None:
    reader.open(measured, width=width, height=height)
    reader.emulate(width, height, dark=dark)
    one = "#s=parcel-redirect&a=rolling-summary&b=15%25&r=6"
    views = {
        "top": one,
        "table": one,
        "charts": one,
        "explorer": one,
        "lost": one,
        "two": f"{one}&a2=block-truncation&b2=15%25&m2=extractive",
        "question": "#s=zh-invoice-export&a=rolling-summary&b=30%25&r=999",
    }
    places = {"top": "body", "table": "#table", "charts": "#charts", "lost": ".following"}
    for view, address in views.items():
        reader.js("location.hash = arguments[0]", address)
        reader.until(f"document.querySelectorAll('.side').length === {2 if view == 'two' else 1}")
        assert reader.js("return document.documentElement.scrollWidth <= window.innerWidth")
        if view == "lost":
            reader.click(".chips .chip.lost")
            reader.until("document.querySelector('.turning') !== null")
        place = places.get(view, "#stepping")
        reader.js("document.querySelector(arguments[0]).scrollIntoView()", place)
        time.sleep(0.1)
        assert reader.browser.save_screenshot(str(screenshots / f"{name}-{view}.png"))
    small = reader.js(
        "return [...document.querySelectorAll('.stepping button, .controls select')]"
        ".filter((one) => one.getBoundingClientRect().height < 30).length"
    )
    assert small == 0
    assert reader.complaints() == []


def test_it_can_be_printed_without_its_controls(
    reader: Reader, measured: Path, screenshots: Path
) -> None:
    import base64

    reader.open(measured)
    printed = reader.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    data = base64.b64decode(printed["data"])
    assert data.startswith(b"%PDF")
    (screenshots / "printed.pdf").write_bytes(data)
    reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert reader.texts(".controls, .stepping, nav, dialog") == []
    assert "Explorer" in reader.text("#explorer h2")
    # The table's headings are painted where they are repeated, and nothing breaks its frame.
    assert (
        reader.js("return getComputedStyle(document.querySelector('#rows thead button')).display")
        == "contents"
    )
    reader.emulate(740, 1000)
    reader.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert reader.js(
        "const frame = document.querySelector('#table .scroll').getBoundingClientRect().right;"
        "return [...document.querySelectorAll('#rows :is(th, td)')]"
        ".every((one) => one.getBoundingClientRect().right <= frame + 1)"
    )
    headings = (
        "return [...document.querySelectorAll('h2, h3, h4')]"
        ".map((one) => getComputedStyle(one).breakAfter)"
    )
    assert set(reader.js(headings)) == {"avoid"}
    # What is a button elsewhere is a word of its sentence here.
    assert "it was said by message" in reader.text(".turning")
    assert reader.texts("#rows tbody tr")
