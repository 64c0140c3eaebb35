"""Token counting from the shipped vocabularies."""

import gzip
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
import tiktoken
from tiktoken import registry

from compaction_eval.strategies import vocabulary

SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("o200k_base", "hello world", [24912, 2375]),
        ("o200k_base", "", []),
        ("o200k_base", "人均消费75元", [1995, 34535, 80265, 3384, 6753]),
        ("cl100k_base", "hello world", [15339, 1917]),
        ("cl100k_base", "def f(x):\n    return x", [755, 282, 2120, 997, 262, 471, 865]),
    ],
)
def test_known_texts_have_their_known_token_ids(name: str, text: str, ids: list[int]) -> None:
    encoding = vocabulary.encoding(name)
    assert encoding.encode(text) == ids
    assert encoding.decode(ids) == text


@pytest.mark.parametrize(("name", "size"), [("o200k_base", 200_019), ("cl100k_base", 100_277)])
def test_an_encoding_is_complete_with_its_special_tokens(name: str, size: int) -> None:
    encoding = vocabulary.encoding(name)
    assert (encoding.name, encoding.n_vocab) == (name, size)
    assert encoding.eot_token == encoding.encode_single_token("<|endoftext|>")


def test_an_encoding_is_parsed_once() -> None:
    assert vocabulary.encoding("o200k_base") is vocabulary.encoding("o200k_base")


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'o200k'; known are o200k_base and cl100k_base"):
        vocabulary.encoding("o200k")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not gzip",
        gzip.compress(b"aGVsbG8= 0\n"),
        gzip.compress(b"aGVsbG8= 0\n" * 99)[:-9],
    ],
    ids=["empty", "not gzip", "another vocabulary", "cut off"],
)
def test_a_damaged_file_says_to_reinstall_and_is_never_counted_with(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.delitem(registry.ENCODINGS, "cl100k_base", raising=False)
    monkeypatch.setattr(pkgutil, "get_data", lambda package, resource: content)
    with pytest.raises(RuntimeError, match=r"cl100k_base can't be used .*reinstall"):
        vocabulary.encoding("cl100k_base")


def test_tiktokens_own_functions_work_without_network_and_cache(tmp_path: Path) -> None:
    """After serve_offline, code that knows only tiktoken counts too, and nothing is written."""
    code = """
import socket

def refuse(*args, **kwargs):
    raise AssertionError("the network was touched")

socket.socket.connect = socket.getaddrinfo = refuse
import tiktoken
from compaction_eval.strategies import vocabulary
vocabulary.serve_offline()
vocabulary.serve_offline()
assert not tiktoken.registry.ENCODINGS, "nothing is parsed before its first use"
print(tiktoken.get_encoding("cl100k_base").encode("hello world"))
print(tiktoken.encoding_for_model("gpt-4o").encode("hello world"))
print(vocabulary.encoding("o200k_base") is tiktoken.encoding_for_model("gpt-5"))
"""
    cache = tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SRC), "TIKTOKEN_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "[15339, 1917]\n[24912, 2375]\nTrue\n", done.stderr
    assert not cache.exists()


def test_every_shipped_name_is_one_of_tiktokens() -> None:
    assert set(vocabulary.NAMES) <= set(tiktoken.list_encoding_names())
