"""`baseline` and `gate`, on runs of a tiny scenario."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import Result

from compaction_eval.eval.run_files import CELLS

Call = Callable[..., Result]
FullDisk = Callable[[int], AbstractContextManager[None]]
RUN = ("run", "-q", "--scenario", "tiny.yaml", "--budget", "90%", "--executor", "inline")
GOOD, BAD = "count-slice(keep=9,name=mine)", "count-slice(keep=2,name=mine)"
SMALL = ("--scenario", "tiny.yaml", "--strategy", "empty", "--budget", "90%")
SECOND = """\
id: other
title: Another fact
lang: en
turns:
  - user: The bridge is 12 metres long.
    facts: {length: 12 metres}
  - assistant: Noted.
probes:
  - {id: q, kind: recall, ask: How long is the bridge?, fact: length}
"""


@pytest.fixture(autouse=True)
def no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are no steps of the workflow that may be running them."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def blessed(call: Call) -> Call:
    """With a good run, its baseline base.jsonl, and a run `bad` in which the fact is lost."""
    assert call(*RUN, "--strategy", GOOD, "--out", "good").exit_code == 0
    assert call(*RUN, "--strategy", BAD, "--out", "bad").exit_code == 0
    assert call("baseline", "good", "-o", "base.jsonl").exit_code == 0
    return call


def typed(line: str, head: str, command: str) -> list[str]:
    """What a line says to type, without the program's name."""
    assert line.startswith(head), line
    words = shlex.split(line.removeprefix(head))
    return words[words.index(command) :]


def test_a_baseline_is_written_with_the_command_that_uses_it(call: Call, folder: Path) -> None:
    call(*RUN, "--strategy", GOOD, "--out", "good")
    result = call("baseline", "good", "-o", "kept/base.jsonl")
    assert result.exit_code == 0
    assert result.stdout.startswith("Written: kept/base.jsonl (5 verdicts in 1 scenario).")
    words = shlex.split(result.stdout)
    assert call(*words[words.index("gate") :]).exit_code == 0
    assert (folder / "kept/base.jsonl").read_text("utf-8").startswith('{"schema": ')


def test_an_incomplete_run_is_no_baseline_and_passes_no_gate(blessed: Call, folder: Path) -> None:
    cells = folder / "good" / CELLS
    cells.write_text("".join(cells.read_text().splitlines(keepends=True)[:-1]))
    refused = blessed("baseline", "good", "-o", "new.jsonl")
    assert (refused.exit_code, (folder / "new.jsonl").exists()) == (3, False)
    assert "1 cell of 5 not measured" in refused.stderr
    gated = blessed("gate", "good", "--baseline", "base.jsonl")
    assert gated.exit_code == 3
    *_, verdict, last = gated.stdout.splitlines()
    assert verdict.startswith("INCOMPLETE: 1 cell of 5 not measured")
    assert gated.output.count("1 cell of 5 not measured") == 1
    told, _, command = last.partition(": ")
    assert told == "Measure the rest, then check again"
    words = shlex.split(command)
    assert blessed(*words[words.index("run") :]).exit_code == 0
    assert blessed("gate", "good", "--baseline", "base.jsonl").exit_code == 0
    cells.write_text("")
    assert blessed("gate", "good", "--fail-under", "survival=0").exit_code == 3


def test_cells_with_an_error_are_told_with_their_reason(call: Call) -> None:
    call(*RUN, "--strategy", "./mine.py:boom", "--out", "broken")
    for arguments in (
        ("baseline", "broken", "-o", "b.jsonl"),
        ("gate", "broken", "--fail-over", "stale=1"),
    ):
        result = call(*arguments)
        assert result.exit_code == 3
        assert "./mine.py:boom: raised RuntimeError: no luck" in result.output
    last = result.stdout.splitlines()[-1]
    assert last.startswith("Once that is mended, measure anew, then check again: ")
    assert last.endswith(" --out broken")


