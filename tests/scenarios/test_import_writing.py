"""Conversations as scenario files: every text survives, and the same input gives the same bytes."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from compaction_eval.scenarios.importers.languages import check_code, language
from compaction_eval.scenarios.importers.naming import Ids, safe_id
from compaction_eval.scenarios.importers.records import Conversation
from compaction_eval.scenarios.importers.writing import scenario_files, write_files
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
    )


def test_any_text_comes_back_from_the_transcript() -> None:
    message = {"role": "user", "content": HOSTILE, "note": {HOSTILE: [HOSTILE]}}
    written = scenario_files(conversation(message, HELLO), "talk")["talk.jsonl"]
    assert [json.loads(line) for line in written.splitlines()] == [message, HELLO]
    assert len(written.decode().splitlines()) == 2


def test_any_title_and_tool_schema_comes_back_from_the_scenario_file() -> None:
    schema = {"name": "look", "about": HOSTILE, HOSTILE: {"enum": [HOSTILE]}}
    given = conversation(HELLO, title=HOSTILE, tools=({"name": "find"}, schema))
    text = scenario_files(given, "talk")["talk.yaml"]
    read = yaml.load(text, Loader=yaml.BaseLoader)
    assert (read["title"], read["tools"]) == (HOSTILE, ["find", schema])


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


def test_a_language_that_is_no_code_is_refused() -> None:
    for code in ("en", "zh", "yue", "pt-BR"):
        check_code(code)
    for wrong in ("", "English", "zh_CN", "en\n"):
        with pytest.raises(ConfigurationError, match="no language code"):
            check_code(wrong)
