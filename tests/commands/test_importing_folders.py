"""`import` over folders: what is read, drawn, cut and scrubbed, and that it is all or nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from compaction_eval.cli import cli
from compaction_eval.scenarios.importers import pipeline
from compaction_eval.scenarios.importers.drawing import drawn
from compaction_eval.scenarios.library import select

ROOT = Path(__file__).resolve().parents[2]


def chat(order: str) -> list[dict[str, Any]]:
    function = {"name": "book", "arguments": json.dumps({"order": order})}
    calls = [{"id": "a", "type": "function", "function": function}]
    return [
        {"role": "user", "content": f"Order {order} for mira@tarmworks.dev, please."},
        {"role": "assistant", "content": "Which room?"},
        {"role": "user", "content": "The blue one."},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "booked"},
        {"role": "assistant", "content": "Done."},
    ]


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, ["import", *map(str, args)])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    folder = tmp_path / "talks"
    (folder / "late").mkdir(parents=True)
    (folder / ".cache").mkdir()
    for name, order in {"b.json": "K7Q2", "a.json": "K7Q3", "late/c.json": "K7Q4"}.items():
        (folder / name).write_text(json.dumps(chat(order)))
    (folder / ".cache" / "x.json").write_text("{")
    (folder / ".hidden.json").write_text("{")
    (folder / "README.md").write_text("Our talks.")
    (folder / "picture.png").write_bytes(b"\x89PNG\xff")
    (folder / "package.json").write_text('{"name": "talks"}')
    return folder


def test_a_folder_stands_for_the_transcripts_in_it(tmp_path: Path, talks: Path) -> None:
    result = run("auto", talks, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:6] == [
        f"{talks / 'a.json'}: 1 conversation, 6 messages kept, 0 skipped, 0 repaired",
        f"{talks / 'b.json'}: 1 conversation, 6 messages kept, 0 skipped, 0 repaired",
        f"{talks / 'late' / 'c.json'}: 1 conversation, 6 messages kept, 0 skipped, 0 repaired",
        "Passed over, in none of the formats: 1 file (package.json)",
        "Passed over, not JSON: 2 files (README.md, picture.png)",
        "Total: 3 conversations, 18 messages kept, 0 skipped, 0 repaired",
    ]
    assert sorted(contents(tmp_path / "out")) == [
        f"{name}.{end}" for name in "abc" for end in ("jsonl", "yaml")
    ]


def test_an_import_does_not_read_what_it_wrote_itself(talks: Path) -> None:
    first = run("auto", talks, "-o", talks / "scenarios")
    again = run("auto", talks, "-o", talks / "scenarios")
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert again.stdout == first.stdout


def test_a_file_given_by_name_has_to_be_a_transcript(tmp_path: Path, talks: Path) -> None:
    result = run("auto", talks, talks / "README.md", "-o", tmp_path / "out")
    assert result.exit_code == 0  # it was found in the folder first
    result = run("auto", talks / "README.md", talks, "-o", tmp_path / "other")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{talks / 'README.md'}:1:1: not JSON")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("cut.json", json.dumps(chat("K7Q9"))[:-20], ":1:"),
        ("cut.jsonl", json.dumps(chat("K7Q9")[0]) + '\n{"role": "us', ":2:10: not JSON"),
        ("wide.json", json.dumps(chat("K7Q9")).encode("utf-16"), ":1:1: the file is UTF-16"),
        ("latin.json", '[{"role": "user", "content": "é"}]'.encode("latin-1"), ":1:31: byte 0xe9"),
        ("empty.jsonl", "", ":1:1: the file is empty"),
        ("blank.json", '[{"role": "user", "content": ""}]', ": no usable message in it; "),
        (
            "mixed.jsonl",
            '{"type": "user", "uuid": "1", "sessionId": "s", "message": {"role": "user", '
            '"content": "Hi."}}\n{"role": "user", "content": "Hello."}',
            ":2:1: an entry without a type; is the file mixed",
        ),
    ],
)
def test_a_broken_transcript_in_a_folder_ends_the_import_unless_it_may_go_on(
    tmp_path: Path, talks: Path, name: str, content: str | bytes, told: str
) -> None:
    broken = talks / name
    broken.write_bytes(content if isinstance(content, bytes) else content.encode())
    out = tmp_path / "out"
    refused = run("auto", talks, "-o", out)
    assert refused.exit_code == 2
    assert f"{broken}{told}" in refused.stderr
    assert not out.exists()
    kept = run("auto", talks, "-o", out, "--keep-going")
    assert kept.exit_code == 0
    assert {"a.yaml", "b.yaml", "c.yaml"} <= set(contents(out))


def test_a_folder_without_a_transcript_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    empty = run("auto", tmp_path / "notes", "-o", tmp_path / "out")
    assert (empty.exit_code, empty.stderr) == (2, f"{tmp_path / 'notes'}: no file in this folder\n")
    (tmp_path / "notes" / "a.md").write_text("Hm.")
    (tmp_path / "notes" / "b.json").write_text("{}")
    refused = run("auto", tmp_path / "notes", "-o", tmp_path / "out")
    assert refused.exit_code == 2
    assert refused.stderr.splitlines() == [
        "no transcript found",
        f"{tmp_path / 'notes' / 'a.md'}: not JSON",
        f"{tmp_path / 'notes' / 'b.json'}: in none of the formats",
    ]
    assert not (tmp_path / "out").exists()


def test_a_conversation_with_nothing_to_measure_is_told_by_its_line(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    quiet = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    rows = [{"id": "one", "messages": chat("K7Q2")}, {"id": "two", "messages": quiet}]
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    result = run("auto", log, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stderr == (
        f"{log}:2:1: 'log.jsonl, two' has nothing to measure; it needs probes of its own\n"
    )


def test_a_sample_is_the_same_wherever_the_files_are(tmp_path: Path, talks: Path) -> None:
    for number in range(20):
        (talks / f"n{number}.json").write_text(json.dumps(chat(f"K8Q{number}")))
    moved = tmp_path / "elsewhere" / "moved"
    moved.parent.mkdir()
    outs = [tmp_path / f"out-{n}" for n in range(3)]
    first = run("auto", talks, "-o", outs[0], "--sample", 5, "--seed", 7)
    talks.rename(moved)
    second = run("auto", moved, "-o", outs[1], "--sample", 5, "--seed", 7)
    other = run("auto", moved, "-o", outs[2], "--sample", 5, "--seed", 8)
    assert (first.exit_code, second.exit_code, other.exit_code) == (0, 0, 0)
    assert contents(outs[0]) == contents(outs[1])
    assert len(contents(outs[0])) == 10
    assert contents(outs[0]).keys() != contents(outs[2]).keys()
    assert "Sample: 5 of 23 conversations in 23 files (seed 7)" in first.stdout


def test_a_larger_sample_holds_the_smaller_one_and_needs_no_order() -> None:
    keys = [(f"{name}.json", number) for name in "abcdefgh" for number in range(4)]
    small, large = drawn(keys, 5, 3), drawn(keys[::-1], 12, 3)
    assert (len(small), len(large)) == (5, 12)
    assert small < large
    assert drawn(keys, 99, 3) == frozenset(keys)


def test_what_was_not_drawn_and_what_was_cut_is_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    rows = [{"id": str(n), "messages": chat(f"K7Q{n}")} for n in range(4)]
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    result = run(
        "auto", log, "-o", tmp_path / "out", "--sample", 1, "--from", 2, "--max-messages", 4
    )
    assert result.exit_code == 0, result.output
    assert f"{log}: 1 conversation, 4 messages kept, 20 skipped, 0 repaired" in result.stdout
    for line in (
        "message after --max-messages: 1",
        "message of a conversation that wasn't drawn: 18",
        "message outside of --from and --to: 1",
    ):
        assert f"  skipped, {line}\n" in result.stdout
    (scenario,) = select([str(tmp_path / "out")])
    assert [message["role"] for message in scenario.messages] == [
        *("assistant", "user", "assistant", "tool"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sample", "0"], "0 is not in the range x>=1"),
        (["--from", "-1"], "-1 is not in the range x>=1"),
        (["--max-messages", "many"], "'many' is not a valid integer"),
        (["--from", "5", "--to", "4"], "--to 4 is before --from 5"),
        (["--seed", "4"], "--seed is for a sample; give --sample N too"),
        (["--from", "70"], "no conversation is left to import; look at --from and --max-messages"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    tmp_path: Path, talks: Path, options: list[str], message: str
) -> None:
    result = run("auto", talks, "-o", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_scrubbing_is_alike_over_all_files_and_is_accounted_for(
    tmp_path: Path, talks: Path
) -> None:
    plain = run("auto", talks, "-o", tmp_path / "plain")
    result = run("auto", talks, "-o", tmp_path / "out", "--scrub")
    assert result.exit_code == 0
    assert "  scrubbed, e-mail address: 1 value at 3 places\n" in result.stdout
    assert plain.stdout.splitlines()[-2] == result.stdout.splitlines()[-2]
    written = contents(tmp_path / "out")
    assert not any(b"mira" in one or b"tarmworks" in one for one in written.values())
    said = {one.messages[0]["content"] for one in select([str(tmp_path / "out")])}
    assert len({str(text).split()[3] for text in said}) == 1
    again = run("auto", talks, "-o", tmp_path / "again", "--scrub")
    assert again.exit_code == 0
    assert contents(tmp_path / "again") == written
    none = run("auto", talks, "-o", tmp_path / "none", "--scrub", "--from", 2)
    assert "  scrubbed: nothing that looks private was found\n" in none.stdout


@pytest.mark.parametrize("kind", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("there", [False, True])
def test_an_import_that_ends_halfway_leaves_nothing_behind(
    tmp_path: Path,
    talks: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: BaseException,
    there: bool,
) -> None:
    out = tmp_path / "new" / "out"
    if there:
        out.mkdir(parents=True)
        (out / "a.yaml").write_text("mine")
    whole = Path.write_bytes

    def until_full(path: Path, data: bytes) -> int:
        if path.name == "c.jsonl":
            raise kind
        return whole(path, data)

    monkeypatch.setattr(Path, "write_bytes", until_full)
    result = run("auto", talks, "-o", out, "--force")
    assert result.exit_code != 0
    assert contents(tmp_path / "new") == ({"out/a.yaml": b"mine"} if there else {})
    assert (tmp_path / "new").exists() is there


def test_moving_into_place_is_undone_where_it_fails_halfway(
    tmp_path: Path, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.yaml").write_text("mine")
    move = Path.replace

    def until_failing(path: Path, target: Path) -> Path:
        if target == out / "c.yaml":
            raise OSError(5, "Input/output error", str(target))
        return move(path, target)

    monkeypatch.setattr(Path, "replace", until_failing)
    result = run("auto", talks, "-o", out, "--force")
    assert (result.exit_code, result.stderr) == (2, f"{out / 'c.yaml'}: input/output error\n")
    assert contents(out) == {"a.yaml": b"mine"}


def test_no_more_than_one_file_is_held(
    tmp_path: Path, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive: list[int] = []
    held = 0

    class Watched(pipeline.Conversation):
        def __del__(self) -> None:
            nonlocal held
            held -= 1

    made = pipeline._of_file

    def watching(*args: Any) -> Any:
        nonlocal held
        for one in made(*args):
            held += 1
            alive.append(held)
            yield Watched(one.name, one.title, one.messages, one.tools)

    monkeypatch.setattr(pipeline, "_of_file", watching)
    assert run("auto", talks, "-o", tmp_path / "out").exit_code == 0
    assert alive == [1, 2, 2]  # the newest one's name is rebound only when the next is there


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signals")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_import_that_is_ended_from_outside_leaves_nothing_behind(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    for number in range(400):
        (folder / f"n{number}.json").write_text(json.dumps(chat(f"K{number}Q") * 40))
    command = [sys.executable, str(ROOT / "run_eval.py"), "import", "auto", str(folder)]
    with subprocess.Popen(
        [*command, "-o", str(tmp_path / "out")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("out/.import-*/*.yaml")) and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(process.pid, sent)
        process.communicate()
    assert process.returncode == code
    assert not (tmp_path / "out").exists()


def test_importing_gives_the_same_bytes_for_any_hash_seed(tmp_path: Path, talks: Path) -> None:
    written = []
    for seed in ("1", "2"):
        out = tmp_path / f"out-{seed}"
        command = [sys.executable, str(ROOT / "run_eval.py"), "import", "auto", str(talks), "-o"]
        options = ["--scrub", "--sample", "2", "--max-messages", "5"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*command, str(out), *options], check=True, env=environment)
        written.append(contents(out))
    assert written[0] == written[1]
    assert len(written[0]) == 4


def test_the_transcript_itself_is_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = json.dumps(chat("K7Q2"))
    Path("talk.jsonl").write_text(text)
    result = run("auto", "talk.jsonl", "-o", ".", "--force")
    assert result.exit_code == 2
    assert "talk.jsonl: is the transcript itself" in result.output
    assert contents(tmp_path) == {"talk.jsonl": text.encode()}
