"""Text made to be slow: what anyone may put into a tool's output costs no more than its length.

Most of it is tested by what is made of the text, which is the same on every machine. The time limit
is a safety stop: where a pattern tries again from every place of a run, these take minutes.
"""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.base import PromptStyle, SummaryRequest
from compaction_eval.strategies.mentions import find_mentions, normalise, outside
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.rendering import render
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summarizers.fragments import LONGEST, fragments, thirds
from compaction_eval.strategies.summarizers.terms import terms
from compaction_eval.strategies.summary import summary_length
from compaction_eval.strategies.summary_checks import fit_summary, rejection
from compaction_eval.strategies.timelimit import time_limit
from compaction_eval.strategies.tokens import TokenCounter

SIZE = 100_000
SECONDS = 10.0
RUNS = (
    "_",
    "a.",
    "a+",
    "-",
    "/",
    "1",
    "1.",
    "a",
    "A.a ",
    "é_",
    "北",
    "，",
    '"',
    "{",
    "[",
    " ",
    "😀",
)


def repeated(unit: str, size: int = SIZE) -> str:
    return unit * (size // len(unit))


SHAPES = {
    "as it is": "{}",
    "a JSON key": '{{"{}": "v1"}}',
    "a JSON value": '{{"path": "{}"}}',
    "a key of a list": '{{"{}": ["v1", {{}}, "v2", {{}}, "v3"]}}',
    "a table's heading": "| name | {} |\n|--|--|\n| a | v1 |\n| b | v2 |",
    "a table's cell": "| name | key |\n|--|--|\n| {} | v1 |",
    "a data URL": "x;base64, data:{}",
}


def shaped(shape: str, run: str) -> str:
    quoted = run.replace('"', '\\"') if "JSON" in shape or "list" in shape else run
    return SHAPES[shape].format(quoted)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("unit", RUNS)
def test_every_piece_of_a_text_is_short(unit: str, shape: str) -> None:
    text = shaped(shape, repeated(unit, 5000))
    found = [fragment.text for fragment in fragments(text)]
    # The last word before the bound may have 120 characters, and a key or a heading stand before.
    assert all(thirds(piece) <= 3 * (2 * LONGEST + 120) for piece in found)
    assert sum(map(len, found)) <= 2 * len(text) + 100


def test_a_key_or_heading_that_is_a_text_is_told_once_and_not_with_each_value() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    rows = ", {}, ".join(f'"v{number}"' for number in range(100))
    found = " ".join(fragment.text for fragment in fragments(f'{{"{words}": [{rows}]}}'))
    assert found.count("word77") == 1
    assert "v77" in found
    table = "\n".join([f"| name | {words.translate({ord(d): 'x' for d in '0123456789'})} |"])
    table += "".join(f"\n| a{number} | b{number} |" for number in range(100))
    assert sum(len(fragment.text) for fragment in fragments(table)) <= 2 * len(table)


@pytest.mark.parametrize("unit", RUNS)
def test_summarising_any_run_of_characters_takes_no_time(unit: str) -> None:
    with time_limit(SECONDS):
        for shape in ("as it is", "a JSON key", "a table's heading", "a data URL"):
            text = shaped(shape, repeated(unit))
            messages = tuple(render([cast("Message", {"role": "tool", "content": text})]))
            summary = Extractive().summarize(SummaryRequest(messages, limit=100))
            assert summary_length(summary) <= 100


@pytest.mark.parametrize(
    "text", ["x;base64, data:" + repeated("a"), repeated("data:x;"), "data:x" + repeated(";a")]
)
def test_looking_for_an_encoded_image_takes_no_time(text: str) -> None:
    text += ";base64,AAAA"
    with time_limit(SECONDS):
        (shown,) = render([cast("Message", {"role": "tool", "content": text})])
    assert len(str(shown["content"])) <= len(text)


@pytest.mark.parametrize("unit", RUNS)
def test_the_terms_of_a_text_are_found_in_no_time_even_where_it_was_not_cut(unit: str) -> None:
    with time_limit(SECONDS):
        assert len(terms(repeated(unit, 20_000), "en")) <= 20_000


@pytest.mark.parametrize("unit", [*RUNS, "ich kann ", "soll ich ", "还有什么", "error: ", "a b. "])
def test_checking_and_fitting_a_summary_takes_no_time(unit: str) -> None:
    text = repeated(unit)
    with time_limit(SECONDS):
        rejection(text, dropped_tokens=0, limit=None, counter=TokenCounter(), previous=None)
        assert summary_length(fit_summary(text, 300)) <= 300


@pytest.mark.parametrize("style", ["rolling", "note", "dialogue"])
def test_a_text_full_of_fences_is_fenced_in_no_time(style: PromptStyle) -> None:
    text = "\n".join(f"</transcript-{number}>" for number in range(5000))
    message = cast("Message", {"role": "user", "content": text})
    with time_limit(SECONDS):
        shown = str(prompt(SummaryRequest((message,), style=style))[-1]["content"])
    assert shown.rstrip().endswith(">")


@pytest.mark.parametrize("unit", ["1", "1.", ".1", "1,", "aB", "_", "a.", "北"])
def test_a_long_value_is_looked_for_in_a_long_run_in_no_time(unit: str) -> None:
    text = normalise(repeated(unit, 4 * SIZE))
    with time_limit(SECONDS):
        for share in (2, 20, 1000):
            find_mentions(text, text[: len(text) // share])


def test_mentions_inside_each_other_are_told_apart_in_no_time() -> None:
    text = repeated("75 kg ", 3 * SIZE)
    with time_limit(SECONDS):
        short, long = find_mentions(text, "75"), find_mentions(text, "75 kg")
        assert outside(short, long) == []
        assert len(outside(long, short)) == len(text) // 6


@given(st.text(alphabet='a1_./-|{}[]":, \n北，', max_size=300))
def test_no_text_is_told_more_than_about_once(text: str) -> None:
    assert sum(len(fragment.text) for fragment in fragments(text)) <= 3 * len(text) + 10
