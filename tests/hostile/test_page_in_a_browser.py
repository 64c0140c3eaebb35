"""The page, opened from disk and used: nothing that is data runs, loads, or tears the layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.hostile.carriers import LABELS
from tests.hostile.corpus import SITE
from tests.hostile.reading import highest, steering

if TYPE_CHECKING:
    from tests.hostile.producing import Everything
    from tests.reports.page.reading import Reader

WATCH = """
window.dialogs = 0;
for (const name of ["alert", "confirm", "prompt", "open"]) window[name] = () => { dialogs += 1; };
const everything = () => [...document.querySelectorAll("body *")];
const scrolls = (one) => ["auto", "scroll", "hidden"].includes(getComputedStyle(one).overflowX);
const inside = (one) =>
  one !== document.body && (scrolls(one.parentElement) || inside(one.parentElement));
window.torn = () => everything()
  .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1 && !inside(one))
  .map((one) => one.outerHTML.slice(0, 200));
window.found = (names, where) => [...document.querySelectorAll(where)]
  .flatMap((one) => [...one.querySelectorAll(names)]).map((one) => one.outerHTML.slice(0, 200));
window.attributes = () => everything().flatMap((one) => [...one.attributes]);
"""
CHOOSE = """
const select = document.querySelector('[data-key="choose a"]');
select.selectedIndex = arguments[0];
select.dispatchEvent(new Event("change", { bubbles: true }));
"""
NAMES = "return [...document.getElementById('choose-a').options].map((one) => one.text)"
OPENED = """
const chips = [...document.querySelectorAll(".chip")].slice(0, 4);
for (const one of [...document.querySelectorAll("summary"), ...chips]) one.click();
"""
MADE_OF_DATA = "#sides, #choosing, #rows, header, #captions, #forgets, figcaption"


@pytest.fixture
def watched(reader: Reader) -> Iterator[Reader]:
    """A reader whose pages count dialogs, and tell what is wider than the window."""
    script = {"source": WATCH}
    added = reader.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    yield reader
    reader.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def unharmed(reader: Reader) -> None:
    """Nothing acted, nothing was asked for, and nothing is wider than the window."""
    assert reader.js("return [window.acted, window.dialogs]") == [None, 0]
    assert reader.js("return location.protocol") == "file:"
    assert reader.js("return document.documentElement.scrollWidth <= window.innerWidth")
    assert reader.js("return torn()") == []
    assert reader.complaints() == []


@pytest.mark.parametrize("width", [1000, 390])
def test_the_explorer_steps_through_all_of_it(
    width: int, watched: Reader, everything: Everything
) -> None:
    watched.open(everything.folder / "out" / "report-spoken" / "page.html", width=width)
    unharmed(watched)
    names = watched.js(NAMES)
    assert {LABELS[1], LABELS[2], LABELS[3]} < set(names)
    for at, name in enumerate(names):
        watched.js(CHOOSE, at)
        watched.until("document.querySelector('.message') !== null")
        for key in "jjjjjjnnqqqq":
            watched.press(key)
        watched.js(OPENED)
        assert watched.js("return torn()") == [], name
    watched.js("document.querySelectorAll('#rows .name button').forEach((one) => one.click())")
    watched.until("!document.getElementById('forgets').hidden")
    unharmed(watched)
    made_of_its_own_parts(watched)


def made_of_its_own_parts(reader: Reader) -> None:
    """No element, attribute or address comes of data, and nothing in the words steers."""
    own = "return found('script, img:not(picture > img), style, meta, form', arguments[0])"
    assert reader.js(own, MADE_OF_DATA) == []
    assert reader.js("return found('iframe, object, embed, base, link, video', 'body')") == []
    names = reader.js("return attributes().map((one) => [one.name, one.value])")
    assert not any(name.startswith("on") for name, _ in names)
    addresses = [value for name, value in names if name in ("href", "src", "srcset", "action")]
    assert all(one.startswith(("#", "data:image/svg+xml")) for one in addresses)
    assert not any(SITE in one for one in addresses)
    words = reader.js("return document.body.textContent")
    assert steering(words, allowed="\n\t") == []
    assert highest(words) <= 6


def test_a_link_into_the_page_acts_no_more_than_what_it_names(
    watched: Reader, everything: Everything
) -> None:
    page = everything.folder / "out" / "report-spoken" / "page.html"
    for name in (
        "__proto__",
        "constructor",
        "%3Cimg%20src=x%20onerror=window.acted=1%3E",
        "%E0%A4%A",
    ):
        watched.open(page, f"#s=spoken&a={name}&f={name}&r=3&sort={name}&tag={name}&kind={name}")
        unharmed(watched)
        watched.open(page, f"#s={name}&{name}=1")
        unharmed(watched)
