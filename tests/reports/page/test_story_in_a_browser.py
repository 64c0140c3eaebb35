"""The story of the fact that is followed: where it stands, and why the fact stands as it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.page.assembling import Page
from compaction_eval.scenarios.records import Probe, ReuseProbe, Scenario

if TYPE_CHECKING:
    from tests.reports.page.reading import Reader

MakePage = Callable[..., Page]
ONE = "#s=staging-port&a=rolling-summary"
TWO = f"{ONE}&a2=masking&b2=30%25&m2=extractive"
TOP = "return document.querySelector(arguments[0]).getBoundingClientRect().top"


def messages_with(scenario: Scenario, changes: dict[int, str]) -> Scenario:
    """The conversation with other words in some of its messages."""
    changed: list[Any] = [*scenario.messages]
    for at, words in changes.items():
        changed[at] = {**changed[at], "content": words}
    return replace(scenario, messages=tuple(changed))


def test_the_story_stands_between_the_timeline_and_the_facts(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, f"{ONE}&r=2&f=answer%20host")
    places = [
        reader.js(TOP, one)
        for one in (".timeline", ".following", ".request", ".chips", ".messages")
    ]
    assert places == sorted(places)


def test_side_by_side_the_same_things_stand_at_one_height_with_a_reason_on_both_sides(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand, f"{TWO}&r=1&f=answer%20host")
    assert reader.texts(".turning") == [
        "In message 3 (tool), word for word.",
        "In message s0, which stands for a message that was cut or masked, and says it still.",
    ]
    for band in (".timeline", ".following", ".request", ".side h4 ~ .chips", ".messages"):
        tops = reader.js(
            "return [...document.querySelectorAll(arguments[0])].map((one) =>"
            " Math.round(one.closest('.band').getBoundingClientRect().top))",
            band,
        )
        assert len(tops) >= 2, band
        assert tops[0] == tops[1], band
    reader.open(by_hand, f"{TWO}&r=2&f=answer%20host")
    lost = reader.texts(".turning")
    assert lost[0].endswith("In its place summary s0 was made, which doesn't say it.")
    assert lost[1].startswith("Lost: truncate here dropped messages 1–2, 4 and message s0.")
    assert lost[1].endswith("Nothing was put in its place.")


def test_of_an_answer_in_parts_it_is_told_who_says_all_of_it_and_what_the_summary_keeps(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    both = Probe(
        *("both", "artifact", "Which host and port?", (("end", 9),)),
        match="all_of",
        accept=("api.test", "8443"),
        evidence=3,
    )
    file = tmp_path / "parts.html"
    told = replace(cell, probes=())
    file.write_bytes(make_page([told], replace(scenario, probes=(both,))).data)
    reader.open(file, f"{ONE}&r=2&f=answer%20both")
    badges = reader.js(
        "return [...document.querySelectorAll('.messages > .message')].map((one) =>"
        " [one.dataset.part, one.querySelector('.says')?.textContent || ''])"
    )
    assert dict(badges)["3"] == "says it"
    assert dict(badges)["4"] == "says a part of it"
    turning = reader.text(".turning")
    assert "In its place summary s0 was made, which keeps only “8443”." in turning
    assert "doesn't say it" not in turning
    assert "left in" not in turning


def test_requests_and_questions_are_counted_and_numbered_from_0_as_show_does(
    reader: Reader, by_hand: Path
) -> None:
    reader.open(by_hand, f"{ONE}&r=6")
    assert reader.text("#where") == "#6 of #0–6"
    assert "4 requests and 3 questions, numbered together from #0." in reader.text(".side .small")


def test_a_stale_fact_names_the_wrong_value_and_what_says_it(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    first, second, third, *_ = cell.requests
    stale = replace(third, at=9, view=((0, 1), "s0", (7, 9)), dropped=((1, 7),))
    told = replace(cell, requests=(first, second, stale), probes=())
    file = tmp_path / "stale.html"
    file.write_bytes(make_page([told], scenario).data)
    reader.open(file, f"{ONE}&r=2&f=fact%20port")
    assert reader.text(".following h4") == "Following port: « stale"
    turning = reader.text(".turning")
    assert "summary s0 has the last word and says “8443” instead." in turning
    assert "summarize here dropped messages 1–6." in turning
    assert "says “8443” instead" in reader.text(".message.new-summary .says")


def test_a_fact_that_is_there_again_says_who_repeats_it(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    again = messages_with(scenario, {6: "Done, on api.test too."})
    first, second, third, _, fifth, *_ = cell.requests
    seen = replace(fifth, view=((0, 1), "s0", (5, 8)), dropped=())
    told = replace(cell, requests=(first, second, third, seen), probes=())
    file = tmp_path / "again.html"
    file.write_bytes(make_page([told], again).data)
    reader.open(file, f"{ONE}&r=3&f=answer%20host")
    assert reader.text(".turning").endswith(
        "There again here: the agent repeats it in message 6 (assistant)."
    )
    assert reader.texts(".story .chip") == ["✓ #1 in view", "✗ #2 lost", "✓ #3 in view"]


def test_a_summary_that_keeps_or_nearly_keeps_a_fact_is_quoted(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    long = messages_with(scenario, {3: "The staging gateway answers behind host api.test today."})
    for text, words in (
        ("Ports changed. The staging host is api.test now.", "The staging host is api.test now"),
        (
            "Ports changed. The staging gateway answers today. Bye.",
            "staging gateway answers today.",
        ),
    ):
        made = {**cell.synthetic, "s0": {**cell.synthetic["s0"], "content": text}}
        file = tmp_path / "quoted.html"
        file.write_bytes(make_page([replace(cell, synthetic=made, probes=())], long).data)
        reader.open(file, f"{ONE}&r=2&f=answer%20host")
        assert words in reader.text(".turning q")
    assert "doesn't say it; nearest to it:" in reader.text(".turning")


def test_a_stretch_runs_on_through_its_questions_and_names_those_that_differ(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    requests = list(cell.requests)
    # The fork at which the port is asked for lacks the message that says it.
    requests[3] = replace(requests[3], view=((0, 1), (6, 7)))
    file = tmp_path / "fork.html"
    told = replace(cell, requests=tuple(requests), probes=())
    file.write_bytes(make_page([told], scenario).data)
    reader.open(file, f"{ONE}&r=4&f=fact%20port")
    assert reader.texts(".story .chip") == [
        "✓ #1 in view",
        "✓ #2–6 in view, given a new value, but not at question #3",
    ]


def test_what_is_said_again_while_it_stays_lost_begins_no_new_stretch(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    uses = tuple(
        ReuseProbe(f"use-{source}", "api.test", source + 1, source, "read_file")
        for source in (3, 5, 6)
    )
    file = tmp_path / "uses.html"
    told = replace(scenario, probes=(), reuse=uses)
    file.write_bytes(make_page([replace(cell, probes=())], told).data)
    reader.open(file, f"{ONE}&r=4&f=value%20api.test")
    assert reader.js("return stories[0].talk.facts.at(-1).versions.length") == 3
    assert reader.texts(".story .chip") == ["✓ #1 in view", "✗ #2–6 lost"]


def test_facts_that_are_asked_for_come_first_and_the_rest_is_folded_up(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    values = tuple(
        ReuseProbe(f"reuse-{at}", word, 8, 3, "read_file")
        for at, word in enumerate(
            ["api.test", "listen", "8443", "host", "list", "isten", "est", "ho", "st"]
        )
    )
    file = tmp_path / "many.html"
    file.write_bytes(make_page([cell], replace(scenario, reuse=values)).data)
    reader.open(file, f"{ONE}&r=4&f=fact%20port")
    assert [one.split(" ")[1] for one in reader.texts(".chips .chip")[:2]] == ["port", "host"]
    assert len(reader.texts(".chips .chip")) == 8
    assert reader.text("details:has(.chips) summary") == (
        "Show all 11, 9 of them values that the agent used again"
    )
    reader.click("details:has(.chips) summary")
    reader.until("document.querySelectorAll('.chips .chip').length === 11")


@pytest.mark.parametrize(
    ("probe", "words"),
    [
        ({"accept": ("api.test", "the host")}, "Looked for any of: api.test the host"),
        ({"match": "all_of", "accept": ("api", "test")}, "Looked for all of: api test"),
        (
            {"match": "number", "accept": ("8443",)},
            "Looked for as a number, however it is written: 8443",
        ),
        (
            {"match": "regex", "accept": (r"host: \w+\.test",)},
            "Looked for wording such as: host: api.test",
        ),
        ({"match": "regex", "accept": (r"lo+king\d",)}, "Looked for wording that fits a pattern."),
    ],
)
def test_what_counts_as_the_answer_is_told_in_words(
    probe: dict[str, Any],
    words: str,
    reader: Reader,
    make_page: MakePage,
    cell: CellRecord,
    scenario: Scenario,
    tmp_path: Path,
) -> None:
    asked = Probe("host", "artifact", "Which host?", (("end", 9),), evidence=3, **probe)
    file = tmp_path / "words.html"
    page = make_page([cell], replace(scenario, probes=(scenario.probes[0], asked)))
    file.write_bytes(page.data)
    reader.open(file, f"{ONE}&r=6")
    assert words in " ".join(reader.text(".question").split())
    if probe.get("match") == "regex":
        reader.click(".question details summary")
        reader.until("document.querySelector('.question code') !== null")
        assert reader.text(".question code") == probe["accept"][0]


def test_the_key_has_every_sign_that_is_used_and_no_other(
    reader: Reader, make_page: MakePage, cell: CellRecord, scenario: Scenario, tmp_path: Path
) -> None:
    file = tmp_path / "key.html"
    within = tuple(replace(one, tokens=min(one.tokens, 60)) for one in cell.requests)
    file.write_bytes(make_page([replace(cell, requests=within)], scenario).data)
    reader.open(file, f"{ONE}&r=6")
    plain = reader.text("#key")
    assert {"✓ answer there", "✗ answer lost", "▼ compaction"} <= set(reader.texts("#key .entry"))
    assert "over the budget" not in plain
    assert "band" not in plain
    stale = replace(cell.probes[2], verdict="stale")
    over = replace(cell.requests[4], tokens=cell.budget_tokens + 30, over_budget=True)
    requests = (*cell.requests[:4], over, *cell.requests[5:])
    told = replace(cell, probes=(*cell.probes[:2], stale), requests=requests)
    file.write_bytes(make_page([told], scenario).data)
    reader.open(file, f"{ONE}&r=6&f=answer%20host")
    entries = reader.texts("#key .entry")
    assert {"« an old value instead", "over the budget", "lost", "in view"} <= set(entries)
    assert "✗ answer lost" not in entries
    # What is over the budget looks otherwise than what is lost.
    fills = [
        reader.js("return getComputedStyle(document.querySelector(arguments[0])).fill", one)
        for one in (".timeline .over", ".timeline .strip.lost")
    ]
    assert fills[0] != fills[1]


def test_one_word_stands_for_what_is_lost(reader: Reader, by_hand: Path) -> None:
    reader.open(by_hand, f"{ONE}&r=6")
    assert reader.text(".question .verdict") == "lost"
    assert "missing" not in reader.text("#explorer")
    reader.open(by_hand, f"{ONE}&r=1")
    assert "No compaction here." in reader.text(".request")
