"""Where links, keys and clicks lead the focus; and addresses that can be passed on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.reports.page.reading import Reader

ONE = "#s=staging-port&a=rolling-summary"
LINK = f"{ONE}&r=4&f=answer%20host"
IN_WINDOW = """
const [one, bar] = [arguments[0], "#stepping"].map((name) =>
  document.querySelector(name).getBoundingClientRect());
return one.top >= bar.bottom - 1 && one.bottom <= window.innerHeight;
"""
FOCUSED = "return document.activeElement.textContent"
TAB, ENTER, END, HOME = "\ue004", "\ue007", "\ue010", "\ue011"
# The focus is behind the bar: an element that stands outside of it, and under it.
UNDER_THE_BAR = """
const one = document.activeElement;
const bar = document.getElementById("stepping");
const [own, its] = [one.getBoundingClientRect(), bar.getBoundingClientRect()];
return !bar.contains(one) && own.top < its.bottom - 1 && own.bottom > its.top + 1 && its.top <= 0;
"""


@pytest.mark.parametrize(("width", "height"), [(1000, 700), (390, 844)])
def test_a_link_leads_to_the_story_which_is_in_the_window_and_has_the_focus(
    width: int, height: int, reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand, LINK, width, height)
    assert reader.js(FOCUSED) == "Following host (answer): ✗ lost"
    assert reader.js(IN_WINDOW, ".side h3")
    assert reader.js(IN_WINDOW, ".following h4")
    assert reader.js(IN_WINDOW, ".turning")
    # The same while the page is open already.
    reader.js("scrollTo(0, 0); document.activeElement.blur(); location.hash = arguments[0]", ONE)
    reader.until("document.querySelector('.following') === null")
    reader.js("scrollTo(0, 0); document.activeElement.blur(); location.hash = arguments[0]", LINK)
    reader.until("document.activeElement.textContent.startsWith('Following host')")
    assert reader.js(IN_WINDOW, ".turning")


def test_where_an_answer_left_leads_to_its_story_by_the_keyboard(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand, f"{ONE}&r=6")
    reader.js("document.querySelector('.question .turns button').focus()")
    reader.press(ENTER)
    reader.at(2)
    reader.until("document.activeElement.textContent.startsWith('Following host')")
    # So does a request that the story names; where it stops being named, the story stays.
    reader.open(by_hand, LINK)
    reader.js("document.querySelector('.turning button').focus()")
    assert reader.js(FOCUSED) == "#2"
    reader.press(ENTER)
    reader.at(2)
    reader.until("document.activeElement.textContent.startsWith('Following host')")
    reader.press("\ue00c")  # Escape
    reader.until("document.querySelector('.following') === null")
    assert reader.js("return document.activeElement.closest('.side') !== null")


def test_a_loss_in_the_list_leads_the_focus_into_the_explorer(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand)
    reader.click("#rows .name button")
    reader.until("document.activeElement.textContent.includes('forgets at')")
    reader.click("#forgets details summary")
    reader.js("document.querySelector('#forgets details li a').focus()")
    reader.press(ENTER)
    reader.until("document.activeElement.closest('#explorer .question') !== null")
    assert reader.js(IN_WINDOW, ".question p")
    reader.press(TAB)
    assert reader.js("return document.activeElement.closest('#sides') !== null")


def test_keys_act_only_where_the_sides_are_in_the_window(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, LINK)
    reader.js("document.activeElement.blur(); scrollTo(0, 0)")
    address = reader.address
    reader.press("j", "q", "n", HOME, "\ue014")
    assert reader.js("return [state.r, location.hash]") == [4, address]
    # They scroll instead.
    reader.press(END)
    reader.until("scrollY > 0")
    assert reader.js("return state.r") == 4


def test_skip_links_lead_to_the_table_and_the_explorer(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand)
    reader.js("document.activeElement.blur(); scrollTo(0, 0)")
    reader.press(TAB)
    assert reader.js(FOCUSED) == "Skip to the table"
    assert reader.js("return document.activeElement.getBoundingClientRect().left >= 0")
    reader.press(TAB)
    assert reader.js(FOCUSED) == "Skip to the explorer"
    reader.press(ENTER)
    reader.until("document.getElementById('explorer').getBoundingClientRect().top < 60")
    reader.press(TAB)
    assert reader.js("return document.activeElement.closest('#explorer') !== null")


def test_how_to_read_it_is_reached_from_the_top(reader: Reader, by_hand: Path) -> None:
    for width in (1000, 390):
        reader.open(by_hand, width=width)
        reader.js("scrollTo(0, 0)")
        bottom = reader.js(
            "return document.querySelector('nav a[href=\"#reading\"]')"
            ".getBoundingClientRect().bottom"
        )
        assert 0 < bottom < 60
        reader.click("nav a[href='#reading']")
        at = "document.getElementById('reading-heading').getBoundingClientRect()"
        # It is in the window, and nothing lies over it.
        reader.until(
            "((at) => document.elementFromPoint(at.left + 5, at.top + 5)?.id)"
            f"({at}) === 'reading-heading'"
        )


@pytest.mark.parametrize("width", [1000, 390])
def test_the_focus_is_never_behind_the_bar(width: int, reader: Reader, measured: Path) -> None:
    reader.open(measured, "#s=parcel-redirect&a=rolling-summary&b=15%25&r=30", width)
    # To the end of what is there, and back by the keyboard.
    reader.js(
        "const all = document.querySelectorAll('#sides button, #sides summary');"
        "all[all.length - 1].focus()"
    )
    from selenium.webdriver.common.action_chains import ActionChains

    steps = 0
    while reader.js("return document.activeElement.closest('#sides') !== null"):
        assert not reader.js(UNDER_THE_BAR), reader.js(FOCUSED)
        ActionChains(reader.browser).key_down("\ue008").send_keys(TAB).key_up("\ue008").perform()
        steps += 1
    assert steps > 10


def test_a_link_is_copied_or_shown_to_be_copied(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand)
    # What the page opened on isn't in the browser's own line.
    assert reader.address == ""
    reader.js("navigator.clipboard.writeText = (text) => { window.copied = text; }")
    reader.click("#link")
    reader.until("window.copied !== undefined")
    copied = str(reader.js("return window.copied"))
    assert reader.text("#linking") == "Link copied."
    seen = reader.text("#where"), reader.text(".request")
    assert copied.startswith(by_hand.as_uri() + "#s=staging-port")
    reader.open(by_hand, "#" + copied.partition("#")[2])
    assert (reader.text("#where"), reader.text(".request")) == seen
    reader.js("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    reader.click("#link")
    reader.until("document.querySelector('#linking input') !== null")
    field = "document.querySelector('#linking input')"
    assert reader.js(f"return {field}.value") == copied
    assert reader.js(f"return document.activeElement === {field}")
    assert reader.js(f"return {field}.selectionEnd - {field}.selectionStart") == len(copied)


def test_what_a_row_forgets_has_an_address(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand)
    reader.click("#rows tbody tr:nth-child(2) .name button")
    reader.until("!document.getElementById('forgets').hidden")
    title, address = reader.text("#forgets h3"), reader.address
    assert "forgets=" in address
    reader.open(by_hand, address)
    assert reader.text("#forgets h3") == title
    assert reader.js(FOCUSED) == title
    assert reader.js("return document.getElementById('forgets').getBoundingClientRect().top < 600")
    # It stays beside what the explorer shows, and "back" leads to it again.
    reader.click("#forgets details summary")
    reader.click("#forgets details li a")
    reader.until("location.hash.includes('s=')")
    assert "forgets=" in reader.address
    reader.click("#forgets > button")
    assert "forgets" not in reader.address
    reader.browser.back()
    reader.until("!document.getElementById('forgets').hidden")
    # Of a row that the run doesn't have, there is no list.
    reader.open(by_hand, "#forgets=nobody%20%40%2030%25")
    assert reader.js("return document.getElementById('forgets').hidden")
    assert reader.complaints() == []
