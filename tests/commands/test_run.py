"""`run`, end to end on a tiny scenario."""

from __future__ import annotations

import csv
import json
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from compaction_eval.cli import cli
from compaction_eval.commands import running

Call = Callable[..., Result]
FullDisk = Callable[[int], AbstractContextManager[None]]
BASE = ("--scenario", "tiny.yaml", "--budget", "60%")


def rows(file: str) -> dict[str, dict[str, object]]:
    document = json.loads(Path(file).read_text("utf-8"))
    return {row["strategy"]: row for row in document["summary"]}


def test_ones_own_function_is_measured_and_the_controls_stand_beside_it(call: Call) -> None:
    result = call("run", *BASE, "--strategy", "./mine.py:last_two", "-o", "out.json")
    assert result.exit_code == 0
    found = rows("out.json")
    assert list(found) == [
        "./mine.py:last_two", "none", "empty", "evidence-only", "token-window"
    ]  # fmt: skip
    survival = [found[name]["survival"] for name in found]
    assert survival == [0.0, 1.0, 0.0, 1.0, 0.0]
    assert "./mine.py:last_two" in result.stdout
    assert "Written: runs/" in result.stdout


def test_without_controls_only_what_was_named_is_measured(call: Call) -> None:
    call("run", *BASE, "--strategy", "none", "--no-controls", "-o", "out.json")
    assert list(rows("out.json")) == ["none"]


def test_the_next_step_is_a_command_that_works(call: Call) -> None:
    result = call("run", *BASE, "--strategy", "./mine.py:last_two")
    line = result.stdout.splitlines()[-1]
    assert line.startswith("Follow a lost fact: ")
    words = shlex.split(line.removeprefix("Follow a lost fact: "))
    shown = call(*words[words.index("show") :])
    assert shown.exit_code == 0
    assert "missing  p, asked at the end" in shown.stdout
    assert "left the view at request #1" in shown.stdout


def test_a_raising_strategy_ends_with_3_and_the_others_go_on(call: Call) -> None:
    result = call(
        "run", *BASE, "--strategy", "./mine.py:boom", "--strategy", "none", "-o", "out.json"
    )
    assert result.exit_code == 3
    reason = "1 cell of ./mine.py:boom: raised RuntimeError: no luck (mine.py:5)"
    assert reason in result.stderr.splitlines()
    assert result.stderr.splitlines()[1] == "1 of 5 cells without figures."
    assert result.stderr.splitlines()[2].startswith("Once that is mended: ")
    assert "run --scenario tiny.yaml --budget 60% --strategy ./mine.py:boom" in result.stderr
    assert "Traceback" not in result.output
    assert rows("out.json")["none"]["survival"] == 1.0
    assert rows("out.json")["./mine.py:boom"]["survival"] is None


def test_a_mended_strategy_is_measured_again_under_the_same_command(call: Call) -> None:
    command = ("run", *BASE, "--strategy", "./mine.py:boom", "--out", "mended-run")
    assert call(*command).exit_code == 3
    again = call(*command)
    assert again.exit_code == 3
    assert "Nothing new to measure" not in again.output


def test_a_finished_run_is_not_run_again(call: Call) -> None:
    first = call("run", *BASE, "--strategy", "none", "-o", "first.json")
    again = call("run", *BASE, "--strategy", "none", "-o", "again.json")
    assert "Nothing new to measure: 4 cells had been finished before." in again.stdout
    assert "Nothing new to measure" not in first.stdout
    assert Path("first.json").read_bytes() == Path("again.json").read_bytes()
    assert len(list(Path("runs").iterdir())) == 1


def test_other_cells_of_the_same_run_are_new(call: Call) -> None:
    command = ("run", *BASE, "--strategy", "token-summary", "--out", "one-run", "-k")
    assert call(*command, "none or empty").exit_code == 0
    assert "Nothing new to measure" not in call(*command, "token-summary").output
    assert "Nothing new to measure: 1 cell had" in call(*command, "token-summary").output


def test_answers_that_changed_are_measured_anew(call: Call, folder: Path) -> None:
    (folder / "answers.txt").write_text("One thing was said.\n", "utf-8")
    command = ("run", *BASE, "--strategy", "token-summary", "--summarizer",
               "scripted(file=answers.txt)")  # fmt: skip
    call(*command)
    (folder / "answers.txt").write_text("Another thing was said.\n", "utf-8")
    assert "Nothing new to measure" not in call(*command).output
    assert len(list(Path("runs").iterdir())) == 2


