"""The messages of a transcript file, which are read when they are asked for and not kept.

A scenario with a transcript is checked whole when it is loaded. After that it holds no more than
where its messages are, so that a folder of long sessions can be loaded, and handed to workers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast, overload

from compaction_eval.scenarios.files import read_regular, refusal
from compaction_eval.scenarios.records import Place
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message

T = TypeVar("T")
_HELD = 2
"""Transcripts that are kept for the next question about the same one."""


class _AlikeSequence(Sequence[T]):
    """A sequence that equals each other one with the same elements, tuples too."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(
            one == another for one, another in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash((type(self).__name__, len(self)))


@dataclass(frozen=True, slots=True, eq=False)
class RecordedMessages(_AlikeSequence[Message]):
    """A transcript's messages. Raises ConfigurationError if the file isn't what it was."""

    path: Path
    sha256: str
    """Of the file, in hex."""
    length: int

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, at: int) -> Message: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, at: int | slice) -> Message | tuple[Message, ...]:
        return _read(self.path, self.sha256)[at]

    def __iter__(self) -> Iterator[Message]:
        return iter(_read(self.path, self.sha256))


@dataclass(frozen=True, slots=True, eq=False)
class RecordedPlaces(_AlikeSequence[Place]):
    """Where each message of a transcript stands."""

    file: str
    lines: range
    """The line of each."""

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, at: int) -> Place: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Place, ...]: ...
    def __getitem__(self, at: int | slice) -> Place | tuple[Place, ...]:
        if isinstance(at, slice):
            return tuple(Place(self.file, line) for line in self.lines[at])
        return Place(self.file, self.lines[at])


def read_later(path: Path, sha256: str, length: int) -> RecordedMessages:
    """The messages of a transcript that has been read and checked, to be read again."""
    return RecordedMessages(path.absolute(), sha256, length)


def shortened(places: Sequence[Place]) -> Sequence[Place]:
    """The same places, by their lines where these follow each other."""
    if not places:
        return ()
    first = places[0]
    lines = range(first.line, first.line + len(places))
    short = RecordedPlaces(first.file, lines)
    return short if short == places else tuple(places)


@lru_cache(maxsize=_HELD)
def _read(path: Path, sha256: str) -> tuple[Message, ...]:
    try:
        data = read_regular(path)
    except OSError as error:
        raise ConfigurationError(f"{path}: can't be read again: {refusal(error)}") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ConfigurationError(f"{path}: has changed since it was checked; start again")
    lines = (line for line in data.splitlines() if line.strip())
    return tuple(cast("Message", json.loads(line)) for line in lines)
