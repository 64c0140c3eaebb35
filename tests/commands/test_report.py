"""`report`, on finished runs of a tiny scenario."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import Result
from tests.commands.conftest import MEASURE

from compaction_eval.eval.recovery import recovered
from compaction_eval.eval.store import read_run

Call = Callable[..., Result]
FullDisk = Callable[[int], AbstractContextManager[None]]


@pytest.fixture
def measured(call: Call) -> str:
    """The folder of a finished run."""
    assert call(*MEASURE, "--budget", "90%", "--out", "runs/one").exit_code == 0
    return "runs/one"


def test_tables_words_and_the_next_step_are_printed(
    call: Call, measured: str, folder: Path
) -> None:
    result = call("report", measured)
    assert result.exit_code == 0
    for by in ("family", "kind", "language", "position", "age"):
        assert f"Budget 60% by {by} " in result.stdout
        assert f"Budget 90% by {by} " in result.stdout
        assert f"\nBy {by}, budget 90%: one group only, " in result.stdout
    assert f"\n{folder.name} " in result.stdout
    assert "probe 'p'" not in result.stdout
    *_, own, last = result.stdout.splitlines()
    assert own.startswith("1 probe tells no strategies apart (0 passed by all, 1 by none): ")
    assert last.startswith("Follow a lost fact: ")


def test_the_next_step_is_a_command_that_works(call: Call, measured: str) -> None:
    own, loss = map(shlex.split, call("report", measured).stdout.splitlines()[-2:])
    checked = call(*own[own.index("check") :])
    assert checked.exit_code == 0
    assert "tiny, probe 'p' (recall)" in checked.stderr
    shown = call(*loss[loss.index("show") :])
    assert shown.exit_code == 0
    assert "Which port does staging use?" in shown.stdout
    assert "The same on the page: " in shown.stdout


def test_the_next_step_is_about_the_budgets_and_strategies_that_are_asked_for(
    call: Call, measured: str
) -> None:
    line = call("report", measured, "--budget", "90%").stdout.splitlines()[-1]
    assert "--strategy ./mine.py:last_two --budget 90% " in line
    line = call("report", measured, "--strategy", "token-window").stdout.splitlines()[-1]
    assert "--strategy token-window " in line


def test_probes_of_shipped_scenarios_are_nobodys_chore(call: Call) -> None:
    done = call(
        "run", "-q", "--scenario", "milestone-rounds", "--budget", "30%", "--out", "shipped"
    )
    assert done.exit_code == 0
    result = call("report", "shipped", "--by", "kind")
    assert "no strategies apart" not in result.stdout
    assert " show milestone-rounds " in result.stdout.splitlines()[-1]


def test_commands_about_a_run_work_from_another_folder_than_it_was_made_in(
    call: Call, measured: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    result = call("report", f"../{measured}", "-o", "report.md")
    own, loss = map(shlex.split, result.stdout.splitlines()[-2:])
    assert "../tiny.yaml" in own
    assert call(*own[own.index("check") :]).exit_code == 0
    shown = call(*loss[loss.index("show") :])
    assert shown.exit_code == 0, shown.output
    gated = call("gate", f"../{measured}", "--fail-under", "survival=50%")
    follow = next(line for line in gated.stdout.splitlines() if line.startswith("Follow the first"))
    words = shlex.split(follow)
    assert call(*words[words.index("show") :]).exit_code == 0


def test_a_run_and_what_it_measured_can_be_moved_together(
    call: Call, measured: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "new").mkdir()
    for name in ("runs", "tiny.yaml", "mine.py"):
        (folder / name).rename(folder / "new" / name)
    line = call("report", f"new/{measured}").stdout.splitlines()[-1]
    assert " show new/tiny.yaml " in line
    monkeypatch.chdir(folder / "new")
    assert " show tiny.yaml " in call("report", measured).stdout.splitlines()[-1]


def test_where_no_fact_was_lost_the_next_step_is_single_probes(call: Call) -> None:
    whole = [one.replace("./mine.py:last_two", "count-slice(keep=9)") for one in MEASURE]
    call(*whole, "--no-controls", "--out", "apart")
    line = call("report", "apart").stdout.splitlines()[-1]
    assert line.startswith("Probe by probe: ")
    words = shlex.split(line)
    result = call(*words[words.index("report") :])
    assert "\ntiny p " in result.stdout
    assert result.stdout.splitlines()[-1].startswith("Follow one probe: ")


def test_dimensions_budgets_and_strategies_can_be_chosen(call: Call, measured: str) -> None:
    result = call("report", measured, "--by", "kind", "--budget", "60.0%", "--strategy", "none")
    assert "by family" not in result.stdout
    assert "Budget 90%" not in result.stdout
    assert "none *" in result.stdout
    assert "last_two" not in result.stdout


def test_the_bounds_of_the_scale_are_shown_only_when_asked_for(call: Call, measured: str) -> None:
    heading = call("report", measured, "--by", "kind").stdout.splitlines()
    assert not any("none *" in line or "empty *" in line for line in heading)


def test_files_are_written_by_their_suffix(call: Call, measured: str) -> None:
    result = call("report", measured, "-o", "new/d.csv", "-o", "d.md")
    assert "Written: new/d.csv, d.md\n" in result.stdout
    lines = list(csv.DictReader(Path("new/d.csv").read_text().splitlines()))
    assert {line["by"] for line in lines} == {"family", "kind", "language", "position", "age"}
    assert Path("d.md").read_text().startswith("# Where compaction loses most\n")


def test_the_only_run_is_meant_where_none_is_named(call: Call, measured: str) -> None:
    assert call("report").stdout.replace(" runs/one", "") == call(
        "report", measured
    ).stdout.replace(" runs/one", "")
    call(*MEASURE, "--out", "runs/two")
    result = call("report")
    assert (result.exit_code, result.stderr) == (
        2,
        "2 runs in runs/: name one of runs/one, runs/two\n",
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("absent",), "absent: there is no such folder; make it: "),
        (("runs/one", "--strategy", "nine"), "this run has no 'nine'; did you mean 'none'?"),
        (("runs/one", "--budget", "61%"), "--budget: this run has no '61%'; did you mean '60%'?"),
        (("runs/one", "--budget", "x"), "budget 'x'"),
        (("runs/one", "-o", "d.json"), "no result format has the suffix '.json'"),
    ],
)
def test_a_mistake_takes_one_line_and_ends_with_2(
    call: Call, measured: str, arguments: tuple[str, ...], reason: str
) -> None:
    result = call("report", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert reason in line


def test_without_any_run_the_command_that_makes_one_is_told(call: Call) -> None:
    result = call("report")
    assert result.exit_code == 2
    assert result.stderr.startswith("there is no run in runs/: name a run's folder, or: ")


def test_a_run_with_errors_is_reported_and_ends_with_3(call: Call) -> None:
    call(*MEASURE, "--strategy", "./mine.py:boom", "--out", "failed")
    result = call("report", "failed")
    assert result.exit_code == 3
    assert "Budget 60% by kind" in result.stdout
    *told, last = result.stderr.splitlines()
    assert told == [
        "1 cell of ./mine.py:boom: raised RuntimeError: no luck (mine.py:5)",
        "1 of 6 cells without figures.",
    ]
    assert last.startswith("Once that is mended: ")


def test_an_interrupted_run_is_told_in_every_file_and_ends_with_3(
    call: Call, measured: str
) -> None:
    file = Path(measured, "cells.jsonl")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-1]))
    result = call("report", measured)
    assert result.exit_code == 3
    assert "This run holds 9 of 10 cells: " in result.stderr
    assert "Not all strategies were measured at the same budgets" in result.stderr
    file.write_text("".join(line for line in lines if '"60%"' in line))
    result = call("report", measured, "-o", "page.html", "-o", "page.md")
    assert result.exit_code == 3
    told = "This run holds 5 of 10 cells: it was interrupted; figures rest on these."
    assert result.stderr.splitlines()[0] == told
    assert told in Path("page.html").read_text()
    assert told in Path("page.md").read_text()
    head, _, command = result.stderr.splitlines()[-1].partition(": ")
    assert head == "Measure the rest"
    words = shlex.split(command)
    assert call(*words[words.index("run") :]).exit_code == 0
    assert call("report", measured).exit_code == 0
    assert sorted(file.read_text().splitlines()) == sorted("".join(lines).splitlines())


def test_a_run_of_an_earlier_version_is_read_and_what_it_lacks_is_told(
    call: Call, measured: str
) -> None:
    file = Path(measured, "manifest.json")
    manifest = json.loads(file.read_text())
    del manifest["places"]
    for scenario in manifest["scenarios"]:
        del scenario["lang"]
    file.write_text(json.dumps(manifest))
    result = call("report", measured)
    assert result.exit_code == 0
    assert "This run doesn't say which family its scenarios belong to" in result.stdout
    assert "This run doesn't say which language its scenarios are in" in result.stdout
    assert "Budget 60% by kind" in result.stdout


def test_a_file_that_does_not_fit_on_the_disk_is_told_and_the_old_one_stays(
    call: Call, measured: str, files_of_at_most: FullDisk
) -> None:
    Path("d.csv").write_text("old\n")
    with files_of_at_most(100):
        result = call("report", measured, "--by", "kind", "-o", "d.csv")
    assert result.exit_code == 3
    assert "d.csv: can't be written: " in result.stderr
    assert "Written: " not in result.stdout
    assert Path("d.csv").read_text() == "old\n"


def test_damaged_lines_are_told_and_are_no_interruption(
    call: Call, measured: str, folder: Path
) -> None:
    cells = folder / measured / "cells.jsonl"
    _, *others = cells.read_text("utf-8").splitlines(keepends=True)
    cells.write_text("garbage\n" + "".join(others), "utf-8")
    result = call("report", measured)
    assert result.exit_code == 3
    assert result.stderr.startswith("1 line of cells.jsonl can't be read, though written whole")
    assert "interrupted" not in result.stderr


def test_a_run_of_damaged_lines_alone_is_not_called_unfinished(
    call: Call, measured: str, folder: Path
) -> None:
    (folder / measured / "cells.jsonl").write_text("garbage\n", "utf-8")
    result = call("report", measured)
    assert result.exit_code == 2
    assert "damaged: not one of its lines can be read" in result.stderr


def test_with_one_strategy_no_probe_is_said_to_tell_none_apart(call: Call) -> None:
    alone = [one for one in MEASURE if one != "--strategy" and not one.startswith("./")]
    call(*alone, "--budget", "90%", "--strategy", "token-window", "--no-controls", "--out", "alone")
    result = call("report", "alone")
    assert result.exit_code == 0
    assert "no strategies apart" not in result.stdout


def test_a_hint_that_is_no_command_is_folded_between_its_words(
    call: Call, measured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = call("report", measured, "--by", "kind").stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("Costs in dollars"))
    assert len(lines[at]) <= 60
    assert f"{lines[at].rstrip()} {lines[at + 1]}".endswith("--price MODEL, such as gpt-5")


def test_a_transcript_is_found_again_from_another_folder(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = [
        {"role": "user", "content": "Restart the pump P-7731 at noon." + " And wait." * 50},
        {"role": "assistant", "content": "It will start at noon."},
        {"role": "user", "content": "Which one?"},
        {"role": "assistant", "content": "The pump P-7731."},
    ]
    (folder / "talk.json").write_text(json.dumps(messages), "utf-8")
    given = ("--transcript", "talk.json", "--strategy", "./mine.py:last_two")
    done = call("run", "-q", *given, "--budget", "60%", "--out", "talked")
    assert done.exit_code == 0, done.output
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    run = read_run(Path("../talked"))
    assert not recovered(run.manifest).lacking
    result = call("report", "../talked")
    words = shlex.split(result.stdout.splitlines()[-1])
    assert "../talk.json" in words, result.output
    assert call(*words[words.index("show") :]).exit_code == 0