def test_what_is_no_run_or_no_place_for_a_file_is_refused(call: Call, folder: Path) -> None:
    assert "there is no such folder" in call("baseline", "nowhere", "-o", "b.jsonl").stderr
    call(*RUN, "--strategy", GOOD, "--out", "good")
    assert call("baseline", "good", "-o", str(folder)).exit_code == 2
    other = call("baseline", "good", "-o", "b.sh")
    assert (other.exit_code, (folder / "b.sh").exists()) == (2, False)
    assert other.stderr == "b.sh: a baseline is JSON Lines: name it .jsonl\n"
    assert call("baseline", "good").exit_code == 2


def test_the_same_again_passes(blessed: Call) -> None:
    result = blessed("gate", "good", "--baseline", "base.jsonl")
    assert (result.exit_code, result.stdout) == (0, "PASS: no verdict got worse\n")


def test_a_lost_fact_fails_with_its_line_its_request_and_what_to_do(blessed: Call) -> None:
    result = blessed("gate", "bad", "--baseline", "base.jsonl")
    assert result.exit_code == 1
    head, loss, verdict, follow, bless = result.stdout.splitlines()
    assert head == "1 verdict got worse since base.jsonl:"
    assert loss == (
        "tiny.yaml:15  tiny  p@end  mine at 90% with extractive  correct -> missing, "
        "lost at request before message 4 (truncate)"
    )
    assert verdict == "FAIL: 1 verdict got worse (0 allowed)"
    followed = blessed(*typed(follow, "Follow the first: ", "show"))
    assert followed.exit_code == 0
    assert "left the view" in followed.stdout
    assert bless.startswith("If it is meant, bless it: ")
    blessing = shlex.split(bless)
    assert blessed(*blessing[blessing.index("baseline") :]).exit_code == 0
    assert blessed("gate", "bad", "--baseline", "base.jsonl").exit_code == 0
    back = blessed("gate", "good", "--baseline", "base.jsonl", "-o", "g.json")
    assert back.exit_code == 0
    flips = json.loads(Path("g.json").read_text("utf-8"))["flips"]
    assert [flip["change"] for flip in flips] == ["regained"]


def test_quiet_is_the_verdict_and_what_to_type_next(blessed: Call) -> None:
    loud = blessed("gate", "bad", "--baseline", "base.jsonl").stdout.splitlines()
    quiet = blessed("gate", "bad", "--baseline", "base.jsonl", "-q").stdout.splitlines()
    assert quiet == loud[-3:]
    assert blessed("gate", "good", "--baseline", "base.jsonl", "-q").stdout == (
        "PASS: no verdict got worse\n"
    )


@pytest.mark.parametrize(
    "bound",
    [
        ("--fail-under", "survival=1"),
        ("--fail-under", "survival[kind=recall,scenario=tiny,tag=ports]=1"),
        ("--fail-over", "over_budget_requests[strategy=none]=0"),
    ],
)
def test_of_a_bound_that_isnt_met_the_first_cause_can_be_followed(
    blessed: Call, bound: tuple[str, str]
) -> None:
    result = blessed("gate", "bad", *bound)
    assert result.exit_code == 1, result.output
    followed = blessed(*typed(result.stdout.splitlines()[-1], "Follow the first: ", "show"))
    assert followed.exit_code == 0
    assert ("left the view" in followed.stdout) == ("survival" in bound[1])


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        (("--fail-on-drop", "sent_tokens=5%"), "of sent_tokens less is better: fail-on-rise"),
        (("--fail-on-rise", "survival=2pp"), "of survival more is better: fail-on-drop"),
        (("--fail-under", "stale=0"), "of stale less is better: fail-over"),
        (("--fail-over", "saved_net=99999"), "of saved_net more is better: fail-under"),
        (("--fail-on-rise", "sent_tokens=5%"), ""),
        (("--fail-under", "survival=0.01"), ""),
    ],
)
def test_a_gate_that_looks_the_wrong_way_is_told_since_it_catches_no_harm(
    blessed: Call, gate: tuple[str, str], told: str
) -> None:
    result = blessed("gate", "good", "--baseline", "base.jsonl", *gate)
    assert result.exit_code == 0
    expected = f"{gate[0][2:]} {gate[1]} catches no harm; {told} would" if told else ""
    assert result.stderr.strip() == expected
    assert result.stdout.splitlines()[-1].startswith("PASS: ")


