"""`compare`, on finished runs of a tiny scenario."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import Result

from compaction_eval.eval.baseline import write_baseline
from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.store import read_run

Call = Callable[..., Result]
FullDisk = Callable[[int], AbstractContextManager[None]]
RUN = ("run", "-q", "--scenario", "tiny.yaml", "--budget", "90%", "--no-controls")
KEEPS, LOSES = "count-slice(keep=9, name=mine)", "count-slice(keep=2, name=mine)"


@pytest.fixture
def runs(call: Call) -> tuple[str, str]:
    """A run whose strategy keeps the fact, and one whose strategy of the same name loses it."""
    assert call(*RUN, "--strategy", KEEPS, "--out", "base").exit_code == 0
    assert call(*RUN, "--strategy", LOSES, "--out", "new").exit_code == 0
    return "base", "new"


def test_a_lost_fact_comes_first_with_file_and_line(call: Call, runs: tuple[str, str]) -> None:
    result = call("compare", *runs)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == (
        "1 lost, 0 turned stale, 0 turned wrong, 0 regained, of 1 verdict in 1 cell."
    )
    assert lines[2] == "Lost: 1"
    assert lines[3].endswith("tiny.yaml:15: tiny p@end, mine at 90%: correct -> missing")
    for by in ("strategy", "kind", "age", "tag"):
        assert f"By {by}" in lines
    (survival,) = (line for line in lines if line.startswith("  survival"))
    assert survival.split() == ["survival", "100%", "0%", "−100.0", "too", "few"]


def test_the_next_step_is_a_command_that_shows_the_loss(call: Call, runs: tuple[str, str]) -> None:
    line = call("compare", *runs).stdout.splitlines()[-1]
    assert line.startswith("Follow a lost fact: ")
    words = shlex.split(line)
    shown = call(*words[words.index("show") :])
    assert shown.exit_code == 0
    assert "left the view at request" in shown.stdout


def test_the_other_way_round_it_is_regained(call: Call, runs: tuple[str, str]) -> None:
    result = call("compare", *reversed(runs))
    assert "Regained: 1" in result.stdout
    assert "Follow a lost fact" not in result.stdout


def test_a_run_is_the_same_as_itself(call: Call, runs: tuple[str, str]) -> None:
    result = call("compare", runs[0], runs[0])
    assert result.exit_code == 0
    assert "No verdict flipped, of 1 verdict in 1 cell." in result.stdout
    assert "The same: mine at 90%." in result.stdout
    assert "The same" not in call("compare", runs[0], runs[0], "--only-changed").stdout


def test_a_baseline_says_what_its_run_says_but_ages(call: Call, runs: tuple[str, str]) -> None:
    write_baseline(Path("base.jsonl"), evidence_of(read_run(Path("base")), "base"))
    result = call("compare", "base.jsonl", "new", "--by", "strategy", "--by", "age")
    assert "Not by age: a baseline doesn't tell" in result.stdout
    from_runs = call("compare", *runs, "--by", "strategy").stdout
    assert [line for line in result.stdout.splitlines() if "Not by age" not in line] == (
        from_runs.splitlines()
    )


def test_only_what_changed_is_shown_where_that_is_asked_for(
    call: Call, runs: tuple[str, str]
) -> None:
    assert "\n  stale " in call("compare", *runs).stdout
    assert "\n  stale " not in call("compare", *runs, "--only-changed").stdout


def test_quiet_prints_the_numbers_alone(call: Call, runs: tuple[str, str]) -> None:
    result = call("compare", *runs, "-q")
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.startswith("1 lost, ")


def test_files_hold_the_flips_and_the_differences(call: Call, runs: tuple[str, str]) -> None:
    outputs = ("-o", "c/c.md", "-o", "c.csv", "-o", "c.json")
    assert "Written: c/c.md, c.csv, c.json\n" in call("compare", *runs, *outputs).stdout
    lines = list(csv.DictReader(Path("c.csv").read_text().splitlines()))
    assert {line["by"] for line in lines} == {"strategy", "kind", "age", "tag"}
    document = json.loads(Path("c.json").read_text())
    (flip,) = document["flips"]
    assert (flip["change"], flip["probe"], flip["line"]) == ("lost", "p", 15)
    assert len(document["differences"]) == len(lines)
    assert "\n<summary>Lost: 1</summary>\n\n- " in Path("c/c.md").read_text()


def test_what_can_not_be_compared_is_refused_with_every_reason(
    call: Call, runs: tuple[str, str]
) -> None:
    tiny = Path("tiny.yaml")
    tiny.write_text(tiny.read_text().replace("Renamed.", "It is renamed."), "utf-8")
    call(*RUN, "--strategy", KEEPS, "--encoding", "cl100k_base", "--out", "other")
    result = call("compare", runs[0], "other")
    assert (result.exit_code, result.stdout) == (2, "")
    encoding, scenario = result.stderr.splitlines()
    assert encoding == "can't be compared: encoding: o200k_base in base, cl100k_base in other"
    assert "scenario tiny" in scenario


def test_an_incomplete_run_is_shown_as_far_as_it_goes(call: Call, runs: tuple[str, str]) -> None:
    both = (*RUN, "--strategy", LOSES, "--strategy", "./mine.py:boom", "--out", "half")
    assert call(*both).exit_code == 3
    result = call("compare", runs[0], "half")
    assert result.exit_code == 3
    assert "Lost: 1" in result.stdout
    assert "Strategies only in half, not compared: ./mine.py:boom at 90%" in result.stdout
    assert "half is incomplete (1 cell without figures)" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("base", "absent"), 2, "absent: is neither a run folder nor a baseline file"),
        (("base", "tiny.yaml"), 2, "tiny.yaml:1:1: is no baseline"),
        (("base", "new", "--strategy", "mina"), 2, "no 'mina'; did you mean 'mine'?"),
        (("base", "new", "--budget", "91%"), 2, "--budget: there is no '91%'"),
        (("base", "new", "-o", "c.xml"), 2, "no result format has the suffix '.xml'"),
        (("base",), 2, "Give BASE and NEW, or one RUN with --between A B."),
        (("base", "new", "--between", "mine", "mine"), 2, "Give BASE and NEW, or one RUN"),
        (("base", "--between", "mine", "mine", "--by", "kind"), 2, "--between goes with"),
        (("base", "--between", "mine", "yours"), 2, "--between: there is no 'yours'"),
    ],
)
def test_a_mistake_is_told(
    call: Call, runs: tuple[str, str], arguments: tuple[str, ...], code: int, reason: str
) -> None:
    result = call("compare", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert reason in result.stderr


def test_filters_that_leave_nothing_end_with_5(call: Call, runs: tuple[str, str]) -> None:
    more = (*RUN, "--strategy", LOSES, "--strategy", "count-slice(keep=3, name=other)")
    call(*more, "--out", "wide")
    result = call("compare", "base", "wide", "--strategy", "other")
    assert (result.exit_code, result.stdout) == (5, "")
    assert "no cell is measured in both with --strategy other" in result.stderr


def test_two_strategies_of_one_run_are_compared_at_the_same_size(call: Call) -> None:
    strategies = ("--strategy", "token-window", "--strategy", KEEPS)
    call(*RUN, "--budget", "60%", *strategies, "--out", "one")
    result = call("compare", "one", "--between", "token-window", "token-window", "-o", "m.json")
    assert result.exit_code == 0
    assert "token-window at 60%, at " in result.stdout
    assert (
        "difference 0.0 points (fewer than 6 scenarios, too few for an interval), 1 scenario."
        in (result.stdout)
    )
    assert len(json.loads(Path("m.json").read_text())["matches"]) == 2
    beyond = call("compare", "one", "--between", "mine", "token-window", "--budget", "60%")
    assert "mine at 60%: no match; in 1 scenario its views are larger than all of" in beyond.stdout


def test_a_full_disk_costs_the_file_and_is_told(
    call: Call, runs: tuple[str, str], files_of_at_most: FullDisk
) -> None:
    with files_of_at_most(10):
        result = call("compare", *runs, "-o", "c.json")
    assert result.exit_code == 3
    assert "c.json: can't be written: " in result.stderr