def test_what_rests_on_the_answer_key_is_marked_however_deep_it_sits(call: Call) -> None:
    result = call(
        "run", "--scenario", "tiny.yaml", "--budget", "70%", "--no-controls",
        "--strategy", "count-summary(max_messages=3, keep_recent=1)",
        "--summarizer", "faulty(every=9, inner=faulty(every=9, inner=oracle), name=deep)",
        "--summarizer", "scripted(answers=oracle)", "-o", "out.json",
    )  # fmt: skip
    summary = json.loads(Path("out.json").read_text("utf-8"))["summary"]
    assert [row["summary_calls"] > 0 for row in summary] == [True, True]
    assert {row["summarizer"]: row["sees_answer_key"] for row in summary} == {
        "deep": True,
        "scripted(answers=oracle)": False,
    }
    signs = {line.split(" + ")[1].split(" ")[0]: "†" in line for line in result.stdout.splitlines()
             if " + " in line and line.startswith("count-summary")}  # fmt: skip
    assert signs == {"deep": True, "scripted(answers=oracle)": False}


def test_k_selects_cells_by_words(call: Call) -> None:
    call(
        "run", *BASE, "--strategy", "none", "-k", "ports and not (empty or window)", "-o", "o.json"
    )
    assert list(rows("o.json")) == ["none", "evidence-only"]


def test_nothing_selected_ends_with_5_and_says_what_was_there(call: Call) -> None:
    result = call("run", "-q", *BASE, "-k", "nothing-like-this")
    assert result.exit_code == 5
    (line,) = result.stderr.splitlines()
    assert line.startswith("-k 'nothing-like-this' selects none of 12 cells; 1 scenario: tiny;")
    assert "token-window" in line
    assert not Path("runs").exists()


def test_all_faults_are_told_at_once_before_anything_runs(call: Call) -> None:
    result = call(
        "run", "--scenario", "tinny.yaml", "--strategy", "token-windw",
        "--strategy", "count-slice(kep=3)", "--budget", "30 percent", "--summarizer", "extractiv",
        "-o", "out.jsn", "-k", "a b",
    )  # fmt: skip
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    for expected in (
        "tinny.yaml: no such file or folder",
        "did you mean 'token-window'?",
        "did you mean 'keep'?",
        "30 percent",
        "did you mean 'extractive'?",
        "did you mean '.json'?",
        "'and' or 'or' is missing before 'b'",
    ):
        assert sum(expected in line for line in lines) == 1, (expected, lines)
    assert len(lines) == 7
    assert "Traceback" not in result.output
    assert not Path("runs").exists()


def test_two_different_strategies_cannot_have_one_name(call: Call) -> None:
    result = call(
        "run", *BASE, "--strategy", "count-slice(keep=2, name=x)", "--strategy",
        "count-slice(keep=3, name=x)",
    )  # fmt: skip
    assert result.exit_code == 2
    assert result.stderr == (
        "--strategy: 'count-slice(keep=3, name=x)' would have the name of"
        " 'count-slice(keep=2, name=x)', 'x'; give it another name\n"
    )


def test_a_strategy_with_the_name_of_a_control_that_is_added_is_told_so(call: Call) -> None:
    command = ("run", *BASE, "--strategy", "count-slice(name=none)")
    result = call(*command)
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "--strategy: 'count-slice(name=none)' has the name of the control 'none', which is added;"
    )
    assert call(*command, "--no-controls").exit_code == 0


@pytest.mark.parametrize("option", ["scenario", "strategy", "budget", "out", "output"])
def test_an_empty_value_is_refused_and_stands_for_nothing(call: Call, option: str) -> None:
    result = call("run", *BASE, f"--{option}", "")
    assert (result.exit_code, result.stderr) == (2, f"--{option}: it is empty\n")


