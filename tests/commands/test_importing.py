"""`import` from files to files, as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from compaction_eval.cli import cli
from compaction_eval.commands.invocation import command_line

CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "You book rooms."},
    {"role": "user", "content": "Order K7Q2 for Ana, please."},
    {"role": "assistant", "content": "Which room?"},
    {"role": "user", "content": "The blue one."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"function": {"name": "book", "arguments": '{"order": "K7Q2"}'}}],
    },
    {"role": "tool", "content": "booked"},
    {"role": "narrator", "content": "The end."},
]


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, ["import", *map(str, args)])


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    return path


def test_a_transcript_becomes_a_scenario_with_a_full_account(tmp_path: Path, chat: Path) -> None:
    result = run("openai", chat, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert result.output == (
        f"{chat}: 1 conversation, 6 messages kept, 1 skipped, 3 repaired\n"
        "Total: 1 conversation, 6 messages kept, 1 skipped, 3 repaired\n"
        "  skipped, unknown role 'narrator': 1\n"
        "  repaired, id of a call added: 1\n"
        "  repaired, id of a tool result added: 1\n"
        "  repaired, type of a call added: 1\n"
        "1 reuse probe, of which 0 free and 0 own\n"
        "  1 counted and sure, of which 0 recoverable\n"
        f"Next: {command_line('run', ['--scenario', str(tmp_path / 'out')])}\n"
    )
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["chat.jsonl", "chat.yaml"]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_importing_twice_gives_the_same_bytes(tmp_path: Path, chat: Path) -> None:
    assert run("auto", chat, "-o", tmp_path / "one").exit_code == 0
    assert run("auto", chat, "-o", tmp_path / "two").exit_code == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert run("auto", chat, "-o", tmp_path / "one").exit_code == 0


def test_files_of_one_name_get_ids_of_their_own(tmp_path: Path, chat: Path) -> None:
    other = tmp_path / "other" / "chat.json"
    other.parent.mkdir()
    other.write_text(json.dumps(CHAT[:3]))
    result = run("openai", chat, other, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert f"{other}: 1 conversation, 3 messages kept" in result.output
    assert sorted(contents(tmp_path / "out")) == [
        "chat-2.jsonl",
        "chat-2.yaml",
        "chat.jsonl",
        "chat.yaml",
    ]


def test_a_scenario_that_differs_is_overwritten_by_force_only(tmp_path: Path, chat: Path) -> None:
    out = tmp_path / "out"
    run("openai", chat, "-o", out)
    before = contents(out)
    refused = run("openai", chat, "-o", out, "--lang", "de")
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"{out / 'chat.yaml'}: is there already with another content")
    assert contents(out) == before
    assert run("openai", chat, "-o", out, "--lang", "de", "--force").exit_code == 0
    assert b"lang: de\n" in contents(out)["chat.yaml"]


def test_going_on_is_offered_only_where_something_would_be_left(tmp_path: Path, chat: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"role": "user", "content": "Hi."}\n{"role": "us')
    partly = run("auto", lines, "-o", tmp_path / "out")
    assert partly.stderr.splitlines()[-1].startswith("With --keep-going, ")
    assert run("auto", lines, "-o", tmp_path / "out", "--keep-going").exit_code == 0
    empty = tmp_path / "empty.json"
    empty.write_text("")
    nothing = run("auto", empty, "-o", tmp_path / "none")
    assert nothing.stderr.splitlines() == [f"{empty}:1:1: the file is empty"]
    assert run("auto", empty, "-o", tmp_path / "none", "--keep-going").exit_code == 2


def test_files_that_are_left_out_whole_are_counted_apart_from_entries(
    tmp_path: Path, chat: Path
) -> None:
    (tmp_path / "lines.jsonl").write_text('{"role": "user", "content": "Hi."}\n{"role": "us')
    (tmp_path / "empty.json").write_text("")
    files = [chat, tmp_path / "lines.jsonl", tmp_path / "empty.json"]
    result = run("auto", *files, "-o", tmp_path / "out", "--keep-going")
    assert "\n1 file and 1 entry left out\n" in result.stdout


def test_numbers_of_an_account_are_all_written_alike(tmp_path: Path) -> None:
    quiet = [{"role": "user", "content": "Hi."}] * 1200 + [{"role": "user", "content": ""}] * 1300
    (tmp_path / "long.json").write_text(json.dumps(quiet))
    result = run("auto", tmp_path / "long.json", "-o", tmp_path / "out")
    assert "1,200 messages kept, 1,300 skipped, 0 repaired\n" in result.stdout
    assert ": 1,300\n" in result.stdout


def test_a_folder_that_may_not_be_written_into_is_named_itself(
    tmp_path: Path, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(prefix: str, dir: Path) -> str:
        raise PermissionError(13, "Permission denied", str(dir / f"{prefix}x7"))

    monkeypatch.setattr("tempfile.mkdtemp", refused)
    result = run("auto", chat, "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (2, f"{tmp_path / 'out'}: permission denied\n")


def test_the_mistakes_of_all_files_are_shown_and_nothing_is_written(
    tmp_path: Path, chat: Path
) -> None:
    broken, foreign = tmp_path / "broken.jsonl", tmp_path / "foreign.json"
    broken.write_text('{"role": "user"\n')
    foreign.write_text('{"history": [3]}')
    result = run("openai", chat, broken, foreign, tmp_path / "gone", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"{broken}:1:16: not JSON: expecting ',' delimiter",
        f"{foreign}: no openai conversation found; it is an object with the keys 'history'",
        f"{tmp_path / 'gone'}: no such file or directory",
        "With --keep-going, what can't be read is left out and the rest imported.",
    ]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["opnai", "chat.json", "-o", "out"], "unknown format 'opnai'; did you mean 'openai'?"),
        (
            ["openai", "chat.json", "-o", "out", "--lang", "English"],
            "--lang: 'English' is no two-letter language code (ISO 639-1); did you mean 'en'?",
        ),
        (["openai", "-o", "out"], "Missing argument 'FILE...'"),
        (["openai", "chat.json"], "Missing option '-o'"),
    ],
)
def test_wrong_usage_exits_2_and_says_how_to_mend_it(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in result.stderr


def test_the_next_command_is_quoted_for_a_shell(tmp_path: Path, chat: Path) -> None:
    result = run("openai", chat, "-o", tmp_path / "my scenarios")
    assert result.output.endswith(f"--scenario '{tmp_path / 'my scenarios'}'\n")


def test_where_nothing_is_used_again_a_run_needs_probes_first(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": "Hi."},
                                {"role": "assistant", "content": "Hello."}]))  # fmt: skip
    last = run("openai", file, "-o", tmp_path / "out").output.splitlines()[-1]
    assert last.startswith("Next: write probes, a run has nothing to measure until then;")
    assert last.endswith(command_line("run", ["--scenario", str(tmp_path / "out")]))


def test_keep_going_leaves_out_what_cannot_be_read_and_tells_where(
    tmp_path: Path, chat: Path
) -> None:
    log, foreign = tmp_path / "log.jsonl", tmp_path / "foreign.json"
    good = json.dumps({"role": "user", "content": "Hi."}).encode()
    log.write_bytes(b"\n".join([good, b'{"role": "\xff"}', b"{", good, good[:-5]]))
    foreign.write_text('{"history": []}')
    args = ("auto", log, chat, foreign, "-o", tmp_path / "out")
    refused = run(*args)
    assert refused.exit_code == 2
    assert not (tmp_path / "out").exists()
    kept = run(*args, "--keep-going")
    assert kept.exit_code == 0
    assert kept.stderr.splitlines()[:3] == [
        f"left out: {log}:2:11: byte 0xff isn't UTF-8; convert the file to UTF-8",
        f"left out: {log}:3:2: not JSON: expecting property name enclosed in double quotes",
        f"left out: {log}:5:29: not JSON: unterminated string starting at",
    ]
    assert kept.stderr.splitlines()[3].startswith(f"left out: {foreign}: in none of the formats")
    assert f"{log}: 1 conversation, 2 messages kept, 0 skipped" in kept.stdout
    assert "3 entries left out" in kept.stdout
    assert sorted(contents(tmp_path / "out")) == [
        "chat.jsonl",
        "chat.yaml",
        "log.jsonl",
        "log.yaml",
    ]


def test_keep_going_with_nothing_left_exits_2(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{\n")
    result = run("auto", broken, "-o", tmp_path / "out", "--keep-going")
    assert result.exit_code == 2
    assert result.stderr == (
        f"{broken}:1:2: not JSON: expecting property name enclosed in double quotes\n"
    )
    assert not (tmp_path / "out").exists()


def test_recorded_compactions_are_counted_and_described(tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    entries = [
        {"type": "message", "message": {"role": "user", "content": "Use port 8443."}},
        {"type": "compaction", "summary": "Port 8443.", "tokensBefore": 70},
        {"type": "message", "message": {"role": "assistant", "content": "Fine."}},
    ]
    session.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    result = run("auto", session, "-o", tmp_path / "out")
    assert "1 recorded compaction (see the descriptions)\n" in result.stdout
    assert (
        'description: "Compacted by its own tool after 1 message, at 70 tokens."'
        in (tmp_path / "out" / "session.yaml").read_text()
    )


def test_values_in_the_agents_own_words_are_counted_apart_and_are_enough_for_a_run(
    tmp_path: Path,
) -> None:
    said = ["My order is KX72Q9.", "Let me look.", "And now?", "KX72Q9 is on its way."]
    roles = ("user", "assistant", "user", "assistant")
    file = tmp_path / "chat.json"
    file.write_text(
        json.dumps([{"role": r, "content": c} for r, c in zip(roles, said, strict=True)])
    )
    lines = run("openai", file, "-o", tmp_path / "out").output.splitlines()
    assert lines[-4:-1] == [
        "0 reuse probes, of which 0 free and 0 own",
        "  0 counted and sure, of which 0 recoverable",
        "1 more in the agent's own words, of which 0 free",
    ]
    assert lines[-1].startswith("Next: ")
    assert "write probes" not in lines[-1]
