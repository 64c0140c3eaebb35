"""How facts and messages stand at the requests of a cell, by hand; a browser checks a whole run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.message_states import message_states
from compaction_eval.reports.page.links import fragment
from compaction_eval.reports.standing import standing_of
from compaction_eval.reports.states import FACTS, MESSAGES
from compaction_eval.scenarios.records import Scenario, Statement

PAGE = Path(__file__).parents[2] / "reports" / "page"


def test_a_fact_is_followed_through_every_request(scenario: Scenario, cell: CellRecord) -> None:
    standing = standing_of(scenario, cell)
    facts = {fact["name"]: fact for fact in standing.facts}
    every = range(len(cell.requests))
    assert [standing.state(facts["port"], at) for at in every] == [None, *["in-view"] * 6]
    assert [standing.state(facts["host"], at) for at in every] == [None, "in-view", *["lost"] * 5]
    assert standing.turned_at(facts["host"], 6) == 2
    assert standing.turned_at(facts["host"], 0) is None


@pytest.mark.parametrize(
    ("view", "state"),
    [
        (((0, 5),), "stale"),
        (((5, 6), (3, 4)), "stale"),
        (((3, 6),), "in-view"),
        (((0, 2),), "lost"),
        (((0, 1), "s0"), "stale"),
        (((0, 1), "s1"), "in-summary"),
    ],
)
def test_the_last_word_decides_how_a_fact_stands(
    scenario: Scenario, cell: CellRecord, view: tuple[tuple[int, int] | str, ...], state: str
) -> None:
    update = {**cell.synthetic["s0"], "content": "[Summary of the conversation so far]\n9443 now."}
    requests = (*cell.requests[:4], replace(cell.requests[4], view=view, summary="s1"))
    synthetic = {**cell.synthetic, "s1": update}
    told = standing_of(scenario, replace(cell, requests=requests, synthetic=synthetic))
    port = next(fact for fact in told.facts if fact["name"] == "port")
    assert told.state(port, 4) == state


def test_a_fact_that_was_taken_back_is_stale_where_nothing_says_so(
    scenario: Scenario, cell: CellRecord
) -> None:
    back = Statement("port", 5, ("never mind",), True, scenario.statements[0].place)
    taken = replace(scenario, statements=(scenario.statements[0], back))
    requests = (*cell.requests[:5], replace(cell.requests[5], view=((0, 5), (6, 9))))
    told = standing_of(taken, replace(cell, requests=requests))
    assert [told.state(told.facts[0], at) for at in (1, 4, 5)] == ["in-view", "taken-back", "stale"]


def test_messages_are_kept_new_summarised_and_gone(scenario: Scenario, cell: CellRecord) -> None:
    standing = standing_of(scenario, cell)
    assert message_states(standing, 1) == {"kept": [(0, 2)], "new": [(2, 4)]}
    assert message_states(standing, 2) == {
        "kept": [(0, 1)],
        "new": [(5, 6)],
        "new-summary": ["s0"],
        "summarised": [(1, 5)],
    }
    assert message_states(standing, 4) == {
        "kept": [(0, 1), (5, 6)],
        "summary": ["s0"],
        "new": [(6, 8)],
        "gone": [(1, 5)],
    }


def test_the_page_has_the_same_signs_and_words() -> None:
    messages = re.findall(r'"?([\w-]+)"?: \["(.*?)", "(.*?)"\]', (PAGE / "messages.js").read_text())
    assert {name: told[:2] for name, told in MESSAGES.items()} == {
        name: (sign, words) for name, sign, words in messages
    }
    facts = re.findall(r'"?([\w-]+)"?: \["(.*?)", "(.*?)"\]', (PAGE / "facts.js").read_text())
    assert {name: told[:2] for name, told in FACTS.items()} == {
        name: (sign, words) for name, sign, words in facts
    }


def test_a_link_leads_to_where_the_first_missed_fact_was_lost(
    scenario: Scenario, cell: CellRecord
) -> None:
    standing = standing_of(scenario, cell)
    cell_alone = "s=staging-port&a=rolling-summary&b=30%25&m=extractive"
    assert fragment(standing) == f"{cell_alone}&r=2&f=answer+host"
    assert fragment(standing, "port") == f"{cell_alone}&r=3&f=fact+port"
    kept = replace(cell, probes=cell.probes[:2], key=replace(cell.key, repeat=1))
    assert fragment(standing_of(scenario, kept)) == f"{cell_alone}&n=1"