@pytest.mark.parametrize(
    ("option", "value"),
    [("time-limit", "nan"), ("time-limit", "inf"), ("time-limit", "86401"), ("repeats", "1001")],
)
def test_a_number_that_no_run_could_have_is_refused(
    call: Call, folder: Path, option: str, value: str
) -> None:
    """Also in a configuration, by the same bounds."""
    result = call("run", *BASE, f"--{option}", value, "--dry-run")
    assert result.exit_code == 2
    assert f"Invalid value for '--{option}'" in result.stderr
    (folder / "compaction-eval.yaml").write_text(f"scenario: tiny.yaml\n{option}: {value}\n")
    result = call("run", "--dry-run")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"compaction-eval.yaml:2:{len(option) + 3}: '{option}': ")


def test_a_dry_run_says_what_would_run_and_writes_nothing(call: Call) -> None:
    result = call("run", *BASE, "--strategy", "none", "--dry-run", "-o", "out.json")
    assert result.exit_code == 0
    assert "Would measure 4 cells of 4 into runs/" in result.stdout
    assert not Path("runs").exists()
    assert not Path("out.json").exists()


def test_quiet_prints_one_line(call: Call) -> None:
    result = call("run", "-q", *BASE, "--strategy", "none", "-o", "out.csv")
    assert result.stderr == ""
    (line,) = result.stdout.splitlines()
    assert line.startswith("4 cells measured: runs/")
    assert line.endswith(", out.csv")
    with Path("out.csv").open(newline="") as stream:
        assert len(list(csv.DictReader(stream))) == 4


def test_the_configuration_is_used_and_the_command_line_wins(call: Call, folder: Path) -> None:
    (folder / "compaction-eval.yaml").write_text(
        "scenario: tiny.yaml\nbudget: 60%\ncontrols: false\noutput: out.json\nquiet: true\n"
        "strategy:\n  - {use: count-slice, keep: 2, name: last-two}\n  - none\n"
    )
    assert call("run").exit_code == 0
    assert list(rows("out.json")) == ["last-two", "none"]
    assert call("run", "--strategy", "empty").exit_code == 0
    assert list(rows("out.json")) == ["empty"]


def test_paths_in_a_configuration_are_relative_to_it(call: Call, folder: Path) -> None:
    inner = folder / "conf"
    inner.mkdir()
    for name in ("tiny.yaml", "mine.py"):
        (folder / name).rename(inner / name)
    (inner / "settings.yaml").write_text(
        "scenario: tiny.yaml\nstrategy: ./mine.py:last_two\nbudget: 60%\ncontrols: false\n"
        "output: out.json\nout: run\n"
    )
    result = call("run", "--config", "conf/settings.yaml")
    assert result.exit_code == 0, result.output
    assert list(rows("conf/out.json")) == ["./mine.py:last_two"]
    assert (inner / "run" / "manifest.json").is_file()


def test_paths_inside_the_specs_of_a_configuration_are_relative_to_it(
    call: Call, folder: Path
) -> None:
    inner = folder / "conf"
    inner.mkdir()
    (inner / "ans.txt").write_text("Said.\n", "utf-8")
    (inner / "mine.py").write_text("def echo(request): return 'echo'\n", "utf-8")
    (inner / "settings.yaml").write_text(
        "scenario: ../tiny.yaml\nstrategy: token-summary\nbudget: 60%\ncontrols: false\n"
        "output: out.json\nsummarizer:\n"
        "  - {use: scripted, file: ans.txt}\n"
        "  - faulty(inner=./mine.py:echo, every=2)\n"
        "  - {use: faulty, inner: 'faulty(inner=scripted(file=ans.txt))', name: deep}\n"
    )
    result = call("run", "--config", "conf/settings.yaml")
    assert result.exit_code == 0, result.output
    document = json.loads(Path("conf/out.json").read_text("utf-8"))
    described = document["manifest"]["summarizers"]
    assert [one["label"] for one in described] == [
        "scripted(file=ans.txt)",
        "faulty(inner=./mine.py:echo, every=2)",
        "deep",
    ]
    assert [one["spec"] for one in described] == [
        "scripted(file=conf/ans.txt, name=scripted(file=ans.txt))",
        "faulty(inner=conf/mine.py:echo, every=2, name=faulty(inner=./mine.py:echo, every=2))",
        "faulty(inner=faulty(inner=scripted(file=conf/ans.txt)), name=deep)",
    ]


