"""Cassettes: the same replies make the same bytes, and what was spoilt is told with its line."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from compaction_eval.eval.models.base import ChatRequest, NotRecordedError, Outcome, Reply
from compaction_eval.eval.models.cassette import (
    SCHEMA,
    Recording,
    add,
    read_cassette,
    recorded,
    write_cassette,
)
from compaction_eval.eval.models.replaying import Replayer
from compaction_eval.strategies.errors import ConfigurationError

MODEL = "openai:small"
WHERE = "staging-port / none / 30% / current-port"
ASKED = ChatRequest(
    (
        {"role": "system", "content": "The port is 9443."},
        {"role": "user", "content": "Which port?"},
    ),
    "answer",
    max_tokens=64,
    whereabouts=WHERE,
)
REPLIES = [
    (
        replace(ASKED, repeat=number),
        Reply(outcome, f"{outcome} \u2713\n\ud83d", (("read", "{}"),), "why", 9, 3, 0),
    )
    for number, outcome in enumerate(get_args(Outcome))
]


def recording(replies: Sequence[tuple[ChatRequest, Reply]]) -> Recording:
    found: Recording = {}
    for request, reply in replies:
        add(found, recorded(MODEL, request, reply))
    return found


@pytest.fixture(params=["answers.jsonl", "answers.jsonl.gz"])
def cassette(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    write_cassette(path, recording(REPLIES))
    return path


def test_what_was_recorded_is_replayed_whatever_its_outcome(cassette: Path) -> None:
    model = Replayer(MODEL, read_cassette(cassette), cassette.name)
    for request, reply in REPLIES:
        replayed = model.complete(replace(request, whereabouts="elsewhere"))
        assert (replayed, replayed.from_store) == (reply, True)


def test_the_same_replies_make_the_same_bytes_in_any_order(cassette: Path, tmp_path: Path) -> None:
    everywhere = [(replace(one, whereabouts=f"at {n}"), r) for one, r in REPLIES for n in "bca"]
    texts = set()
    for seed in range(3):
        random.Random(seed).shuffle(everywhere)
        path = tmp_path / f"{seed}" / cassette.name
        path.parent.mkdir()
        write_cassette(path, recording(everywhere))
        texts.add(path.read_bytes())
    assert len(texts) == 1


def test_reading_and_writing_again_changes_no_byte(cassette: Path) -> None:
    before = cassette.read_bytes()
    write_cassette(cassette, read_cassette(cassette))
    assert cassette.read_bytes() == before


def test_a_compressed_cassette_tells_neither_name_nor_time(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    write_cassette(path, recording(REPLIES))
    header = path.read_bytes()[:10]
    assert (header[3], header[4:8]) == (0, bytes(4))


def test_a_line_holds_no_text_of_the_request(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    write_cassette(path, recording(REPLIES))
    line = json.loads(path.read_text().splitlines()[1])
    names = ["request", "model", "repeat", "purpose", "where", "parts", "reply", "check"]
    assert list(line) == names
    assert "9443" not in path.read_text()


def test_a_passing_fault_is_replaced_by_an_answer_and_an_answer_stays() -> None:
    fault, answer, later = Reply("timeout"), Reply("answered", "9443"), Reply("answered", "8443")
    for replies in ([fault, answer, fault, later], [answer, fault, later]):
        found = recording([(ASKED, reply) for reply in replies])
        assert [one.reply for one in found.values()] == [answer]


def spoil(change: Callable[[list[str]], object]) -> Callable[[bytes], bytes]:
    def changed(data: bytes) -> bytes:
        lines = data.decode().splitlines(keepends=True)
        change(lines)
        return "".join(lines).encode()

    return changed


def edited(lines: list[str]) -> None:
    lines[3] = lines[3].replace("cut", "CUT")


def added(lines: list[str]) -> None:
    lines.insert(4, lines[3])


def newer(lines: list[str]) -> None:
    lines[0] = lines[0].replace("cassette/1", "cassette/2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (spoil(edited), ":4:1: was changed after it was recorded"),
        (spoil(lambda lines: lines.pop(5)), ":13:1: is cut off (lines are missing, or were added)"),
        (spoil(lambda lines: lines.pop()), ":13:1: is cut off: its last line is missing"),
        (spoil(lambda lines: lines.append(lines[-1])), ":14:1: was changed"),
        (spoil(lambda lines: lines.insert(4, "<<<<<<< ours\n")), ":5:1: was changed"),
        (spoil(added), ":5:1: was changed after it was recorded (it is out of order)"),
        (lambda data: data[: len(data) * 2 // 3], ":10:1: is cut off (it doesn't fit"),
        (
            spoil(newer),
            f":1:1: has the schema {SCHEMA[:-1]}2, this version reads {SCHEMA}",
        ),
        (lambda _data: b"", ":1:1: is no cassette"),
        (lambda _data: b'{"port": 8443}\n', ":1:1: is no cassette"),
        (lambda _data: b"\xff\xfe", ": is no cassette: it isn't UTF-8"),
        (lambda data: gzip.compress(data)[:-20], ": is damaged: it can't be decompressed"),
        (lambda data: gzip.compress(data)[:40] + b"x" * 90, ": is damaged: it can't be decomp"),
    ],
)
def test_a_spoilt_cassette_is_told_in_one_line(
    change: Callable[[bytes], bytes], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"
    write_cassette(path, recording(REPLIES))
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ConfigurationError) as told:
        read_cassette(path)
    assert str(told.value).startswith(f"{path}{message}")
    assert "\n" not in str(told.value)


def test_a_missing_cassette_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="can't be read: No such file"):
        read_cassette(tmp_path / "answers.jsonl")


@pytest.mark.parametrize(
    ("model", "change", "message"),
    [
        (MODEL, {"repeat": 99}, "this request was recorded, but not with the repeat number 99"),
        ("openai:smal", {}, "nothing of openai:smal, only of openai:small; did you mean 'openai:"),
        (MODEL, {"messages": ASKED.messages[1:]}, "recorded there differs in its view;"),
        (
            MODEL,
            {"max_tokens": 65},
            "differs in its max_tokens, temperature or seed",
        ),
        (
            MODEL,
            {"messages": ASKED.messages[:1], "tools": ({},)},
            "recorded there differs in its view, last message, tools;",
        ),
        (
            MODEL,
            {"messages": ASKED.messages[1:], "whereabouts": "another"},
            "another: not recorded: the nearest recorded request differs in its view;",
        ),
        (
            MODEL,
            {"messages": ASKED.messages[:1], "whereabouts": "another"},
            "nothing was recorded there, and nothing with the same last message",
        ),
        (
            MODEL,
            {"purpose": "judge", "whereabouts": ""},
            "a request for: judge: not recorded: ",
        ),
    ],
)
def test_a_miss_tells_who_asked_and_what_differs(
    model: str, change: dict[str, Any], message: str
) -> None:
    request = replace(ASKED, **change)
    with pytest.raises(NotRecordedError) as told:
        Replayer(model, recording(REPLIES), "answers.jsonl.gz").complete(request)
    assert str(told.value).startswith(f"answers.jsonl.gz: {request.whereabouts or 'a request'}")
    assert message in str(told.value)


def test_an_empty_recording_says_so() -> None:
    with pytest.raises(NotRecordedError, match="the recording is empty"):
        Replayer(MODEL, {}, "answers.jsonl").complete(ASKED)