@pytest.mark.parametrize("gate", [("--fail-under", "survival=0%"), ("--fail-over", "stale=100%")])
def test_a_gate_that_every_run_passes_is_told(blessed: Call, gate: tuple[str, str]) -> None:
    result = blessed("gate", "bad", *gate)
    assert result.exit_code == 0
    assert result.stderr.strip() == (
        f"{gate[0][2:]} {gate[1]} can't fail: every share keeps that bound"
    )


def test_a_folder_of_runs_is_told_from_a_run(blessed: Call, folder: Path) -> None:
    result = blessed("gate", str(folder), "--fail-over", "stale=1")
    assert result.exit_code == 2
    assert f"{folder}: holds runs, and is none; name one of {folder / 'bad'}, " in result.stderr


def test_a_bound_on_tokens_has_no_first_cause(blessed: Call) -> None:
    result = blessed("gate", "bad", "--fail-over", "sent_tokens=1")
    assert result.stdout.splitlines()[-1] == "FAIL: 1 of 1 gate check failed"


def test_blessing_is_only_offered_where_it_would_change_something(blessed: Call) -> None:
    bound = ("--fail-under", "survival=1")
    both = blessed("gate", "bad", "--baseline", "base.jsonl", *bound).stdout
    assert "bless it: " in both
    blessed("baseline", "bad", "-o", "base.jsonl")
    only_bound = blessed("gate", "bad", "--baseline", "base.jsonl", *bound)
    assert only_bound.exit_code == 1
    assert "bless" not in only_bound.stdout
    assert "Follow the first: " in only_bound.stdout


def test_what_cant_be_decided_says_what_would_decide_it(blessed: Call) -> None:
    drop = ("--statistical", "--fail-on-drop", "survival=2pp")
    result = blessed("gate", "bad", "--baseline", "base.jsonl", *drop)
    assert result.exit_code == 4
    assert "bless" not in result.stdout
    assert result.stdout.splitlines()[-1] == (
        "More scenarios, or more --repeats in run and baseline, would decide it"
    )


def test_the_first_gate_of_a_repository_says_how_to_make_its_baseline(blessed: Call) -> None:
    result = blessed("gate", "good", "--baseline", "kept/first.jsonl")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    words = shlex.split(line.partition("; make this run it: ")[2])
    assert blessed(*words[words.index("baseline") :]).exit_code == 0
    assert blessed("gate", "good", "--baseline", "kept/first.jsonl").exit_code == 0


def test_a_baseline_is_not_written_into_the_files_of_a_run(blessed: Call, folder: Path) -> None:
    cells = (folder / "good" / CELLS).read_bytes()
    result = blessed("baseline", "good", "-o", f"good/{CELLS}")
    assert result.exit_code == 2
    assert "holds something else than a baseline" in result.stderr
    assert (folder / "good" / CELLS).read_bytes() == cells


