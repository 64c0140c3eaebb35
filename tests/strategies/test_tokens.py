"""The token formula, by hand and against tiktoken itself."""

import json
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.tokens import MESSAGE_TOKENS, REQUEST_TOKENS, TokenCounter
from compaction_eval.strategies.view import Conversation
from compaction_eval.strategies.vocabulary import serve_offline

ENCODINGS = ("o200k_base", "cl100k_base")


def call(name: Any, arguments: Any, **extra: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": "call_1", "type": "function", "function": function, **extra}


def calling(*calls: Any, content: Any = None) -> Any:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


@pytest.mark.parametrize(
    ("encoding", "message", "tokens", "reason"),
    [
        ("o200k_base", {"role": "user", "content": "hello world"}, 4 + 2, "framing and content"),
        ("cl100k_base", {"role": "user", "content": "hello world"}, 4 + 2, "the same"),
        ("o200k_base", {"role": "user", "content": "人均消费75元"}, 4 + 5, "Chinese"),
        ("cl100k_base", {"role": "user", "content": "人均消费75元"}, 4 + 7, "is dearer there"),
        ("o200k_base", {"role": "user", "content": ""}, 4, "an empty message costs its framing"),
        ("o200k_base", {"role": "user", "content": None}, 4, "null content is nothing"),
        ("o200k_base", {"role": "user", "name": "Mei", "content": "hello world"}, 6, "no names"),
        (
            "o200k_base",
            calling(call("read_file", '{"path": "a"}')),
            4 + 2 + 6,
            "a call's name (2) and its arguments as they stand (6)",
        ),
        (
            "o200k_base",
            calling(call("read_file", '{"path": "a"}'), call("read_file", '{"path": "a"}')),
            4 + 2 * (2 + 6),
            "each call counts, the second of two equal ones too",
        ),
        (
            "o200k_base",
            calling(call("read_file", {"path": "a"}), content="hello world"),
            4 + 2 + 2 + 6,
            "arguments as a mapping count on their JSON with default separators",
        ),
        (
            "o200k_base",
            {"role": "tool", "tool_call_id": "call_1", "content": "hello world"},
            4 + 2,
            "the id isn't counted",
        ),
        (
            "o200k_base",
            {"role": "user", "content": [{"type": "text", "text": "hello"}]},
            4 + 14,
            "content parts count on their JSON",
        ),
    ],
)
def test_a_message_costs_what_the_formula_says(
    encoding: str, message: Any, tokens: int, reason: str
) -> None:
    counter = TokenCounter(encoding)
    assert counter.message(message) == tokens, reason
    assert counter.messages([message, message]) == 2 * tokens
    assert counter.request([message, message]) == 3 + 2 * tokens


def test_an_empty_request_costs_the_replys_priming() -> None:
    assert TokenCounter().request([]) == REQUEST_TOKENS == 3
    assert MESSAGE_TOKENS == 4


def test_tool_schemas_are_counted_on_their_json_each() -> None:
    counter = TokenCounter()
    schemas = [{"name": "read_file"}, {"name": "查询", "parameters": {"type": "object"}}]
    texts = ['{"name": "read_file"}', '{"name": "查询", "parameters": {"type": "object"}}']
    assert counter.tools(schemas) == sum(map(counter.text, texts))


TEXTS = [
    "Deploys go to staging first.",
    "人均消费75元，营业时间 08:30—18:30。",
    "👩‍👩‍👧 🇨🇭 ✅",
    "def f(x: int) -> int:\n    return x ** 2  # squared\n\t\n",
    json.dumps({"a": [1, 2.5, None], "路径": "C:\\tmp\\x"}, ensure_ascii=False, indent=2),
    "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=" * 40,
    "a" * 5_000,
    " " * 5_000 + "\n" * 300,
    "Ünïcödé ﬀ ĳ \u200b\u0301",
]


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_the_tokens_that_tiktoken_gives_it(name: str, text: str) -> None:
    serve_offline()
    assert TokenCounter(name).text(text) == len(tiktoken.get_encoding(name).encode(text))


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=st.text(max_size=60))
def test_any_text_has_the_tokens_that_tiktoken_gives_it(name: str, text: str) -> None:
    serve_offline()
    expected = tiktoken.get_encoding(name).encode(text, disallowed_special=())
    assert TokenCounter(name).text(text) == len(expected)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("text", ["<|endoftext|>", "a <|im_start|>user", "<|fim_prefix|>"])
def test_a_special_token_in_a_text_is_plain_text(name: str, text: str) -> None:
    """A transcript about models mentions them, which must neither raise nor count as one token."""
    assert TokenCounter(name).text(text) > 3


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\ud83d alone"])
def test_half_a_character_is_counted_as_the_sign_for_what_cant_be_read(text: str) -> None:
    """JSON can spell lone surrogates, and logs that were cut hold them."""
    readable = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    assert TokenCounter().text(text) == TokenCounter().text(readable)


def test_each_distinct_text_is_tokenised_once() -> None:
    counter = TokenCounter()
    messages: list[Any] = [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "one"},
        calling(call("read_file", "{}"), call("read_file", "{}"), content="two"),
    ]
    for _ in range(3):
        counter.request(messages)
    assert counter.texts_tokenised == 4  # one, two, read_file, {}


def test_known_counts_are_taken_over_and_nothing_is_tokenised_again() -> None:
    first = TokenCounter()
    first.text("hello world")
    second = TokenCounter(known=first.known)
    assert (second.text("hello world"), second.texts_tokenised) == (2, 0)
    second.text("more")
    assert "more" not in first.known


def test_a_measured_view_isnt_walked() -> None:
    messages: list[Message] = [{"role": "user", "content": f"message {n}"} for n in range(9)]
    counter = TokenCounter()
    view = Conversation(messages, counter).view(2, 7)
    expected = counter.request(messages[2:7])
    counter.known.clear()
    assert counter.request(view) == expected
    assert counter.known == {}


def test_another_counter_measures_a_view_itself() -> None:
    messages: list[Message] = [{"role": "user", "content": "人均消费75元"}]
    view = Conversation(messages, TokenCounter("o200k_base")).view(0, 1)
    assert TokenCounter("cl100k_base").request(view) == 3 + 4 + 7


def test_a_million_blanks_are_counted_and_end_nothing() -> None:
    text = f"before{' ' * 1_000_000}after"
    assert 2 <= TokenCounter().text(text) <= 1_000_000
