"""What a library covers, as people read it."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from compaction_eval.reports.library_page import library_page, scenario_table, summary_sentence
from compaction_eval.reports.spread import print_spread, spread_table
from compaction_eval.reports.table import console
from compaction_eval.scenarios.records import Probe, Scenario
from compaction_eval.scenarios.spread import Spread, spread
from compaction_eval.strategies.tokens import TokenCounter

COUNTER = TokenCounter()
PLAN = Scenario(
    id="plan",
    title="A plan",
    lang="en",
    messages=({"role": "user", "content": "The gate is K4."},),
    variant="noise=0",
    description="One gate | and its number.",
    probes=(Probe("p", "recall", "Which?", (("end", 1),), accept=("K4",), evidence=0),),
    file="trips/plan.yaml",
)
BOTH = [PLAN, replace(PLAN, messages=PLAN.messages * 2, variant="noise=2")]


def counted() -> Spread:
    return spread(BOTH, COUNTER)


def printed(found: Spread) -> list[str]:
    stream = StringIO()
    print_spread(found, console(stream))
    return stream.getvalue().splitlines()


def test_the_terminal_has_each_group_once_and_its_lines_in_columns() -> None:
    lines = printed(counted())
    assert lines[0].split() == ["scenarios", "number", "share"]
    [language] = [line for line in lines if line.startswith("language")]
    assert language.split() == ["language", "en", "1", "100%"]
    fifths = [line.split() for line in lines if " fifth" in line]
    assert fifths[0] == ["evidence,", "by", "tokens", "first", "fifth", "0", "0%"]
    assert fifths[2] == ["third", "fifth", "1", "100%"]


def test_nothing_to_count_is_no_share() -> None:
    lines = printed(spread([], COUNTER))
    [recall] = [line for line in lines if "recall" in line]
    assert recall.split() == ["kind", "of", "probe", "recall", "0", "0"]


def test_markdown_has_the_lines_of_the_terminal() -> None:
    rows = spread_table(counted()).splitlines()
    assert rows[0] == "| what | | scenarios | number | share |"
    assert len(rows) - 2 == len(printed(counted())) - 1
    assert "| kind of probe | recall | 1 | 1 | 100% |" in rows


def test_a_scenario_is_one_line_with_the_sizes_of_its_variants() -> None:
    [*_, row] = scenario_table(BOTH, COUNTER).splitlines()
    one, two = (COUNTER.request(variant.messages) for variant in BOTH)
    assert (
        row == f"| trips | `plan` | en | 1 / 2 | {one} / {two} | 1 | One gate \\| and its number. |"
    )


def test_a_scenario_without_a_description_has_its_title() -> None:
    assert scenario_table([replace(PLAN, description="")], COUNTER).endswith("| A plan |\n")


def test_the_sentence_names_languages_in_words() -> None:
    found = replace(counted(), languages={"en": 3, "mixed": 2, "fi": 1}, scenarios=6)
    assert summary_sentence(found) == (
        "6 scenarios in 1 family with 1 probe: 3 in English, 2 in Chinese mixed with English code,"
        " 1 in fi."
    )


def test_the_page_holds_both_tables() -> None:
    page = library_page(BOTH, counted(), COUNTER)
    assert page.startswith("# Scenarios\n\n1 scenario in ")
    assert scenario_table(BOTH, COUNTER) in page
    assert page.endswith(spread_table(counted()))
