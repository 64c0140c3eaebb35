"""`stress`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from compaction_eval.scenarios import library
from compaction_eval.scenarios.properties import PROPERTIES

Call = Callable[..., Result]

LISTS = """\
id: two-lists
title: Parallel calls | whose answers fit only together
lang: en
tags: [edge]
stress:
  budget: 75
  holds: [valid, whole-blocks]
turns:
  - system: You help.
  - user: Compare the two price lists, please, and name the cheaper shop.
  - calls:
      - {call: read_list, args: {shop: Alder}, result: "Lamp 41, chair 77, shelf 88, table 230."}
      - {call: read_list, args: {shop: Birch}, result: "Lamp 39, chair 71, shelf 90, table 219."}
  - assistant: Birch is cheaper for all but the shelf.
  - user: Good. Which of them delivers sooner?
  - assistant: Neither list says it.
"""
REFUSED = LISTS.replace("two-lists", "refused").replace(
    "budget: 75", "budget: 60%\n  summarizer: faulty(fault=refusal)"
)
CASE = {
    "id": "asked",
    "budget": 60,
    "messages": [
        {"role": "user", "content": "Which of the two lists is the shorter one, do you think?"},
        {"role": "assistant", "content": "The second, as far as I can see from here."},
        {"role": "user", "content": "Then read me the first line of it, and the last one."},
    ],
}
SOUND = "block-truncation(request=keep,oversized=reduce)"


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    (folder / "two-lists.yaml").write_text(LISTS, "utf-8")
    (folder / "refused.yaml").write_text(REFUSED, "utf-8")
    (folder / "cases.jsonl").write_text(json.dumps(CASE) + "\n", "utf-8")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_strategy_is_judged_and_the_last_line_says_what_to_look_at(call: Call) -> None:
    result = call("stress", "two-lists.yaml", "--strategy", "count-slice(keep=2)")
    assert result.exit_code == 0, result.output
    assert "Properties that held, of those that applied (1 scenario," in result.stdout
    assert "two-lists  valid: request before message 5: openai." in result.stdout
    last = result.stdout.rstrip().splitlines()[-1]
    assert last.startswith("Follow one: ")
    assert "show two-lists.yaml --strategy 'count-slice(keep=2)' --budget 75" in last


def test_all_built_in_strategies_are_judged_by_default(call: Call) -> None:
    result = call("stress", "two-lists.yaml")
    table = [line for line in result.stdout.splitlines() if "/" in line]
    assert len([line for line in table if line.split()[0] in library_strategies()]) == 12


def library_strategies() -> set[str]:
    from compaction_eval.strategies.loading import DEFAULT_STRATEGIES

    return set(DEFAULT_STRATEGIES)


def test_each_scenario_has_its_own_budget_and_summarizer(call: Call, folder: Path) -> None:
    call(
        "stress", "two-lists.yaml", "refused.yaml", "--strategy", "rolling-summary", "-o", "x.json"
    )
    document = json.loads((folder / "x.json").read_text("utf-8"))
    assert document["manifest"]["budgets"] == ["60%", "75"]
    judged = {(row["scenario"], row["property"]) for row in document["properties"]}
    # Only where the summariser fails is there something to be told of it.
    assert ("refused", "fallback-told") in judged
    assert ("two-lists", "fallback-told") not in judged


def test_a_summarizer_of_the_command_line_overrules_the_scenarios(call: Call, folder: Path) -> None:
    arguments = ("refused.yaml", "--strategy", "rolling-summary", "-o", "x.csv")
    call("stress", *arguments, "--summarizer", "extractive")
    assert "fallback-told" not in {row["property"] for row in rows(folder / "x.csv")}


@pytest.mark.parametrize(
    ("required", "code"),
    [(("--require", "valid"), 1), (("--require", "validity"), 1), (("--require", "order"), 0)],
)
def test_a_required_property_that_is_broken_makes_exit_code_1(
    call: Call, required: tuple[str, ...], code: int
) -> None:
    result = call("stress", "two-lists.yaml", "--strategy", "count-slice(keep=2)", *required)
    assert result.exit_code == code, result.output
    assert ("required propert" in result.stderr) == (code == 1)


@pytest.mark.parametrize("quiet", [(), ("-q",)], ids=["in full", "quiet"])
def test_below_a_broken_requirement_stands_what_to_look_at(
    call: Call, quiet: tuple[str, ...]
) -> None:
    arguments = ("--strategy", "count-slice(keep=2)", "--require", "whole-blocks", *quiet)
    result = call("stress", "two-lists.yaml", *arguments)
    assert result.exit_code == 1, result.output
    last = result.stderr.rstrip().splitlines()[-1]
    assert last.startswith("Follow one: ")
    assert "show two-lists.yaml --strategy 'count-slice(keep=2)' --budget 75" in last


def test_the_scenario_to_look_at_is_one_in_which_a_required_property_broke(
    call: Call, folder: Path
) -> None:
    calls = LISTS[LISTS.index("  - calls:") : LISTS.index("  - assistant: Birch")]
    calm = LISTS.replace("two-lists", "calm").replace(calls, "  - assistant: Let me see.\n")
    calm = calm.replace("[valid, whole-blocks]", "[first-request-kept]")
    (folder / "calm.yaml").write_text(calm, "utf-8")
    both = ("calm.yaml", "two-lists.yaml", "--strategy", "count-slice(keep=2)")
    assert "show calm.yaml" in call("stress", *both).stdout
    required = call("stress", *both, "--require", "whole-blocks")
    assert required.exit_code == 1
    assert "show two-lists.yaml" in required.stderr


def test_a_requirement_that_looked_at_nothing_is_no_pass(call: Call) -> None:
    arguments = ("--strategy", SOUND, "--require", "all-shown", "--require", "valid", "-q")
    result = call("stress", "two-lists.yaml", *arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.splitlines() == [
        "--require all-shown: it applied to no request of the one scenario",
        "A requirement that looked at nothing is never a pass: choose scenarios in which it "
        "applies (docs/edge-suite.md says where), or leave it out.",
    ]
    family = call("stress", "two-lists.yaml", "--strategy", SOUND, "--require", "summary")
    assert family.exit_code == 2


def test_a_strategy_that_is_held_to_a_requirement_by_nothing_is_named(call: Call) -> None:
    arguments = ("--strategy", SOUND, "--strategy", "rolling-summary", "--require", "one-call")
    result = call("stress", "two-lists.yaml", *arguments)
    assert result.exit_code == 0, result.output
    label = SOUND.replace(",", ", ")
    assert result.stderr == (
        f"--require one-call: it applied to no request of {label}; not judged there\n"
    )


def test_a_broken_requirement_counts_more_than_one_that_looked_at_nothing(call: Call) -> None:
    arguments = ("--strategy", "count-slice(keep=2)", "--require", "valid", "--require", "one-call")
    result = call("stress", "two-lists.yaml", *arguments)
    assert result.exit_code == 1
    assert "--require one-call: it applied to no request" in result.stderr


def test_what_a_strategy_breaks_that_isnt_required_is_no_failure(call: Call) -> None:
    sound = call("stress", "two-lists.yaml", "--strategy", SOUND, "--require", "validity")
    assert sound.exit_code == 0, sound.output


def test_cases_are_judged_beside_scenarios_or_alone(call: Call, folder: Path) -> None:
    alone = call("stress", "--cases", "cases.jsonl", "--strategy", SOUND, "-o", "x.csv")
    assert alone.exit_code == 0, alone.output
    assert {row["scenario"] for row in rows(folder / "x.csv")} == {"asked"}
    call("stress", "two-lists.yaml", "--cases", "cases.jsonl", "--strategy", SOUND, "-o", "y.csv")
    assert {row["scenario"] for row in rows(folder / "y.csv")} == {"two-lists", "asked"}


def test_a_case_is_no_file_that_could_be_shown(call: Call) -> None:
    result = call("stress", "--cases", "cases.jsonl", "--strategy", "empty")
    last = result.stdout.rstrip().splitlines()[-1]
    assert last.startswith("Every reason: ")
    assert last.endswith("stress --cases cases.jsonl --strategy empty -o edge.md")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("tiny.yaml",), "tiny.yaml: 'tiny' has no `stress` section"),
        (("tow-lists.yaml",), "tow-lists.yaml: no such file"),
        (("--cases", "none.jsonl"), "--cases: none.jsonl: no such file"),
        (("--cases", "mine.py"), "mine.py:1:1: not JSON"),
        (("two-lists.yaml", "--require", "valid"), "--require: say with --strategy"),
        (
            ("two-lists.yaml", "--strategy", "none", "--require", "vaild"),
            "--require: no family or property is 'vaild'; did you mean 'valid'?",
        ),
        (("two-lists.yaml", "--strategy", "nnone"), "unknown strategy 'nnone'"),
        (("two-lists.yaml", "--strategy", ""), "--strategy: it is empty"),
        (("two-lists.yaml", "--summarizer", "extra"), "--summarizer: unknown summarizer 'extra'"),
        (("two-lists.yaml", "-o", "x.xml"), "no result format has the suffix '.xml'"),
        (
            ("two-lists.yaml", "--strategy", "none", "--require", "VALIDITY"),
            "--require: no family or property is 'VALIDITY'; did you mean 'validity'?",
        ),
        (
            ("--cases", "cases.jsonl", "--cases", "cases.jsonl"),
            "cases.jsonl:1: the id 'asked' is given 2 times; rename one",
        ),
        (
            ("--cases", "two-lists.yaml"),
            "--cases: two-lists.yaml: is YAML; a scenario is given without --cases",
        ),
        (("cases.jsonl",), "cases.jsonl: holds cases and no scenario; give it with --cases"),
    ],
)
def test_wrong_input_is_told_in_a_line_and_nothing_runs(
    call: Call, arguments: tuple[str, ...], fault: str
) -> None:
    result = call("stress", *arguments)
    assert result.exit_code == 2, result.output
    assert fault in result.stderr
    assert result.stdout == ""


def test_a_scenario_given_as_cases_is_told_in_one_line(call: Call) -> None:
    assert len(call("stress", "--cases", "two-lists.yaml").stderr.splitlines()) == 1


def test_each_line_with_an_id_given_twice_is_named(call: Call, folder: Path) -> None:
    (folder / "cases.jsonl").write_text(f"{json.dumps(CASE)}\n\n" * 2, "utf-8")
    result = call("stress", "--cases", "cases.jsonl")
    told = "the id 'asked' is given 2 times; rename one"
    assert result.stderr.splitlines() == [f"cases.jsonl:{line}: {told}" for line in (1, 3)]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("budget: 75", "budget: lots", "two-lists.yaml:6:11: budget 'lots' is neither"),
        (
            "budget: 75",
            "budget: 75\n  summarizer: extra",
            "two-lists.yaml:7:15: unknown summarizer 'extra'",
        ),
    ],
)
def test_a_wrong_setting_of_a_scenario_is_told_with_its_file(
    call: Call, folder: Path, old: str, new: str, fault: str
) -> None:
    (folder / "two-lists.yaml").write_text(LISTS.replace(old, new), "utf-8")
    result = call("stress", "two-lists.yaml")
    assert result.exit_code == 2
    assert fault in result.stderr


def test_of_a_folder_those_with_a_stress_section_are_taken(call: Call, folder: Path) -> None:
    result = call("stress", ".", "--strategy", SOUND, "-o", "x.csv")
    assert result.exit_code == 0, result.output
    assert {row["scenario"] for row in rows(folder / "x.csv")} == {"refused", "two-lists"}


def test_nothing_selected_is_exit_code_5(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("two-lists.yaml", "refused.yaml"):
        (folder / name).unlink()
    assert call("stress", ".").exit_code == 5


def test_without_a_selector_the_shipped_edge_suite_is_judged(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = folder / "shipped"
    shipped.mkdir()
    (shipped / "two-lists.yaml").write_text(LISTS, "utf-8")
    (shipped / "refused.yaml").write_text(REFUSED.replace("[edge]", "[other]"), "utf-8")
    monkeypatch.setattr("compaction_eval.commands.stress_planning.library_folder", lambda: shipped)
    assert library.library_folder() != shipped
    call("stress", "--strategy", SOUND, "-o", "x.csv")
    assert {row["scenario"] for row in rows(folder / "x.csv")} == {"two-lists"}


def test_a_strategy_that_raises_makes_the_run_incomplete(call: Call) -> None:
    arguments = ("--strategy", "./mine.py:boom", "--strategy", SOUND, "--require", "valid")
    result = call("stress", "two-lists.yaml", *arguments)
    assert result.exit_code == 3
    assert "1 cell of ./mine.py:boom: raised RuntimeError: no luck" in result.stderr
    assert "1 of 2 cells couldn't be judged." in result.stderr


def test_processes_judge_as_one_process_does(call: Call, folder: Path) -> None:
    arguments = ("two-lists.yaml", "refused.yaml", "--strategy", "./mine.py:last_two")
    for executor, name in (("inline", "a.csv"), ("processes", "b.csv")):
        result = call("stress", *arguments, "--executor", executor, "--jobs", "2", "-o", name)
        assert result.exit_code == 0, result.output
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()
    assert len(rows(folder / "a.csv")) > 20


def test_result_files_have_a_row_for_each_verdict(call: Call, folder: Path) -> None:
    outputs = ("-o", "x.csv", "-o", "x.md", "-o", "x.json")
    call("stress", "two-lists.yaml", "--strategy", "count-slice(keep=2)", *outputs)
    found = {row["property"]: row for row in rows(folder / "x.csv")}
    assert found["valid"]["held"] == "false"
    assert found["valid"]["about"] == "true"
    assert found["valid"]["reason"].startswith("request before message 5: ")
    assert found["in-order"]["held"] == "true"
    assert found["in-order"]["reason"] == ""
    assert [row["family"] for row in found.values()] == [PROPERTIES[n].family for n in found]
    page = (folder / "x.md").read_text("utf-8")
    title = "Parallel calls \\| whose answers fit only together"
    assert f"| two-lists | {title} | valid, whole-blocks | no |" in page
    assert "<summary>" in page
    assert "- count-slice(keep=2), two-lists, valid: request before message 5" in page


def test_quiet_is_one_line_and_says_what_to_look_at(call: Call) -> None:
    result = call("stress", "two-lists.yaml", "--strategy", SOUND, "-q")
    assert result.stdout.startswith("1 scenario judged; 1 property broken. Follow one: ")
    assert "show two-lists.yaml --strategy 'block-truncation(request=keep, " in result.stdout
    assert len(result.stdout.splitlines()) == 1


def test_quiet_has_nothing_to_look_at_where_all_held(call: Call) -> None:
    result = call("stress", "--cases", "cases.jsonl", "--strategy", "none", "-q", "-o", "x.csv")
    assert result.stdout == "1 scenario judged; 0 properties broken.\n"


@pytest.mark.parametrize("columns", ["80", "120"])
def test_no_line_of_the_table_is_wider_than_the_terminal(
    call: Call, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    names = ("--strategy", SOUND, "--strategy", "keep-recent-summary(pairs=keep)")
    result = call("stress", "two-lists.yaml", "refused.yaml", *names)
    lines = result.stdout.splitlines()
    assert max(map(len, lines[:-1])) <= int(columns)
    heading = next(line for line in lines if line.startswith("strategy"))
    assert heading.split()[2] == "order"


def test_variants_of_a_scenario_are_one_scenario(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    text = text.replace("turns:\n", "params: {noise: [0, 2]}\nturns:\n", 1).replace(
        "  - user: Now", "  - filler: {kind: chat, turns: $noise, seed: 3}\n  - user: Now"
    )
    (folder / "tiny.yaml").write_text(f"{text}stress: {{budget: 60%, holds: [valid]}}\n")
    told = call("stress", "-q", "tiny.yaml", "--strategy", "token-window")
    assert told.stdout.startswith("1 scenario in 2 variants judged; "), told.output
