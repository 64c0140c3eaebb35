"""The shapes in which chats are kept, read as files."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import FORMATS, documents, find_formats, import_file
from compaction_eval.scenarios.importers.records import Account, Imported
from compaction_eval.strategies.errors import ConfigurationError

CHAT = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
ARROW = [{"role": "user", "content": "→\u2028\x85"}]


def lines(*values: Any) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def read(folder: Path, text: str | bytes, name: str = "chat.json") -> Imported:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_file(find_formats("openai"), path)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("chat.json", json.dumps(CHAT), {"chat": CHAT}),
        ("chat.json", "\ufeff" + json.dumps(CHAT, indent=1), {"chat": CHAT}),
        ("chat.jsonl", lines(*CHAT), {"chat": CHAT}),
        ("chat.log", "\n" + lines(*CHAT) + "\n\n", {"chat": CHAT}),
        ("chat.log", lines(*CHAT).replace("\n", "\r\n"), {"chat": CHAT}),
        ("chat.jsonl", lines(*ARROW), {"chat": ARROW}),
        ("chat.json", json.dumps({"messages": CHAT}), {"chat": CHAT}),
        ("chat.json", json.dumps({"messages": CHAT, "id": "b/7"}), {"chat-b/7": CHAT}),
        (
            "chat.jsonl",
            lines({"messages": CHAT}, {"messages": ARROW}),
            {"chat-1": CHAT, "chat-2": ARROW},
        ),
        ("chat.jsonl", lines({"messages": CHAT}), {"chat": CHAT}),
        (
            "runs.json",
            json.dumps([{"task_id": 9, "trial": 0, "traj": CHAT, "reward": 1.0}]),
            {"runs-task-9-trial-0": CHAT},
        ),
        ("runs.json", json.dumps([CHAT, ARROW]), {"runs-1": CHAT, "runs-2": ARROW}),
    ],
)
def test_every_shape_gives_its_conversations(
    tmp_path: Path, name: str, text: str, expected: dict[str, Any]
) -> None:
    imported = read(tmp_path, text, name)
    assert {each.name: list(each.messages) for each in imported.conversations} == expected
    assert imported.account == Account(kept=sum(map(len, expected.values())))


def test_the_title_says_where_a_conversation_is_from(tmp_path: Path) -> None:
    text = json.dumps([{"task_id": "refund\n7", "trial": 1, "messages": CHAT}])
    assert read(tmp_path, text).conversations[0].title == "chat.json, task refund?7, trial 1"


def test_tools_are_kept_by_name_or_schema(tmp_path: Path) -> None:
    schema = {"type": "function", "function": {"name": "look", "strict": True}}
    deep = {"name": "deep", "of": json.loads("[" * 150 + "]" * 150)}
    tools = [schema, "find", "find", 3, {"type": "web_search"}, {"name": "天气"}, deep]
    imported = read(tmp_path, json.dumps({"messages": CHAT, "tools": tools}))
    assert imported.conversations[0].tools == (schema, {"name": "find"})
    assert imported.account.skipped == (
        ("tool given twice", 1),
        ("tool nested deeper than 100 levels", 1),
        ("tool without a usable name", 3),
    )


def test_a_lone_surrogate_in_a_tool_is_replaced_and_said(tmp_path: Path) -> None:
    tools = [{"name": "look", "about": "\ud800 and 😀"}]
    imported = read(tmp_path, json.dumps({"messages": CHAT, "tools": tools}))
    assert imported.conversations[0].tools == ({"name": "look", "about": "\ufffd and 😀"},)
    assert imported.account.repaired == (("unpaired surrogate in a tool replaced", 1),)


def test_what_stands_between_conversations_is_accounted_for(tmp_path: Path) -> None:
    entries = [{"messages": CHAT}, {"note": 1}, {"messages": [{"role": "user", "content": ""}, 5]}]
    imported = read(tmp_path, json.dumps(entries))
    assert imported.account == Account(
        kept=2,
        skipped=(
            ("conversation without a usable message", 1),
            ("empty", 1),
            ("entry without messages", 1),
            ("not an object", 1),
        ),
    )


def test_what_stands_between_messages_is_accounted_for(tmp_path: Path) -> None:
    imported = read(tmp_path, lines(CHAT[0], 7, {"event": "x"}, CHAT[1]), "chat.jsonl")
    assert imported.account == Account(kept=2, skipped=(("no role", 1), ("not an object", 1)))


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.json", "", "1:1: the file is empty"),
        ("a.jsonl", " \n\n", "1:1: the file is empty"),
        ("a.json", '[\n {"role": "user",}]', "2:18: not JSON: "),
        ("a.json", '{"messages": []}\n}', "2:1: not JSON: expecting value"),
        ("a.json", '{\n"messages": []}\n]', "3:1: not JSON: extra data"),
        ("a.jsonl", lines(*CHAT) + '{"role": "user', "3:10: not JSON: unterminated string"),
        ("a.jsonl", '{"role"}\n' + lines(*CHAT), "1:8: not JSON: expecting ':'"),
        ("a.json", '[{"role": "user", "content": "\x00"}]', "1:31: not JSON: invalid control"),
        ("a.json", '[{"role": "user", "content": NaN}]', "1:1: not JSON: NaN is no number"),
        ("a.json", '[{"role": "user", "role": "user"}]', "1:1: the key 'role' is given twice"),
        ("a.json", b'[\n{"role": "\xff"}]', "2:11: byte 0xff isn't UTF-8"),
        ("a.json", b"\xef\xbb\xbf\xff", "1:1: byte 0xff isn't UTF-8"),
        ("a.json", "[" * 200_000, "1:1: nested too deeply"),
        ("a.json", "[" + "9" * 5000 + "]", "1:1: a number has too many digits"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str | bytes, fault: str
) -> None:
    with pytest.raises(FaultsError) as caught:
        read(tmp_path, text, name)
    assert str(caught.value).startswith(f"{tmp_path / name}:{fault}")
    assert len(caught.value.faults) == 1


def test_every_broken_line_is_shown_up_to_a_bound(tmp_path: Path) -> None:
    with pytest.raises(FaultsError) as caught:
        read(tmp_path, lines(*CHAT) + "oops\n" * 3, "chat.jsonl")
    assert [fault.place.line for fault in caught.value.faults] == [3, 4, 5]
    with pytest.raises(FaultsError) as caught:
        read(tmp_path, "oops\n" * 5000, "chat.jsonl")
    assert len(caught.value.faults) == 11
    assert "4990 more lines" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (lines({"type": "session", "cwd": "/srv"}), "it is an object with the keys 'type', 'cwd'"),
        (lines({"type": "a"}, {"type": "b"}), "its first line is an object with the keys 'type'"),
        ('[{"action": "run"}]', "its first entry is an object with the keys 'action'"),
        ('{"messages": [{"from": "human"}]}', "it is an object with the keys 'messages'"),
        ('{"messages": []}', "it is an object with the keys 'messages', which is empty"),
        ("[]", "it is an empty list"),
        ("{}", "it is an object with no keys"),
        ("7", "it is no object"),
        ("[[]]", "its first entry is no object"),
    ],
)
def test_another_format_gets_one_line_that_says_what_was_found(
    tmp_path: Path, text: str, found: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(tmp_path, text)
    expected = f"{tmp_path / 'chat.json'}: no openai conversation found; {found}"
    assert str(caught.value) == expected


def test_tools_that_are_no_list_are_counted(tmp_path: Path) -> None:
    text = '{"messages": [{"role": "user", "content": "Hi."}], "tools": "book"}'
    assert read(tmp_path, text).account.skipped == (("tools that are no list", 1),)


def test_a_file_whose_messages_are_all_skipped_is_refused_with_the_reasons(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no usable message in it; .*empty: 1"):
        read(tmp_path, '[{"role": "user", "content": ""}]')


def test_a_missing_file_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"gone\.json: no such file or directory$"):
        import_file(FORMATS, tmp_path / "gone.json")


def test_an_unknown_format_names_the_nearest() -> None:
    assert find_formats("auto") == FORMATS
    assert list(find_formats("openai")) == ["openai"]
    with pytest.raises(ConfigurationError, match="unknown format 'opena'; did you mean 'openai'"):
        find_formats("opena")
    with pytest.raises(
        ConfigurationError,
        match=r"unknown format 'zip'; known are auto, .*openai, anthropic, claude-code, pi",
    ):
        find_formats("zip")


def test_a_gigantic_line_is_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LONGEST_LINE", 100)
    path = tmp_path / "chat.jsonl"
    path.write_text(lines(CHAT[0], {"role": "user", "content": "x" * 100}, CHAT[1]))
    with pytest.raises(FaultsError, match=r"chat\.jsonl:2:1: longer than 100 bytes"):
        import_file(FORMATS, path)
    kept = import_file(FORMATS, path, keep_going=True)
    assert list(kept.conversations[0].messages) == CHAT
    assert [fault.place.line for fault in kept.faults] == [2]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["chat.jsonl", "chat.json"])
def test_a_file_in_utf_16_is_one_fault_though_it_has_many_lines(
    tmp_path: Path, encoding: str, name: str
) -> None:
    text = lines(*CHAT)
    for keep_going in (False, True):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        with pytest.raises(FaultsError, match="1:1: the file is UTF-16, not UTF-8") as caught:
            import_file(FORMATS, path, keep_going=keep_going)
        assert len(caught.value.faults) == 1


def test_a_large_file_is_read_by_line_and_told_where_it_is_one_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LONGEST_LINE", 60)
    by_line, whole = tmp_path / "log.json", tmp_path / "whole.json"
    by_line.write_text(lines(*CHAT))
    assert list(import_file(FORMATS, by_line).conversations[0].messages) == CHAT
    whole.write_text(json.dumps(CHAT, indent=1))
    with pytest.raises(FaultsError, match=r"whole\.json:1:1: larger than 60 bytes and not one"):
        import_file(FORMATS, whole)


@pytest.mark.parametrize("name", ["chat.jsonl", "chat.json"])
@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FaultsError, match="the file is empty"):
        import_file(FORMATS, path)


def test_one_value_over_several_lines_is_read_whatever_the_file_is_called(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps(CHAT, indent=1))
    assert list(import_file(FORMATS, path).conversations[0].messages) == CHAT
