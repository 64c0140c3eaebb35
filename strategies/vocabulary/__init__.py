"""Exact token counting without a download: tiktoken's vocabularies, shipped as package data.

tiktoken fetches a vocabulary at first use, which fails behind a firewall, and a plug-in of its own
mechanism can't redefine the names. So its table of constructors is made to read our files. tiktoken
still says how an encoding is built, and which SHA-256 its vocabulary must have.
"""

from __future__ import annotations

import gzip
import hashlib
import pkgutil
import zlib
from binascii import a2b_base64
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tiktoken

NAMES = ("o200k_base", "cl100k_base")


def encoding(name: str) -> tiktoken.Encoding:
    """The BPE encoding `name`, parsed at first use (about 0.2 s) and cached by tiktoken.

    Raises ValueError for a name that isn't shipped, RuntimeError for a damaged installation.
    """
    if name not in NAMES:
        raise ValueError(f"unknown encoding {name!r}; known are {' and '.join(NAMES)}")
    serve_offline()
    import tiktoken  # here, as a command's --help wants the names alone

    return tiktoken.get_encoding(name)


def serve_offline() -> None:
    """Let every caller of `tiktoken.get_encoding` in this process have our files; loads nothing.

    For code that counts with tiktoken itself, such as a framework behind an adapter.
    """
    import tiktoken  # see `encoding`
    from tiktoken import registry

    tiktoken.list_encoding_names()  # has tiktoken fill its table
    table = registry.ENCODING_CONSTRUCTORS
    assert table is not None
    for name in NAMES:
        constructor = table[name]
        if isinstance(constructor, FunctionType):  # else it has been replaced before
            table[name] = partial(_construct, name, constructor)


def _construct(name: str, constructor: FunctionType) -> dict[str, Any]:
    """tiktoken's own arguments for Encoding, with its constructor run over our loader.

    The constructor runs with globals of its own, so nothing of tiktoken's is swapped under a thread
    that is loading something else.
    """

    def load(_url: str, expected_hash: str) -> dict[bytes, int]:
        return _ranks(name, expected_hash)

    offline = {**constructor.__globals__, "load_tiktoken_bpe": load}
    arguments: dict[str, Any] = FunctionType(constructor.__code__, offline)()
    return arguments


def _ranks(name: str, sha256: str) -> dict[bytes, int]:
    try:
        text = gzip.decompress(pkgutil.get_data(__name__, f"{name}.tiktoken.gz") or b"")
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(name, str(error)) from error
    if hashlib.sha256(text).hexdigest() != sha256:
        raise _damaged(name, "its SHA-256 isn't the one that tiktoken expects")
    fields = text.split()  # token in base64, rank, token, rank, ...
    return dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))


def _damaged(name: str, reason: str) -> RuntimeError:
    return RuntimeError(
        f"the vocabulary of {name} can't be used ({reason}); reinstall: "
        "pip install --force-reinstall compaction-eval"
    )