def test_as_many_flips_as_allowed_pass(blessed: Call) -> None:
    result = blessed("gate", "bad", "--baseline", "base.jsonl", "--allow-flips", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("PASS: 1 verdict got worse (1 allowed)")


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (("--fail-under", "survival=1"), 1, "fail-under survival=1: 0.0000 < 1"),
        (("--fail-over", "over_budget_requests=0"), 0, "0 <= 0"),
        (
            (
                "--fail-under",
                "survival=0",
                "--fail-under",
                "survival=0.5",
                "--fail-under",
                "stale=0",
            ),
            1,
            "1 of 3 gate checks failed",
        ),
        (("--fail-under", "recall=0.5"), 2, "no model was asked"),
        (("--fail-under", "survival[kind=update]=0"), 2, "nothing to look at"),
        (
            ("--fail-under", "survival[scenario=tny]=0"),
            2,
            "no scenario is 'tny'; did you mean 'tiny'",
        ),
        (("--fail-over", "stale[tag=shrt]=0"), 2, "no tag is 'shrt'; did you mean 'short'?"),
        (("--fail-over", "thrash[tag=zz]=0"), 2, "no tag is 'zz'; there are ports, short"),
        (("--fail-under", "reuse=0"), 2, "no reuse was measured"),
        (("--fail-on-drop", "survival=2pp"), 2, "needs a --baseline"),
        ((), 2, "nothing to check"),
        (("--baseline", "nowhere.jsonl"), 2, "nowhere.jsonl: there is no such baseline"),
        (("--baseline", "good"), 2, "good: is a run folder, no baseline"),
        (("--baseline", "."), 2, ".: can't be read"),
        (("--scenario", "tiny.yaml", "--fail-over", "stale=1"), 2, "--scenario goes with --aa"),
        (("--fail-over", "stale=1", "-o", "x.pdf"), 2, "no result format has the suffix '.pdf'"),
    ],
)
def test_bounds_decide_the_exit_code(
    blessed: Call, options: tuple[str, ...], code: int, told: str
) -> None:
    result = blessed("gate", "bad", *options)
    assert (result.exit_code, told in result.output) == (code, True), result.output


def test_without_a_run_the_only_one_is_taken(call: Call) -> None:
    call(*RUN, "--strategy", GOOD)
    assert call("gate", "--fail-under", "survival=0.5").exit_code == 0
    call(*RUN, "--strategy", BAD)
    assert "2 runs in runs" in call("gate", "--fail-under", "survival=0.5").stderr


def test_other_circumstances_are_refused_with_what_would_mend_it(blessed: Call) -> None:
    blessed(*RUN, "--strategy", GOOD, "--encoding", "cl100k_base", "--out", "other")
    result = blessed("gate", "other", "--baseline", "base.jsonl")
    assert result.exit_code == 2
    first, mend = result.stderr.splitlines()
    assert first == ("can't be compared: encoding: o200k_base in base.jsonl, cl100k_base in other")
    words = shlex.split(mend.partition("bless this run: ")[2])
    assert blessed(*words[words.index("baseline") :]).exit_code == 0
    assert blessed("gate", "other", "--baseline", "base.jsonl").exit_code == 0


