"""`run --transcript` and `show --transcript`: a transcript measured as it stands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]
SESSION = Path(__file__).parents[2] / "examples" / "session.jsonl"
CHAT = [{"role": "user", "content": "Is 8443 open?"}, {"role": "assistant", "content": "Yes."}]

RECORDED = """\
  - {at: 3, kept_from: 4, summary: The port is said.}
  - {at: 5, kept_from: 5, summary: All is said.}
"""


@pytest.fixture
def session(folder: Path) -> str:
    (folder / "session.jsonl").write_bytes(SESSION.read_bytes())
    return "session.jsonl"


@pytest.fixture
def chat(folder: Path) -> str:
    (folder / "chat.json").write_text(json.dumps(CHAT))
    return "chat.json"


def test_one_command_tells_what_strategies_and_the_own_tool_keep(
    call: Call, folder: Path, session: str
) -> None:
    before = set(folder.iterdir())
    result = call("run", "--transcript", session)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("session.jsonl: 1 conversation, 43 messages, 13 values used again")
    assert sum(line.startswith("recorded ‡") for line in lines) == 3
    assert (
        "session: its own tool compacted once (after 27 of 43 messages at 15,510 tokens)." in lines
    )
    assert any(line.startswith("Its summary lost 3 of 4 values") for line in lines)
    assert any(line.startswith("  TW-20931: used in message 40 (Bash)") for line in lines)
    assert "recorded" not in result.stdout.partition("Written: ")[2].partition("session: ")[0]
    (runs,) = set(folder.iterdir()) - before
    assert {path.name for path in runs.glob("*/*")} == {"manifest.json", "cells.jsonl"}


def test_the_commands_that_come_next_work(call: Call, session: str) -> None:
    told = call("run", "--transcript", session, "--budget", "30%").stdout
    follow = shlex.split(told.splitlines()[-1].rpartition("show ")[2])
    shown = call("show", *follow)
    assert shown.exit_code == 0, shown.output
    assert "as it was recorded" in shown.stdout
    assert f"missing  {follow[-1]}" in shown.stdout
    (folder,) = Path("runs").iterdir()
    reported = call("report", str(folder), "--by", "age", "--by", "probe")
    assert reported.exit_code == 0, reported.output
    after = reported.stdout.splitlines()[-1]
    assert "check" not in after


def test_a_loss_of_a_strategy_is_followed_where_no_tool_compacted(
    call: Call, folder: Path, session: str
) -> None:
    kept = [
        line for line in (folder / session).read_text().splitlines() if "ompactSummary" not in line
    ]
    (folder / "plain.jsonl").write_text("\n".join(kept))
    told = call("run", "--transcript", "plain.jsonl", "--budget", "15%").stdout
    assert "recorded ‡" not in told
    assert "Follow a lost fact: " in told
    shown = call("show", *shlex.split(told.splitlines()[-1].rpartition("show ")[2]))
    assert shown.exit_code == 0, shown.output


def test_nothing_of_the_transcript_is_in_the_run_folder(call: Call, session: str) -> None:
    call("run", "--transcript", session, "--strategy", "token-window", "--no-controls")
    written = b"".join(path.read_bytes() for path in Path("runs").glob("*/*"))
    assert b"tide gauges report twice" not in written
    assert b"token-window" in written


def test_the_same_transcript_goes_on_and_another_is_another_run(
    call: Call, folder: Path, session: str
) -> None:
    arguments = ("run", "--transcript", session, "--budget", "30%")
    call(*arguments)
    assert "Nothing new to measure" in call(*arguments).stdout
    text = (folder / session).read_text()
    (folder / session).write_text(text.replace("Yes, do that.", "Yes."))
    assert "Nothing new" not in call(*arguments).stdout
    assert len(list(Path("runs").iterdir())) == 2


def test_files_after_the_option_are_transcripts_too(call: Call, folder: Path, session: str) -> None:
    (folder / "second.jsonl").write_bytes((folder / session).read_bytes())
    result = call("run", "--dry-run", "--transcript", session, "second.jsonl")
    assert "2 scenarios: session, second" in result.stdout
    stray = call("run", "--dry-run", session)
    assert stray.exit_code == 2
    assert "a transcript by --transcript" in stray.stderr


def test_scenarios_that_are_named_are_measured_beside_it(
    call: Call, folder: Path, session: str
) -> None:
    result = call("run", "--budget", "50%", "--transcript", session, "--scenario", "tiny.yaml")
    assert result.exit_code == 0, result.output
    rows = [line for line in result.stdout.splitlines() if line.startswith("recorded ‡")]
    assert len(rows) == 1
    assert "survival" in result.stdout


def test_recorded_is_added_unless_no_controls_are_wanted(call: Call, session: str) -> None:
    def strategies(*more: str) -> str:
        result = call("run", "--dry-run", "--transcript", session, *more)
        return next(line for line in result.stdout.splitlines() if line.startswith("strategies"))

    assert "recorded" in strategies()
    assert "recorded" in strategies("--strategy", "count-slice")
    assert strategies("--strategy", "count-slice", "--no-controls") == "strategies: count-slice"
    named = strategies("--strategy", "recorded", "--no-controls")
    assert named == "strategies: recorded"


def test_a_scenario_with_recorded_compactions_is_told_the_same_way(
    call: Call, folder: Path
) -> None:
    text = (folder / "tiny.yaml").read_text().replace("probes:", "recorded:\n" + RECORDED)
    (folder / "tiny.yaml").write_text(text.partition("  - {id: p")[0] + "reuse: true\n")
    result = call("run", "--scenario", "tiny.yaml", "--budget", "60%")
    assert result.exit_code == 0, result.output
    assert "tiny: its own tool compacted 2 times" in result.stdout
    follow = result.stdout.splitlines()[-1]
    assert follow.startswith("No probe asks for a fact")


def test_a_configuration_may_name_transcripts(call: Call, folder: Path, session: str) -> None:
    (folder / "sub").mkdir()
    (folder / session).rename(folder / "sub" / session)
    text = f"transcript: {session}\nformat: claude-code\nbudget: 30%\n"
    (folder / "sub" / "config.yaml").write_text(text)
    result = call("run", "--dry-run", "--config", "sub/config.yaml")
    assert "1 scenario: session" in result.stdout


def test_where_nothing_was_used_again_that_is_told(call: Call, chat: str, session: str) -> None:
    result = call("run", "--transcript", chat)
    assert result.exit_code == 5
    assert result.stderr.startswith("chat.json: left out, since its agent never used a value again")
    assert f"import auto {chat} -o my-scenarios" in result.stderr
    assert not Path("runs").exists()
    both = call("run", "--dry-run", "--transcript", chat, session)
    assert both.exit_code == 0
    assert "chat.json: left out" in both.stdout
    assert "1 scenario: session" in both.stdout


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "x.jsonl:1:1: the file is empty"),
        ("hello\n", "x.jsonl:1:1: not JSON: expecting value"),
        ('{"a": 1}\n', "x.jsonl: in none of the formats"),
    ],
)
def test_what_is_no_transcript_is_told_with_its_place(
    call: Call, folder: Path, content: str, fault: str
) -> None:
    (folder / "x.jsonl").write_text(content)
    for command in (("run",), ("show", "--strategy", "none")):
        result = call(*command, "--transcript", "x.jsonl")
        assert result.exit_code == 2
        assert result.stderr.startswith(fault)
    assert not Path("runs").exists()


def test_a_line_that_is_cut_off_comes_with_the_way_to_leave_it_out(
    call: Call, folder: Path, session: str
) -> None:
    text = (folder / session).read_text()
    (folder / session).write_text(text[: len(text) - 40])
    result = call("run", "--transcript", session)
    assert result.exit_code == 2
    fault, hint = result.stderr.splitlines()
    assert fault.startswith("session.jsonl:45:")
    assert hint.startswith("To leave out what can't be read: ")
    import_rest = shlex.split(hint[hint.index(" import ") :])
    assert call(*import_rest).exit_code == 0


def test_a_file_of_which_nothing_can_be_read_comes_without_such_a_way(
    call: Call, folder: Path
) -> None:
    (folder / "empty.json").write_text("")
    result = call("run", "--transcript", "empty.json")
    assert (result.exit_code, result.stderr) == (2, "empty.json:1:1: the file is empty\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--format", "claude-cod", "--transcript", "chat.json"), "did you mean 'claude-code'?"),
        (("--format", "pi", "--transcript", "chat.json"), "chat.json: no pi conversation found"),
        (("--format", "pi"), "--format is that of transcripts; give some by --transcript"),
        (("--transcript", "absent.json"), "absent.json: no such file or directory"),
        (("--transcript", "."), ".: is a folder; import it: "),
        (("--strategy", "recorded"), "no scenario here tells of that"),
        (("--strategy", "recorded", "--scenario", "tiny.yaml"), "no scenario here tells of that"),
    ],
)
def test_a_mistake_takes_a_line_and_ends_with_2(
    call: Call, chat: str, arguments: tuple[str, ...], reason: str
) -> None:
    result = call("run", *arguments)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert reason in line


def test_show_needs_to_know_which_conversation(call: Call, folder: Path, session: str) -> None:
    second = folder / "second.jsonl"
    second.write_bytes((folder / session).read_bytes())
    files = ("--transcript", session, "--transcript", "second.jsonl", "--strategy", "none")
    several = call("show", *files)
    assert several.exit_code == 2
    assert "name one of session, second" in several.stderr
    assert call("show", "second", *files).stdout.startswith("second: ")
    assert (
        "holds no conversation 'secnd'; did you mean 'second'?"
        in call("show", "secnd", *files).stderr
    )
    neither = call("show", "--strategy", "none")
    assert neither.exit_code == 2
    assert "or the option --transcript" in neither.stderr


def test_show_refuses_to_replay_what_was_not_recorded(call: Call) -> None:
    result = call("show", "tiny.yaml", "--strategy", "recorded")
    assert result.exit_code == 2
    assert "no scenario here tells of that" in result.stderr
