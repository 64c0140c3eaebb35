"""Views without copies: a conversation measured once, and windows over it that share it.

A view is a sequence of messages made of *parts*: ranges over a measured conversation, and loose
messages such as summaries. Slicing and joining views costs the number of parts, not of messages,
and so does their size in tokens: a request then costs what changed, not the history's length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from compaction_eval.strategies.messages import Message, used_ids
from compaction_eval.strategies.tokens import TokenCounter


class Conversation:
    """An append-only list of messages with running token sums; messages are known by identity."""

    def __init__(self, messages: Iterable[Message], counter: TokenCounter):
        self.counter = counter
        self.messages: list[Message] = []
        self.sums: list[int] = [0]
        self.position: dict[int, int] = {}
        self.using: dict[str, list[int]] = {}
        """Id of a call -> positions of the messages that make or answer it, ascending."""
        for message in messages:
            self.append(message)

    def append(self, message: Message) -> None:
        """Add a message at the end; each must be an object of its own."""
        if id(message) in self.position:
            raise ValueError("a message object can stand in a conversation only once")
        at = self.position[id(message)] = len(self.messages)
        for used in used_ids(message):
            self.using.setdefault(used, []).append(at)
        self.messages.append(message)
        self.sums.append(self.sums[-1] + self.counter.message(message))

    def tokens(self, span: range) -> int:
        """Tokens of a stretch of positions, without request overhead."""
        return self.sums[span.stop] - self.sums[span.start] if span else 0

    def view(self, start: int, stop: int) -> View:
        """The messages from `start` up to, not including, `stop`."""
        return View(self, (range(start, stop),))

    def adopt(self, messages: Iterable[Message]) -> View:
        """A view of the same messages: those of this conversation by place, others loose."""
        if isinstance(messages, View) and messages.conversation is self:
            return messages
        position = self.position
        parts: list[Part] = []
        for message in messages:
            at = position.get(id(message))
            parts.append(message if at is None else range(at, at + 1))
        return View(self, parts)


Part = range | Message
"""A non-empty stretch of the conversation, or one loose message."""


class View(Sequence[Message]):
    """An immutable sequence of messages over one conversation. See the module's docstring."""

    __slots__ = ("_length", "conversation", "parts")

    def __init__(self, conversation: Conversation, parts: Iterable[Part]):
        joined, self._length = _joined(parts)
        self.conversation = conversation
        self.parts: tuple[Part, ...] = tuple(joined)

    def measured_tokens(self, counter: TokenCounter) -> int:
        """Tokens of the messages, without request overhead."""
        conversation = self.conversation
        if counter is not conversation.counter:
            return sum(map(counter.message, self))
        return sum(
            conversation.tokens(part) if isinstance(part, range) else counter.message(part)
            for part in self.parts
        )

    def loose(self) -> Iterator[tuple[int, Message]]:
        """Place and message of each message that isn't the conversation's own."""
        at = 0
        for part in self.parts:
            if isinstance(part, range):
                at += len(part)
            else:
                yield at, part
                at += 1

    def using(self, call: str) -> list[int]:
        """Places of the messages that make or answer a call, by its id, ascending."""
        positions = self.conversation.using.get(call, ())
        found: list[int] = []
        before = 0
        for part in self.parts:
            if isinstance(part, range):
                first = bisect_left(positions, part.start)
                stop = bisect_left(positions, part.stop, first)
                found.extend(at - part.start + before for at in positions[first:stop])
                before += len(part)
            else:
                if call in used_ids(part):
                    found.append(before)
                before += 1
        return found

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> View: ...
    def __getitem__(self, index: int | slice) -> Message | View:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            if step != 1:
                return self.conversation.adopt(list(self)[index])
            return View(self.conversation, self._cut(start, stop))
        at = index + self._length if index < 0 else index
        if not 0 <= at < self._length:
            raise IndexError(f"message {index} of a view of {self._length}")
        for part in self.parts:
            size = len(part) if isinstance(part, range) else 1
            if at < size:
                return self.conversation.messages[part[at]] if isinstance(part, range) else part
            at -= size
        raise IndexError(index)

    def _cut(self, start: int, stop: int) -> Iterator[Part]:
        """The parts of the messages from `start` up to `stop`."""
        before = 0
        for part in self.parts:
            if before >= stop:
                return
            if isinstance(part, range):
                piece = part[max(start - before, 0) : max(stop - before, 0)]
                before += len(part)
                if piece:
                    yield piece
            else:
                if start <= before:
                    yield part
                before += 1

    def __iter__(self) -> Iterator[Message]:
        for part in self.parts:
            if isinstance(part, range):
                yield from self.conversation.messages[part.start : part.stop]
            else:
                yield part

    def __add__(self, other: Iterable[Message]) -> View:
        return View(self.conversation, (*self.parts, *self.conversation.adopt(other).parts))

    def __radd__(self, other: Iterable[Message]) -> View:
        return View(self.conversation, (*self.conversation.adopt(other).parts, *self.parts))

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, View) and other.parts == self.parts:
            return other.conversation is self.conversation or list(self) == list(other)
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # holds mutable messages, so it can't be a key

    def __repr__(self) -> str:
        return f"View({len(self)} messages in {len(self.parts)} parts)"


def _joined(parts: Iterable[Part]) -> tuple[list[Part], int]:
    """The parts with adjacent stretches joined and empty ones left out, and how many messages."""
    joined: list[Part] = []
    length = 0
    stop = -1
    """Where the stretch that was added last ends; -1 after a loose message."""
    for part in parts:
        if not isinstance(part, range):
            joined.append(part)
            length += 1
            stop = -1
        elif part:
            length += len(part)
            if part.start == stop:
                part = range(joined.pop().start, part.stop)  # type: ignore[union-attr]  # a stretch
            joined.append(part)
            stop = part.stop
    return joined, length
