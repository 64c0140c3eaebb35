"""Cassettes: files of recorded replies that can be committed, and replayed without any endpoint.

JSON Lines, gzip-compressed when the name ends in `.gz`: a first line with the schema, one line per
recorded reply in the order of their keys, a last line with their number. The same replies make the
same bytes. A line holds what was asked as a digest, where it was asked, and the reply; nothing of
an endpoint, its keys or headers. Each line has a check sum of its own, so that an edit is found in
its line.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compaction_eval.eval.models.base import ChatRequest, Reply
from compaction_eval.eval.models.keys import RequestKey, request_key, request_parts
from compaction_eval.eval.models.reply_json import TRANSIENT, decode_reply, encode_reply
from compaction_eval.eval.writing import replace_file
from compaction_eval.strategies.errors import ConfigurationError

SCHEMA = "compaction-eval/cassette/1"
_FAMILY = SCHEMA.rpartition("/")[0] + "/"
_AGAIN = "record again"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A reply with what it is found by, and what helps a person when it isn't found."""

    key: RequestKey
    reply: Reply
    purpose: str
    where: str
    """Who asked; of several the first in the alphabet, so that the order in time is no matter."""
    parts: tuple[tuple[str, str], ...]
    """Of each part of the request its name and a short digest."""


Recording = dict[RequestKey, Recorded]


def recorded(model: str, request: ChatRequest, reply: Reply) -> Recorded:
    """What a cassette holds of a request to a model and its reply."""
    return Recorded(
        request_key(model, request), reply, request.purpose, request.whereabouts, digests(request)
    )


def digests(request: ChatRequest) -> tuple[tuple[str, str], ...]:
    """Of each part of a request its name and a short digest, to tell what differs."""
    parts = request_parts(request).items()
    return tuple((name, _short(text)) for name, text in parts if name != "purpose")


def add(recording: Recording, new: Recorded) -> bool:
    """Add to a recording, and tell whether that changed it.

    The first reply stays, unless it was a passing fault and the new one isn't.
    """
    old = recording.get(new.key)
    if old is None:
        recording[new.key] = new
        return True
    mended = old.reply.outcome in TRANSIENT and new.reply.outcome not in TRANSIENT
    reply, where = (new if mended else old).reply, min(old.where, new.where)
    if reply is old.reply and where == old.where:
        return False
    recording[new.key] = Recorded(old.key, reply, old.purpose, where, old.parts)
    return True


def write_cassette(path: Path, recording: Recording) -> None:
    """Write a cassette, whole or not at all. Raises OSError."""
    lines = [encode(recording[key]) for key in sorted(recording)]
    first, last = _sealed({"schema": SCHEMA}), _sealed({"replies": len(lines)})
    data = "".join(f"{line}\n" for line in (first, *lines, last)).encode()
    if path.suffix == ".gz":
        buffer = io.BytesIO()
        with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as stream:  # neither name nor time
            stream.write(data)
        data = buffer.getvalue()
    replace_file(path, data)


def read_cassette(path: Path) -> Recording:
    """A cassette's replies. ConfigurationError for any other file, with the line at fault."""
    lines = _text(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    _check_first(path, lines[0] if lines else "")
    found: Recording = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            fields = _unsealed(line)
            if "replies" in fields:
                if number != len(lines) or fields["replies"] != len(found):
                    raise ValueError("lines are missing, or were added")
                return found
            one = _decode(fields)
            if found and one.key <= next(reversed(found)):
                raise ValueError("it is out of order")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            cut = number == len(lines)
            what = "is cut off" if cut else "was changed after it was recorded"
            raise ConfigurationError(f"{path}:{number}:1: {what} ({error}); {_AGAIN}") from error
        found[one.key] = one
    raise ConfigurationError(
        f"{path}:{len(lines)}:1: is cut off: its last line is missing; {_AGAIN}"
    )


def encode(one: Recorded) -> str:
    """One line, without a newline."""
    key = {"request": one.key.digest, "model": one.key.model, "repeat": one.key.repeat}
    told = {"purpose": one.purpose, "where": one.where, "parts": dict(one.parts)}
    return _sealed(key | told | {"reply": encode_reply(one.reply)})


def decode(line: str) -> Recorded:
    """A reply from its line. ValueError for any other line."""
    try:
        return _decode(_unsealed(line))
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _decode(fields: Mapping[str, Any]) -> Recorded:
    key = RequestKey(str(fields["model"]), str(fields["request"]), int(fields["repeat"]))
    purpose, where = str(fields["purpose"]), str(fields["where"])
    parts = tuple((str(name), str(value)) for name, value in dict(fields["parts"]).items())
    return Recorded(key, decode_reply(dict(fields["reply"])), purpose, where, parts)


def _sealed(fields: Mapping[str, Any]) -> str:
    text = json.dumps(fields, separators=(",", ":"))
    return f'{text[:-1]},"check":"{_short(text)}"}}'


def _unsealed(line: str) -> dict[str, Any]:
    """A line's fields. ValueError when it isn't what was written."""
    text, mark, check = line.rpartition(',"check":"')
    text += "}"
    if not mark or check != f'{_short(text)}"}}':
        raise ValueError("it doesn't fit its check sum")
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise ValueError("it is no mapping")
    return fields


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _text(path: Path) -> str:
    """The decompressed text of a file, whatever its name."""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if data.startswith(_GZIP) else data).decode()
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is no cassette: it isn't UTF-8") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ConfigurationError(
            f"{path}: is damaged: it can't be decompressed ({error}); {_AGAIN}"
        ) from error
    except OSError as error:
        raise ConfigurationError(f"{path}: can't be read: {error.strerror}") from error


def _check_first(path: Path, line: str) -> None:
    try:
        first = json.loads(line)
        schema = first["schema"] if isinstance(first, dict) else None
    except (ValueError, KeyError, RecursionError):
        schema = None
    if not isinstance(schema, str) or not schema.startswith(_FAMILY):
        raise ConfigurationError(
            f"{path}:1:1: is no cassette: its first line has no schema {SCHEMA}"
        )
    if schema != SCHEMA:
        raise ConfigurationError(
            f"{path}:1:1: has the schema {schema}, this version reads {SCHEMA}; {_AGAIN}, or use "
            "the version that recorded it"
        )
