"""Conversations as scenario files: every text survives, and the same input gives the same bytes."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.writing import write_files

from compaction_eval.scenarios.importers.languages import language
from compaction_eval.scenarios.importers.naming import Ids, safe_id
from compaction_eval.scenarios.importers.records import Conversation
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.errors import ConfigurationError

HOSTILE = '\x00\x7f\x85\u2028\u2029\udfff\ud800\ufeff😀\r\n\t"\\ 你好: # &a *b !c'
HELLO: Any = {"role": "user", "content": "Hello."}
TOOL: Any = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}


def conversation(*messages: Any, title: str = "Talk", tools: Any = ()) -> Conversation:
    return Conversation(name="talk", title=title, messages=messages, tools=tools)


def test_a_compaction_with_an_unpaired_surrogate_in_its_trigger_is_read_back(
    tmp_path: Path,
) -> None:
    odd = RecordedCompaction(1, 0, "Hello was said.", trigger="by \ud800")
    given = replace(conversation(HELLO, HELLO), compactions=(odd,))
    write_files(tmp_path, scenario_files(given, "talk"))
    (scenario,) = load_file(tmp_path / "talk.yaml")
    assert "by \ufffd" in scenario.description


def test_a_scenario_file_names_its_transcript_and_its_checksum() -> None:
    files = scenario_files(conversation(HELLO, TOOL), "talk")
    transcript = b'{"role": "user", "content": "Hello."}\n' + json.dumps(TOOL).encode() + b"\n"
    assert files["talk.jsonl"] == transcript
    assert files["talk.yaml"].decode() == (
        "id: talk\n"
        'title: "Talk"\n'
        "lang: en\n"
        "tags: [imported, tools]\n"
        "transcript:\n"
        "  path: talk.jsonl\n"
        f"  sha256: {hashlib.sha256(transcript).hexdigest()}\n"
        "reuse: true\n"
        "reuse_text: true\n"
    )


def test_any_text_comes_back_from_the_transcript() -> None:
    message = {"role": "user", "content": HOSTILE, "note": {HOSTILE: [HOSTILE]}}
    written = scenario_files(conversation(message, HELLO), "talk")["talk.jsonl"]
    assert [json.loads(line) for line in written.splitlines()] == [message, HELLO]
    assert len(written.decode().splitlines()) == 2


def test_a_scenario_is_read_back_as_the_conversation_it_was(tmp_path: Path) -> None:
    text = HOSTILE.replace("\udfff\ud800", "")  # unpaired surrogates are gone from tools by then
    schema = {"name": "look", "about": text, text: {"enum": [text, 1, 2.5, "1"]}}
    strict = {"type": "function", "function": {"name": "set", "strict": True, "default": None}}
    tools = ({"name": "find"}, schema, strict)
    odd = {"role": "user", "content": HOSTILE, "note": {HOSTILE: [HOSTILE]}}
    given = conversation(odd, HELLO, TOOL, title="a: # 'b' \"c\" 你好", tools=tools)
    write_files(tmp_path, scenario_files(given, "talk"))
    (scenario,) = load_file(tmp_path / "talk.yaml")
    assert scenario.id == "talk"
    assert scenario.title == given.title
    assert scenario.messages == given.messages
    assert scenario.tools == tools


def test_recorded_compactions_are_read_back(tmp_path: Path) -> None:
    told = HOSTILE.replace("\udfff\ud800", "")
    compactions = (
        RecordedCompaction(2, 1, told, "auto", 900, 80, 70),
        RecordedCompaction(2, 2, ""),
    )
    given = replace(conversation(HELLO, HELLO, HELLO), compactions=compactions)
    write_files(tmp_path, scenario_files(given, "talk"))
    assert load_file(tmp_path / "talk.yaml")[0].recorded == compactions


@pytest.mark.parametrize("length", [999, 1_001, 50_000])
def test_a_tool_with_a_long_key_is_read_back(tmp_path: Path, length: int) -> None:
    tool = {"name": "look", "k" * length: {"inner" * length: [{"é" * length: 1}]}}
    write_files(tmp_path, scenario_files(conversation(HELLO, tools=(tool,)), "talk"))
    assert load_file(tmp_path / "talk.yaml")[0].tools == (tool,)


def test_a_given_language_stands_before_the_one_that_is_found() -> None:
    assert b"lang: zh\n" in scenario_files(conversation(HELLO), "talk", "zh")["talk.yaml"]


def test_files_that_are_there_already_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    write_files(folder, {"a.yaml": b"one"})
    before = (folder / "a.yaml").stat().st_mtime_ns
    write_files(folder, {"a.yaml": b"one", "b.yaml": b"two"})
    assert (folder / "a.yaml").stat().st_mtime_ns == before
    assert (folder / "b.yaml").read_bytes() == b"two"


def test_another_content_is_overwritten_by_force_only(tmp_path: Path) -> None:
    write_files(tmp_path, {"b.yaml": b"two"})
    with pytest.raises(ConfigurationError, match=r"b\.yaml: is there already .* --force"):
        write_files(tmp_path, {"a.yaml": b"one", "b.yaml": b"three"})
    assert not (tmp_path / "a.yaml").exists()
    write_files(tmp_path, {"b.yaml": b"three"}, force=True)
    assert (tmp_path / "b.yaml").read_bytes() == b"three"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="file"):
        write_files(tmp_path / "file" / "folder", {"a.yaml": b"one"})


def test_what_stands_in_the_way_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").mkdir()
    with pytest.raises(ConfigurationError, match=r"a\.yaml: is a directory"):
        write_files(tmp_path, {"a.yaml": b"one"})


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("airline-40-task-9-trial-0", "airline-40-task-9-trial-0"),
        ("My chat (copy).v2", "My-chat-copy-v2"),
        ("../../etc/passwd", "etc-passwd"),
        ("Gespräch", "Gesprach"),
        ("..", "conversation"),
        ("客服", "conversation"),
        ("nul", "conversation-nul"),
        ("a" * 200, "a" * 60),
        ("-x_", "x"),
    ],
)
def test_an_id_is_safe_as_a_file_name(name: str, id: str) -> None:
    assert safe_id(name) == id


@pytest.mark.parametrize("ends_at", [1, 2, 3])
def test_an_older_file_outlives_whatever_ends_the_moving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends_at: int
) -> None:
    """The 1st and 3rd renaming put the older file aside and back, the 2nd the new one in place."""
    write_files(tmp_path, {"a.yaml": b"old", "b.yaml": b"old"})
    rename, calls = Path.replace, iter(range(1, 100))

    def interrupted(path: Path, target: Path) -> Path:
        if next(calls) == ends_at:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_files(tmp_path, {"a.yaml": b"new", "b.yaml": b"new"}, force=True)
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == {"a.yaml": b"old", "b.yaml": b"old"}


def test_a_taken_id_gets_a_number_whatever_its_case() -> None:
    ids = Ids()
    taken = [ids.take(name) for name in ("chat", "Chat", "chat", "chat-2", "other")]
    assert taken == ["chat", "Chat-2", "chat-3", "chat-2-2", "other"]


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["Please rename it.", "Done."], "en"),
        (["请把 deploy/staging.yaml 里的端口改成 9443，然后运行 make test。"], "zh"),
        (["ポートを変更してください。", "変更しました。"], "ja"),
        (["The word 你好 means hello, and it is used by everyone there."], "en"),
        (["Bitte umbenennen."], "en"),
        (["1234 !?"], "en"),
        ([], "en"),
    ],
)
def test_the_language_is_told_by_the_script(texts: list[str], code: str) -> None:
    messages: Any = [{"role": "user", "content": text} for text in texts]
    assert language(messages) == code


def test_the_language_is_not_told_by_tool_output() -> None:
    messages: Any = [{"role": "tool", "content": "路径" * 50}, HELLO]
    assert language(messages) == "en"


def test_a_disk_that_fails_halfway_leaves_no_part_of_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path.write_bytes

    def until_full(path: Path, data: bytes) -> int:
        if data == b"two":
            raise OSError(28, "No space left on device", str(path))
        return whole(path, data)

    monkeypatch.setattr(Path, "write_bytes", until_full)
    with pytest.raises(ConfigurationError, match="no space left on device"):
        write_files(tmp_path, {"a.yaml": b"one", "b.yaml": b"two"})
    assert list(tmp_path.iterdir()) == []
