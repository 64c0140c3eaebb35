"""The page on a phone: charts whose lines have names, and two sides that aren't a mile long."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reports.page.reading import Reader

PHONE = (390, 844)


def test_on_a_phone_a_chart_moves_sideways_below_its_title_and_its_names(
    reader: Reader, measured: Path
) -> None:
    reader.open(measured, "", *PHONE)
    reader.js("document.querySelector('#chart-budget-sweep').scrollIntoView()")
    first = "#chart-budget-sweep"
    assert reader.js(
        f"const one = document.querySelector('{first} picture');"
        "return one.scrollWidth > 1.8 * one.clientWidth"
    )
    title = reader.text(f"{first} .chart-title")
    assert title.removesuffix(" The chart moves sideways.") in reader.js(
        f"return document.querySelector('{first} img').alt"
    )
    # The names stay in sight, and cover no title.
    names, head = (
        reader.js("return document.querySelector(arguments[0]).getBoundingClientRect()", one)
        for one in (".chart-names", f"{first} .chart-title")
    )
    assert names["top"] >= 0
    assert names["bottom"] <= head["top"]
    assert head["right"] <= PHONE[0]
    # They take one line, and the title on the chart itself, which would be cut, isn't seen.
    assert names["height"] < 50
    shown, picture = (
        reader.js("return document.querySelector(arguments[0]).getBoundingClientRect()", one)
        for one in (f"{first} img", f"{first} picture")
    )
    assert 60 < picture["top"] - shown["top"] < 90
    assert abs(picture["bottom"] - shown["bottom"]) < 20
    listed = {one.split(" ")[1] for one in reader.texts(".chart-names li")}
    assert {one.split(" ")[0] for one in reader.written("#rows .name")} == listed
    colours = reader.js(
        "return [...document.querySelectorAll('.chart-names span')]"
        ".map((one) => getComputedStyle(one).color)"
    )
    reader.emulate(*PHONE, dark=True)
    reader.until(
        f"getComputedStyle(document.querySelector('.chart-names span')).color !== '{colours[0]}'"
    )
    reader.open(measured)
    assert reader.texts(".chart-names, .chart-title") == []


def test_on_a_phone_two_sides_have_their_messages_folded_up(reader: Reader, measured: Path) -> None:
    two = "#s=parcel-redirect&a=rolling-summary&b=15%25&r=30&a2=block-truncation&b2=15%25"
    reader.open(measured, f"{two}&m2=extractive", *PHONE)
    reader.until("document.querySelectorAll('.side').length === 2")
    assert reader.texts(".message") == []
    assert reader.js("return document.getElementById('sides').scrollHeight") < 3_500
    reader.click(".side summary[data-key='fold messages 0']")
    reader.until("document.querySelectorAll('.message').length > 3")
    # It stays open from request to request.
    reader.press("\ue00c", "j")
    reader.at(31)
    reader.until("document.querySelectorAll('.message').length > 3")