def test_the_steps_summary_of_a_refusal_holds_commands_that_can_be_copied(
    blessed: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    blessed("gate", "good", "--baseline", "new_```base.jsonl")
    _, _, opened, line, closed, *_ = (folder / "summary.md").read_text("utf-8").split("\n")
    assert (opened, closed) == ("```", "```")
    assert line.startswith("new_'''base.jsonl: there is no such baseline; make this run it: ")


def test_a_changed_scenario_hides_no_loss_in_those_that_are_as_they_were(
    blessed: Call, folder: Path
) -> None:
    """Else whoever blesses the reworded one would bless the loss with it, unseen."""
    (folder / "other.yaml").write_text(SECOND, "utf-8")
    both = (*RUN, "--scenario", "other.yaml")
    blessed(*both, "--strategy", GOOD, "--out", "both")
    blessed("baseline", "both", "-o", "base.jsonl")
    (folder / "other.yaml").write_text(SECOND.replace("Noted.", "It is noted."), "utf-8")
    for strategy, out, told in (
        (BAD, "worse", ["Of the 1 scenario that is as it was, 1 verdict got worse:"]),
        (GOOD, "same", ["Of the 1 scenario that is as it was, no verdict got worse."]),
    ):
        blessed(*both, "--strategy", strategy, "--out", out)
        result = blessed("gate", out, "--baseline", "base.jsonl")
        assert result.exit_code == 2
        reason, *middle, mend = result.stderr.splitlines()
        assert reason == "can't be compared: changed since base.jsonl: scenario other"
        assert middle[:1] == told
        assert [line[:28] for line in middle[1:]] == ["tiny.yaml:15  tiny  p@end  m"][
            : out == "worse"
        ]
        assert mend.startswith("If that is meant, bless this run: ")


def test_new_scenarios_are_told_and_gone_ones_fail(blessed: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(SECOND, "utf-8")
    blessed(*RUN, "--scenario", "other.yaml", "--strategy", GOOD, "--out", "both")
    result = blessed("gate", "both", "--baseline", "base.jsonl")
    assert result.exit_code == 0
    assert "New scenarios, not in the baseline: other" in result.stdout
    blessed("baseline", "both", "-o", "base.jsonl")
    result = blessed("gate", "good", "--baseline", "base.jsonl")
    assert result.exit_code == 1
    assert "Scenarios of the baseline that are gone: other" in result.stdout
    assert "1 scenario is gone" in result.stdout.splitlines()[-2]
    assert blessed("gate", "good", "--baseline", "base.jsonl", "--allow-removed").exit_code == 0


def test_gates_of_the_configuration_hold_and_the_command_line_adds(
    blessed: Call, folder: Path
) -> None:
    (folder / "conf").mkdir()
    (folder / "conf/gates.yaml").write_text(
        "gates: {baseline: ../base.jsonl, fail-under: survival=0.5, allow-flips: 1}\n", "utf-8"
    )
    with_config = ("--config", "conf/gates.yaml")
    failed = blessed("gate", "bad", *with_config)
    assert failed.exit_code == 1
    assert "1 verdict got worse (1 allowed); 1 of 1 gate check failed" in failed.stdout
    assert blessed("gate", "good", *with_config).exit_code == 0
    added = blessed("gate", "good", *with_config, "--fail-over", "survival=0.5")
    assert (added.exit_code, "1 of 2 gate checks failed" in added.stdout) == (1, True)
    (folder / "conf/gates.yaml").write_text("gates:\n  fail-under: survivl=1\n", "utf-8")
    assert "conf/gates.yaml:2:15: 'fail-under': " in blessed("gate", "good", *with_config).stderr


def test_too_few_scenarios_for_statistics_are_inconclusive(blessed: Call) -> None:
    result = blessed(
        *("gate", "bad", "--baseline", "base.jsonl", "--statistical"),
        *("--fail-on-drop", "survival=2pp"),
    )
    assert result.exit_code == 4
    assert "1 scenario is too few for statistics" in result.stdout
    assert "\nINCONCLUSIVE: 1 verdict got worse, which" in result.stdout


@pytest.mark.parametrize("wrong", [["--fail-under", "surival=1"], ["--baseline", "none.jsonl"]])
def test_a_gate_that_cant_be_read_is_told_to_github_like_one_that_failed(
    blessed: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, wrong: list[str]
) -> None:
    summary = folder / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    result = blessed("gate", "good", *wrong)
    assert result.exit_code == 2
    assert "::error title=Compaction wasn't checked::" in result.stdout
    assert "## Compaction: not checked" in summary.read_text("utf-8")


def test_the_summary_has_a_link_to_what_the_workflow_keeps(
    blessed: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = folder / "summary.md"
    for name, value in {
        "STEP_SUMMARY": str(summary),
        "SERVER_URL": "https://git.example",
        "REPOSITORY": "choir/trips",
        "RUN_ID": "77",
    }.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    assert blessed("gate", "good", "--fail-under", "survival=0").exit_code == 0
    assert "(https://git.example/choir/trips/actions/runs/77#artifacts)" in summary.read_text()


def test_a_file_that_cant_be_written_never_passes(
    blessed: Call, files_of_at_most: FullDisk
) -> None:
    with files_of_at_most(10):
        result = blessed("gate", "good", "--baseline", "base.jsonl", "-o", "g.xml")
    assert result.exit_code == 3
    assert "g.xml: can't be written" in result.stderr
    assert "Written" not in result.stdout


def test_the_same_measured_again_alarms_never(blessed: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(SECOND, "utf-8")
    what = (
        "--scenario",
        "tiny.yaml",
        "--scenario",
        "other.yaml",
        "--strategy",
        "./mine.py:last_two",
    )
    result = blessed(
        "gate", "--aa", "2", *what, "--budget", "90%", "--fail-on-drop", "survival=0pp"
    )
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == (
        "A/A: 0 of 2 reruns alarmed (0%, 95% interval 0% to 65.8%)"
    )


def test_what_changes_from_run_to_run_is_a_false_alarm(call: Call, folder: Path) -> None:
    (folder / "fickle.py").write_text(
        "import pathlib\n\n"
        "def compact(messages, budget):\n"
        "    seen = pathlib.Path(__file__).with_name('seen')\n"
        "    was = seen.exists()\n"
        "    if 'Which port' in str(messages[-1]):\n"
        "        seen.touch()\n"
        "    return messages[-1:] if was else messages\n",
        "utf-8",
    )
    what = ("--scenario", "tiny.yaml", "--strategy", "./fickle.py:compact", "--budget", "90%")
    (folder / "c.yaml").write_text("controls: false\n", "utf-8")
    result = call("gate", "--aa", "1", "--config", "c.yaml", *what)
    assert result.exit_code == 1
    assert "A/A: 1 of 1 rerun alarmed (100%, " in result.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("runs/x", "--aa", "1"), "takes no RUN"),
        (("--aa", "1", "--baseline", "b"), "takes no --baseline"),
        (
            ("--aa", "1", *SMALL, "--fail-under", "survival[strategy=empty]=1"),
            "fails already",
        ),
        (("--aa", "0"), "0 is not in the range"),
    ],
)
def test_what_makes_no_sense_with_reruns_is_refused(
    call: Call, options: tuple[str, ...], told: str
) -> None:
    result = call("gate", *options)
    assert (result.exit_code, told in result.stderr) == (2, True), result.output


def test_a_baseline_is_the_same_for_any_number_of_workers(call: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(SECOND, "utf-8")
    for jobs in ("1", "3"):
        call(
            *(
                "run",
                "-q",
                "--scenario",
                "tiny.yaml",
                "--scenario",
                "other.yaml",
                "--budget",
                "90%",
            ),
            *("--strategy", "./mine.py:last_two", "--jobs", jobs, "--out", f"by-{jobs}"),
        )
        assert call("baseline", f"by-{jobs}", "-o", f"{jobs}.jsonl").exit_code == 0
    assert (folder / "1.jsonl").read_bytes() == (folder / "3.jsonl").read_bytes()


def test_every_file_for_ci_says_what_was_asked_and_what_was_right(
    blessed: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    names = ("g.xml", "g.sarif", "g.md", "g.json")
    outputs = [word for name in names for word in ("-o", name)]
    result = blessed("gate", "bad", "--baseline", "base.jsonl", *outputs)
    assert result.exit_code == 1
    told = "Which port does staging use? (8443)"
    for name in (*names, "summary.md"):
        assert told in (folder / name).read_text("utf-8").replace("\\", ""), name
    (line,) = (one for one in result.stdout.splitlines() if one.startswith("::error file="))
    assert told in line


def test_a_loss_whose_scenario_is_gone_is_told_all_the_same(blessed: Call, folder: Path) -> None:
    (folder / "tiny.yaml").unlink()
    result = blessed("gate", "bad", "--baseline", "base.jsonl", "-o", "g.xml")
    assert result.exit_code == 1
    assert "correct -&gt; missing" in (folder / "g.xml").read_text("utf-8")