def test_a_fault_inside_a_spec_of_a_configuration_is_told_once_with_its_place(
    call: Call, folder: Path
) -> None:
    (folder / "conf").mkdir()
    (folder / "conf" / "settings.yaml").write_text(
        "scenario: ../tiny.yaml\nsummarizer:\n  - scripted(file=ans.txt)\n"
        "  - faulty(inner=./mine.py:echo)\n"
    )
    result = call("run", "--config", "conf/settings.yaml")
    assert result.exit_code == 2
    places = [line.split(": ")[0] for line in result.stderr.splitlines()]
    assert places == ["conf/settings.yaml:3:5", "conf/settings.yaml:4:5"]


def test_a_bad_history_of_ones_own_object_is_told_before_anything_runs(
    call: Call, folder: Path
) -> None:
    with (folder / "mine.py").open("a", encoding="utf-8") as stream:
        stream.write("\nlast_two.history = 'kep'\n")
    result = call("run", *BASE, "--strategy", "./mine.py:last_two")
    assert result.exit_code == 2
    assert "history is 'replace' or 'keep', not 'kep'" in result.stderr
    assert not Path("runs").exists()


def test_a_fault_behind_a_configurations_value_is_told_with_its_place(
    call: Call, folder: Path
) -> None:
    (folder / "compaction-eval.yaml").write_text(
        "scenario: tiny.yaml\nbudget: [60%, 30 %%]\nstrategy:\n  - token-windw\n"
    )
    result = call("run")
    assert result.exit_code == 2
    assert [line.split(" ")[0] for line in result.stderr.splitlines()] == [
        "compaction-eval.yaml:2:15:",
        "compaction-eval.yaml:4:5:",
    ]


def test_an_interrupted_run_says_how_to_go_on(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_matrix", interrupted)
    result = call("run", *BASE, "--strategy", "count-slice(keep=2)")
    assert result.exit_code == 130
    assert result.stderr.rstrip().endswith(
        "run --scenario tiny.yaml --budget 60% --strategy 'count-slice(keep=2)'"
    )


def test_an_unwritable_result_file_is_an_error_without_traceback(call: Call, folder: Path) -> None:
    (folder / "file").write_text("")
    result = call("run", *BASE, "--strategy", "none", "-o", "file/out.json")
    assert result.exit_code == 2
    assert "file/out.json: " in result.stderr


def test_a_disk_that_fills_up_during_the_run_tells_how_to_go_on(
    call: Call, folder: Path, files_of_at_most: FullDisk
) -> None:
    command = ("run", *BASE, "--strategy", "token-summary")
    assert call(*command, "--out", "whole").exit_code == 0
    whole = {file.name: file.stat().st_size for file in (folder / "whole").iterdir()}
    assert whole["manifest.json"] < whole["cells.jsonl"]
    with files_of_at_most(whole["cells.jsonl"] - 1):
        result = call(*command, "--out", "run")
    assert result.exit_code == 3
    (line,) = result.stderr.splitlines()
    assert line.startswith("run: can't write there: File too large; finished cells are kept. ")
    assert line.endswith("run --scenario tiny.yaml --budget 60% --strategy token-summary --out run")
    assert call(*command, "--out", "run").exit_code == 0
    for name in whole:
        assert (folder / "whole" / name).read_bytes() == (folder / "run" / name).read_bytes()


def test_a_result_file_that_a_full_disk_cuts_short_leaves_none_behind(
    call: Call, folder: Path, files_of_at_most: FullDisk
) -> None:
    command = ("run", *BASE, "--strategy", "none", "--no-controls", "--out", "run")
    assert call(*command, "-o", "whole.csv").exit_code == 0
    with files_of_at_most((folder / "whole.csv").stat().st_size):
        result = call(*command, "-o", "out.csv", "-o", "out.json")
    assert result.exit_code == 3
    assert "Written: run/, out.csv\n" in result.stdout
    assert result.stderr.splitlines()[0] == "out.json: can't be written: File too large"
    assert result.stderr.splitlines()[1].startswith("Once that is mended: ")
    assert not list(folder.glob("out.json*"))


@pytest.mark.parametrize("option", ["--dry-run", "--quiet"])
def test_a_dry_run_refuses_the_run_folder_that_the_run_would_refuse(
    call: Call, option: str
) -> None:
    assert call("run", *BASE, "--strategy", "none", "--out", "other", "-q").exit_code == 0
    for out, reason in (("mine.py", "mine.py: is no folder"), ("other", "other budgets")):
        result = call("run", *BASE, "--budget", "50%", "--out", out, option)
        assert (result.exit_code, result.stdout) == (2, "")
        assert reason in result.stderr


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that nobody can write")
def test_a_result_file_in_a_read_only_folder_is_refused_before_anything_is_measured(
    call: Call,
) -> None:
    result = call("run", *BASE, "-o", "/proc/x.csv")
    assert result.exit_code == 2
    assert result.stderr.startswith("--output: /proc/x.csv: /proc: can't write there: ")
    assert not Path("runs").exists()


@pytest.fixture
def locked(folder: Path) -> Iterator[Path]:
    """A folder that can't be entered."""
    inner = folder / "locked"
    inner.mkdir(mode=0)
    if os.access(inner, os.X_OK):
        pytest.skip("this user may enter any folder")
    yield inner
    inner.chmod(0o700)


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--out", "locked/run", "locked/run: can't write there: Permission denied"),
        ("--output", "locked/x.csv", "locked: can't write there: Permission denied"),
        ("--scenario", "locked/x.yaml", "locked/x.yaml: no such file or folder"),
        ("--strategy", "locked/x.py:f", "locked/x.py: no such file"),
        ("--summarizer", "scripted(file=locked/x)", "locked/x: Permission denied"),
    ],
)
@pytest.mark.usefixtures("locked")
def test_a_folder_that_cannot_be_entered_is_told_in_a_line(
    call: Call, option: str, value: str, reason: str
) -> None:
    result = call("run", *BASE, option, value)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert reason in line


