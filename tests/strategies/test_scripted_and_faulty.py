"""Summarisers for tests and drills: prepared answers, and chosen failures."""

from pathlib import Path
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import load_summarizer
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.summarizers.faulty import Faulty
from compaction_eval.strategies.summarizers.scripted import Scripted
from compaction_eval.strategies.summary import summary_length
from compaction_eval.strategies.summary_checks import rejection
from compaction_eval.strategies.tokens import TokenCounter

TALK = cast("Message", {"role": "user", "content": "The port is 9443, says Mei Lindqvist."})


def request(language: str = "en") -> SummaryRequest:
    return SummaryRequest((TALK,) * 3, limit=100, language=language)


def test_scripted_answers_come_in_order_and_then_run_out() -> None:
    scripted = Scripted(("first", "second"))
    assert [scripted.summarize(request()) for _ in range(2)] == ["first", "second"]
    with pytest.raises(LookupError, match="has 2 answers, and this is call 3"):
        scripted.summarize(request())


@pytest.mark.parametrize(
    ("name", "text", "answers"),
    [
        ("a.txt", "one\n二\n", ("one", "二")),
        ("a.yaml", "- one\n- |-\n  two\n  lines\n- no\n", ("one", "two\nlines", "no")),
        ("a.yml", "[8:30, '']", ("8:30", "")),
    ],
)
def test_scripted_answers_can_stand_in_a_file(
    tmp_path: Path, name: str, text: str, answers: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert Scripted(file=str(tmp_path / name)).answers == answers


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("missing.txt", None, "No such file"),
        ("a.txt", b"\xff\xfe\x00", "no UTF-8"),
        ("a.yaml", b"one: two", "a YAML list of texts"),
        ("a.yaml", b"- [nested]", "a YAML list of texts"),
        ("a.yaml", b"- 'open", "quoted scalar"),
    ],
)
def test_a_bad_file_of_answers_is_named(
    tmp_path: Path, name: str, data: bytes | None, reason: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigurationError, match=reason) as caught:
        Scripted(file=str(tmp_path / name))
    assert name in str(caught.value)


def test_answers_and_a_file_exclude_each_other() -> None:
    with pytest.raises(ConfigurationError, match="not both"):
        Scripted(("a",), file="b.txt")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("empty", "empty"),
        ("short", "only 2"),
        ("inflated", "inflated"),
        ("refusal", "refusal"),
        ("chat", "continues"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh-TW", "ja", "de", "fr"])
def test_each_faulty_text_is_one_that_the_checks_reject(
    fault: Any, reason: str, language: str
) -> None:
    text = Faulty(fault).summarize(request(language))
    told = rejection(text, dropped_tokens=9000, limit=100, counter=TokenCounter(), previous=None)
    assert reason in str(told)


def test_an_inflated_summary_is_ten_times_too_long() -> None:
    assert summary_length(Faulty("inflated").summarize(request())) >= 1000


@pytest.mark.parametrize(("fault", "error"), [("raises", RuntimeError), ("timeout", TimeoutError)])
def test_a_fault_can_be_an_exception(fault: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="told to"):
        Faulty(fault).summarize(request())


def test_every_third_call_fails_and_the_others_are_answered_by_the_inner_summarizer() -> None:
    faulty = Faulty("empty", inner="scripted(answers=a|b|c|d)", every=3)
    assert [faulty.summarize(request()) for _ in range(6)] == ["a", "b", "", "c", "d", ""]


def test_with_the_oracle_inside_the_answer_key_is_seen() -> None:
    assert Faulty(inner="oracle").sees_answer_key
    assert not Faulty().sees_answer_key


@pytest.mark.parametrize(
    ("every", "inner", "reason"), [(0, "extractive", "1 or more"), (1, "none", "not 'none'")]
)
def test_a_faulty_summarizer_that_can_not_work_is_refused(
    every: int, inner: str, reason: str
) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        Faulty(every=every, inner=inner)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("extractive", "extractive"),
        ("extractive(limit=120, density=0.5)", "extractive"),
        ("oracle", "oracle"),
        ("scripted(answers=a|b)", "scripted"),
        ("faulty(fault=chat, inner=oracle, every=2)", "faulty"),
    ],
)
def test_each_summarizer_is_loaded_by_its_name_and_parameters(spec: str, name: str) -> None:
    factory = load_summarizer(parse_spec(spec), Path())
    assert factory is not None
    assert factory().name == name
