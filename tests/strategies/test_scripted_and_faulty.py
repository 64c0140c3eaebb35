"""Summarisers for tests and drills: prepared answers, and chosen failures."""

from pathlib import Path
from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Context, SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError, StrategyError
from compaction_eval.strategies.loading import load_summarizer
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.summarizers.faulty import Faulty
from compaction_eval.strategies.summarizers.oracle import Oracle
from compaction_eval.strategies.summarizers.scripted import Scripted
from compaction_eval.strategies.summarizing import attempt_summary
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
    assert Scripted(file=tmp_path / name).answers == answers


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
        Scripted(file=tmp_path / name)
    assert name in str(caught.value)


def test_answers_and_a_file_exclude_each_other() -> None:
    with pytest.raises(ConfigurationError, match="not both"):
        Scripted(("a",), file=Path("b.txt"))


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


def test_an_inflated_summary_is_as_many_times_too_long_as_is_wished() -> None:
    text = Faulty("inflated", Scripted(("A sentence of some length.",)), times=3)
    assert 300 <= summary_length(text.summarize(request())) < 600


@pytest.mark.parametrize(("fault", "error"), [("raises", RuntimeError), ("timeout", TimeoutError)])
def test_a_fault_can_be_an_exception(fault: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="told to"):
        Faulty(fault).summarize(request())


def test_every_third_call_fails_and_the_others_are_answered_by_the_inner_summarizer() -> None:
    faulty = Faulty("empty", Scripted(("a", "b", "c", "d")), every=3)
    assert [faulty.summarize(request()) for _ in range(6)] == ["a", "b", "", "c", "d", ""]


def test_with_the_oracle_inside_the_answer_key_is_seen() -> None:
    assert Faulty(inner=Faulty(inner=Oracle())).sees_answer_key
    assert not Faulty().sees_answer_key


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("faulty(every=0)", "summarizer 'faulty': every is 1 or more, not 0"),
        ("faulty(times=0)", "summarizer 'faulty': times is 1 or more, not 0"),
        ("faulty(inner=none)", "summarizer 'faulty': parameter inner: 'none' is no summarizer"),
        (
            "faulty(inner=faulty(inner=orakle))",
            "summarizer 'faulty': parameter inner: summarizer 'faulty': parameter inner: unknown"
            " summarizer 'orakle'; did you mean 'oracle'? (`list summarizers` shows all)",
        ),
    ],
)
def test_a_faulty_summarizer_that_can_not_work_is_refused(spec: str, reason: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_summarizer(parse_spec(spec), Path())
    assert str(caught.value) == reason


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


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RuntimeError(f"no\n luck\twith {object()}"), "raised RuntimeError: no luck with <object"),
        (KeyError(), "raised KeyError"),
        (StrategyError("returned nothing"), "returned nothing"),
    ],
)
def test_a_failure_is_told_on_one_line_that_is_the_same_in_every_run(
    error: Exception, reason: str
) -> None:
    class Failing:
        name = "failing"

        def summarize(self, request: SummaryRequest) -> str:
            raise error

    attempt = attempt_summary(
        Context(9, TokenCounter(), Failing()),
        [TALK],
        None,
        dropped_tokens=99,
        limit=50,
        style="rolling",
    )
    assert attempt.reason is not None
    assert attempt.reason.startswith(f"the summariser {reason}")
    assert " at 0x" not in attempt.reason