def test_run_is_what_the_program_does_without_a_command(folder: Path) -> None:
    result = CliRunner().invoke(cli, [*BASE, "--strategy", "none", "-q"])
    assert result.exit_code == 0


def test_an_expression_that_names_a_tag_on_demand_is_told_how_to_ask_for_it(call: Call) -> None:
    result = call("run", "--scenario", "tiny.yaml", "-k", "edge and zh")
    assert result.exit_code == 5
    assert result.stderr.endswith(
        "Scenarios with the tag 'edge' are taken only where they're named: --scenario tag:edge\n"
    )


def test_without_probes_nothing_is_said_of_facts(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text("utf-8")
    (folder / "tiny.yaml").write_text(text[: text.index("probes:")])
    result = call("run", "--scenario", "tiny.yaml", "--budget", "60%", "--strategy", "none")
    assert result.stdout.splitlines()[-1] == "No probe asks for a fact, so none could be lost."


@pytest.mark.parametrize("strategy", ["none", "token-window"])
def test_where_only_controls_ran_the_last_line_says_how_to_compare(
    call: Call, strategy: str
) -> None:
    told = call("run", "--scenario", "tiny.yaml", "--strategy", strategy, "--out", "kept")
    assert "Nothing to compare: " in told.stdout
    *_, last = told.stdout.splitlines()
    assert last.startswith("Compare strategies: ")
    command = last.split(" run ", 1)[1]
    assert "--out" not in command
    again = call("run", *command.split())
    assert again.exit_code == 0, again.output
    assert "Compare strategies" not in again.stdout


@pytest.mark.parametrize("out", [".", "..", "../{here}"])
def test_a_run_is_not_put_among_ones_own_files(call: Call, folder: Path, out: str) -> None:
    before = sorted(folder.iterdir())
    out = out.format(here=folder.name)
    for more in ((), ("--dry-run",)):
        refused = call("run", "-q", "--scenario", "tiny.yaml", "--out", out, *more)
        assert refused.exit_code == 2
        assert refused.stderr.startswith(f"--out {out}: you are in that folder; ")
    assert sorted(folder.iterdir()) == before


def test_a_run_can_go_on_from_inside_its_folder(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("run", "-q", "--scenario", "tiny.yaml", "--out", "mine").exit_code == 0
    monkeypatch.chdir(folder / "mine")
    again = call("run", "-q", "--scenario", "../tiny.yaml", "--out", ".")
    assert again.exit_code == 0, again.output
